"""All that keys do on the main screen: one table for bindings, help, footer and palette."""

from collections.abc import Iterator
from itertools import groupby

from textual.binding import Binding

from hqt.tui.cells import width
from hqt.values import frozen


@frozen
class Action:
    name: str  # the screen's `action_…`
    key: str  # in Textual's notation
    sign: str  # as people write the key
    short: str  # in the footer and the palette
    told: str  # in the help
    group: str


ACTIONS = (
    Action("enter", "enter", "enter", "attach", "enter the session", "Go"),
    Action("next", "space", "space", "next", "select the next session that needs you", "Go"),
    Action("reply", "a", "a", "answer", "answer in one line, without entering", "Go"),
    Action("filter", "slash", "/", "filter", "show what matches: name, project, state, branch …", "Go"),
    Action("new(False)", "n", "n", "new", "start an agent", "Start and end"),
    Action("new(True)", "N", "N", "new jailed", "start an agent in a jail", "Start and end"),
    Action("stop", "s", "s", "stop", "stop; anything still running after 5 s is killed", "Start and end"),
    Action("resume", "r", "r", "resume", "resume with its conversation", "Start and end"),
    Action("fresh", "R", "R", "fresh", "resume with a new conversation", "Start and end"),
    Action("fork", "f", "f", "fork", "fork: start a copy, in its folder and jail", "Start and end"),
    Action("rename", "e", "e", "rename", "rename", "Keep order"),
    Action("jail", "J", "J", "jail", "change or remove the jail of its next start", "Keep order"),
    Action("delete", "d", "d", "delete", "delete (10 s to undo)", "Keep order"),
    Action("undo", "u", "u", "undo", "undo a deletion", "Keep order"),
    Action("mark", "m", "m", "mark", "mark it; s, r, d and M then apply to all marked", "Keep order"),
    Action("mute", "M", "M", "mute", "mute its notices, or hear them again", "Keep order"),
    Action("details", "i", "i", "details", "all that is known of it", "Look"),
    Action("preview", "p", "p", "preview", "show or hide its screen", "Look"),
    Action("tab", "t", "t", "screen/jail", "switch between its screen and its jail", "Look"),
    Action("doctor", "D", "D", "doctor", "check what works here, with remedies", "Look"),
    Action("help", "question_mark", "?", "keys", "show all keys", "hqt"),
    Action("quit", "q", "q", "quit", "quit; the agents go on", "hqt"),
)
# the footer's order: what is cut on a narrow screen is what is needed least
_FOOTER = (
    "enter next new(False) new(True) stop resume filter details delete rename mark fresh reply doctor undo"
    " mute"
).split()
_ALWAYS = ("help", "quit")
_GAP = "  "


def bindings() -> list[Binding]:
    return [Binding(each.key, each.name, each.short, key_display=each.sign, show=False) for each in ACTIONS]


def groups() -> Iterator[tuple[str, tuple[Action, ...]]]:
    """For the help."""
    for name, actions in groupby(ACTIONS, key=lambda each: each.group):
        yield name, tuple(actions)


def footer(cells: int) -> tuple[Action, ...]:
    """As many as fit in one line, the way to all of them always among them."""
    named = {each.name: each for each in ACTIONS}
    always = tuple(named[name] for name in _ALWAYS)
    shown: tuple[Action, ...] = ()
    for name in _FOOTER:
        if _length((*shown, named[name], *always)) > cells:
            break
        shown = (*shown, named[name])
    return (*shown, *always)


def _length(actions: tuple[Action, ...]) -> int:
    return sum(width(f"{each.sign} {each.short}{_GAP}") for each in actions)
