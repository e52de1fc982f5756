"""All keys, grouped."""

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from hqt.tui import actions

_MORE = (
    (
        "In a session, unless config.toml says otherwise",
        (("ctrl-q", "back to this list"), ("ctrl-space", "the next session that needs you")),
    ),
    ("Everywhere", (("ctrl-p", "all of this by name, and the themes"), ("esc", "close, clear, give up"))),
)


class HelpScreen(ModalScreen[None]):
    """Scrolls by arrows and wheel; esc, ? and q close it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,question_mark,q,enter", "close", show=False)]

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box"):
            yield Static(_told())

    def action_close(self) -> None:
        self.dismiss(None)


def _told() -> Content:
    return Content("\n").join(_lines())


def _lines() -> Iterator[Content]:
    ours = ((name, tuple((each.sign, each.told) for each in group)) for name, group in actions.groups())
    for name, keys in (*ours, *_MORE):
        yield Content.styled(name, "bold")
        yield from (Content(f"  {sign:10} {told}") for sign, told in keys)
        yield Content("")
    yield Content("mouse: a click chooses, a double click enters, the wheel scrolls")
