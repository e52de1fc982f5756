"""The one line below an agent's screen: who this is, how confined, who else waits, and the way back."""

_OTHERS = "#{e|-:#{@hqt_waiting},#{m:* #{session_name} *,#{@hqt_waiters}}}"
_MODIFIERS = {"C": "ctrl", "M": "alt", "S": "shift"}
_WIDTHS = (40, 60, 80)  # terminals for which the title is cut to what is left
_JAIL = len("ro offline")


def status_line(detach_key: str) -> str:
    """A tmux format (tmux(1), FORMATS; 3.2 or newer). Where it is narrow only the title is cut.

    Were the line too long as a whole, tmux would cut digits off the number of those who wait.
    """
    back = f"{said(detach_key)} back"
    narrow, usual, wide = (_line(width, back) for width in _WIDTHS)
    return _below(_WIDTHS[1], narrow, _below(_WIDTHS[2], usual, wide))


def said(key: str) -> str:
    """A key in tmux's notation as people write it: C-q is ctrl-q."""
    *modifiers, name = key.split("-") if len(key) > 1 and not key.endswith("-") else [key]
    return "-".join([*(_MODIFIERS.get(each, each) for each in modifiers), name.lower()])


def _below(width: int, narrow: str, other: str) -> str:
    return f"#{{?#{{e|<:#{{client_width}},{width}}},{narrow},{other}}}"


def _line(width: int, back: str) -> str:
    one, more = ("wait", "wait") if width == _WIDTHS[0] else ("other waits", "others wait")
    others = f"{_OTHERS} #{{?#{{==:{_OTHERS},1}},{one},{more}}}"
    left = width - len("  …  ") - _JAIL - len(f" {back} ")
    title = f"#{{?{_OTHERS},{_title(left - len(f'99 {more}  '))},{_title(left)}}}"
    shown_back = back.replace("#", "##").replace(",", "#,").replace("}", "#}")
    shown_back = shown_back.replace("%", "%%")  # or it would begin a time (strftime(3))
    return f"#[align=left] {title}  #{{q/e:@hqt_jail}}#[align=right]#{{?{_OTHERS},{others}  ,}}{shown_back} "


def _title(cells: int) -> str:
    # a title is not ours: q/e doubles each #, or #[…] in it would be a style
    return f"#{{=/{max(cells, 1)}/…;q/e:@hqt_title}}"
