"""How a session's state is shown: a sign, a word and a role that colours may stress, in this order."""

from typing import Literal, NamedTuple

from hqt.formatting import state_words
from hqt.observe.order import has_failed, is_done
from hqt.observe.views import SessionView, State

Role = Literal["plain", "muted", "project", "waiting", "done", "working", "failed", "open"]

# one cell wide in every terminal: none of them is "ambiguous" in Unicode's East Asian widths
_SIGNS: dict[State, str] = {
    "starting": "◌",
    "working": "▸",
    "waiting": "?",
    "idle": "-",
    "running": "▸",
    "exited": "▪",
    "stopped": "▪",
    "lost": "▫",
    "unreachable": "!",
    "broken": "✗",
}
_ROLES: dict[State, Role] = {
    "starting": "working",
    "working": "working",
    "waiting": "waiting",
    "running": "working",
    "unreachable": "failed",
    "broken": "failed",
}


class Shown(NamedTuple):
    sign: str
    word: str
    role: Role


def shown(view: SessionView) -> Shown:
    """The state of a session as the list says it."""
    if is_done(view):
        return Shown("✓", "done", "done")
    if has_failed(view):
        return Shown("✗", state_words(view), "failed")
    return Shown(_SIGNS[view.state], state_words(view), _ROLES.get(view.state, "muted"))


def busy(word: str) -> Shown:
    """What hqt itself is doing with a session, such as `stopping…`."""
    return Shown("~", word, "working")
