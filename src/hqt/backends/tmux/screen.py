"""Captured rows as text that is safe to print: colours at most, no other control character."""

import re

from hqt.values import frozen

_SGR = r"\x1b\[[0-9;:]*m"
# another CSI, a string (OSC, DCS, SOS, PM, APC) up to its end, or an escape and one byte
_OTHER_ESCAPE = r"\x1b(?:\[[0-?]*[ -/]*[@-~]?|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?"
_PART = re.compile(rf"({_SGR}|{_OTHER_ESCAPE}|[\x00-\x1f\x7f-\x9f])")
_SHIFT_OUT, _SHIFT_IN = "\x0e", "\x0f"
# the VT100's second character set, which tmux keeps as letters (terminfo(5), Line Graphics)
_DRAWN = str.maketrans("`afgjklmnopqrstuvwxyz{|}~", "◆▒°±┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·")


def rows(text: str, *, ansi: bool) -> list[str]:
    """The rows of `capture-pane -e`, right-trimmed, without the blank ones at the end.

    With `ansi` each row sets its own colours and resets them, so that any of them can be shown alone.
    """
    pen = _Pen()
    read = [_read(line, pen) for line in text.split("\n")]
    while read and not read[-1].plain:
        read.pop()
    return [row.coloured if ansi else row.plain for row in read]


@frozen
class _Row:
    plain: str
    coloured: str


class _Pen:
    """What tmux carries over from row to row."""

    __slots__ = ("drawing", "worn")

    def __init__(self) -> None:
        self.drawing = False
        self.worn: dict[str, str] = {}  # the sequences in force, by what they concern

    def wear(self, sequence: str) -> None:
        first, _, more = sequence[2:-1].partition(";")
        if first in ("", "0"):
            self.worn.clear()
            if not more:
                return
        self.worn[_concern(first)] = sequence


def _read(line: str, pen: _Pen) -> _Row:
    plain: list[str] = []
    coloured = list(pen.worn.values())
    for part in _PART.split(line):
        if re.fullmatch(_SGR, part):
            pen.wear(part)
            coloured.append(part)
        elif part in (_SHIFT_OUT, _SHIFT_IN):
            pen.drawing = part == _SHIFT_OUT
        elif not _PART.match(part):
            signs = part.translate(_DRAWN) if pen.drawing else part
            plain.append(signs)
            coloured.append(signs)
    shown = "".join(coloured).rstrip()
    return _Row("".join(plain).rstrip(), f"{shown}\x1b[0m" if "\x1b" in shown else shown)


def _concern(code: str) -> str:
    """tmux sets each colour by a sequence of its own: a later one replaces an earlier."""
    number = int(code.partition(":")[0] or 0)
    if 30 <= number <= 39 or 90 <= number <= 97:
        return "foreground"
    if 40 <= number <= 49 or 100 <= number <= 107:
        return "background"
    return "underline" if number in (58, 59) else code
