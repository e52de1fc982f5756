"""All keys, grouped."""

from collections.abc import Iterator
from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from hqt.tui import actions
from hqt.tui.app import HqtApp
from hqt.tui.session_keys import SessionKeys

_EVERYWHERE = (("ctrl-p", "search all commands and themes"), ("esc", "close, clear, cancel"))


class HelpScreen(ModalScreen[None]):
    """Scrolls by arrows and wheel; esc, ? and q close it."""

    app = getters.app(HqtApp)
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,question_mark,q,enter", "close", show=False)]

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box"):
            yield Static(Content("\n").join(_lines(self.app.inside)))

    def action_close(self) -> None:
        self.dismiss(None)


def _lines(inside: SessionKeys) -> Iterator[Content]:
    ours = ((name, tuple((each.sign, each.told) for each in group)) for name, group in actions.groups())
    for name, keys in (*ours, ("In a session", tuple(_inside(inside))), ("Everywhere", _EVERYWHERE)):
        yield Content.styled(name, "bold")
        yield from (Content(f"  {sign:10} {told}") for sign, told in keys)
        yield Content("")
    yield Content("mouse: click to choose, double click to enter, wheel to scroll")


def _inside(keys: SessionKeys) -> Iterator[tuple[str, str]]:
    yield keys.back, "return to this list"
    if keys.next is not None:
        yield keys.next, "the next session that needs you"
