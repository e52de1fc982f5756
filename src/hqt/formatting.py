"""The words that both faces say of a session, and how wide text is in a terminal."""

import shlex
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # `sandbox exec` says its errors here and shows no session
    from datetime import datetime

    from hqt.observe.views import Exit, SessionView

_JOINERS = "\u200c\u200d"  # names may hold them (sessions/names.py)


def literal(text: str) -> str:
    """`text` with everything a terminal could act on written out."""
    return "".join(
        each if each.isprintable() or each in _JOINERS else each.encode("unicode_escape").decode()
        for each in text
    )


def state_words(view: "SessionView") -> str:
    """The state, done for what is idle and unseen, and for an end how: `exited (3)`, `stopped (TERM)`."""
    if view.unseen:
        return "done"
    return view.state if view.exit is None else f"{view.state} ({exit_word(view.exit)})"


def exit_word(found: "Exit") -> str:
    import signal  # here: most lists hold no session that ended by a signal

    if found.signal is None:
        return str(found.code)
    try:
        return signal.Signals(found.signal).name.removeprefix("SIG")
    except ValueError:
        return f"signal {found.signal}"


def jail_words(view: "SessionView") -> str:
    if view.invalid is not None:
        return "INVALID"
    if view.sandbox is None:
        return "OPEN"
    return view.sandbox.words


class Fact(NamedTuple):
    name: str
    value: str  # literal


def facts(view: "SessionView") -> list[Fact]:
    """All that is known of a session but its screen, in the order of interest."""
    given = "" if view.given == view.cwd else f" (given as {view.given})"
    known = (
        ("id", str(view.id)),
        ("name", view.name),
        ("state", state_words(view)),
        ("reason", view.reason),
        ("harness", " ".join([view.harness, *map(shlex.quote, view.args)])),
        ("folder", f"{view.cwd}{given}"),
        ("jail", view.invalid or jail_words(view)),
        ("variables", " ".join(view.env_names) or None),
        ("notices", "muted" if view.muted else None),
        ("conversation", view.conversation and f"{view.conversation} ({view.conversation_source})"),
        ("copy of", view.copy_of),
        ("before", " ".join(view.former) or None),
        ("created", view.created_at),
        ("ended", view.ended_at),
        ("note", view.note),
    )
    return [Fact(name, literal(value)) for name, value in known if value is not None]


def clock(moment: "float | str") -> str:
    """A moment of today as its time, another with its date; Unix time, or ISO 8601."""
    from datetime import datetime  # here: a list needs none of it

    found = (
        datetime.fromtimestamp(moment) if isinstance(moment, float | int) else datetime.fromisoformat(moment)
    )
    local = found.astimezone()
    form = "%H:%M:%S" if local.date() == datetime.now().astimezone().date() else "%Y-%m-%d %H:%M:%S"
    return local.strftime(form)


def age(stamp: str, now: "datetime | None" = None) -> str:
    """How long before `now` `stamp` was, in the largest unit that fits."""
    from datetime import UTC, datetime  # here: a table alone needs it, and it costs 5 ms

    seconds = int(((now or datetime.now(UTC)) - datetime.fromisoformat(stamp)).total_seconds())
    for size, unit in ((86400, "d"), (3600, "h"), (60, "m")):
        if seconds >= size:
            return f"{seconds // size}{unit}"
    return f"{max(seconds, 0)}s"


def width(text: str) -> int:
    """The terminal cells that `text` takes."""
    return sum(0 if _is_laid_over(each) else 2 if _is_wide(each) else 1 for each in text)


def _is_laid_over(letter: str) -> bool:
    return unicodedata.category(letter) in ("Mn", "Me", "Cf")


def _is_wide(letter: str) -> bool:
    return unicodedata.east_asian_width(letter) in ("W", "F")
