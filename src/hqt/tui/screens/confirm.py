"""A question before something that is hard to undo."""

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Static


class ConfirmScreen(ModalScreen[bool]):
    """Asks; True only where the person said so. Esc, and enter at once, change nothing."""

    CSS_PATH = "confirm.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", show=False),
        Binding("n,escape,q", "answer(False)", show=False),
        Binding("left,right", "app.focus_next", show=False),
    ]

    def __init__(self, question: str, yes: str) -> None:
        """`yes` is what the button that does it says."""
        super().__init__()
        self._question = question
        self._yes = Button(f"{yes} (y)", variant="error")
        self._no = Button("No (n)")

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box", can_focus=False):
            yield Static(Content(self._question))
            with Horizontal():
                yield from self._buttons()

    def on_mount(self) -> None:
        self._no.focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button is self._yes)

    def action_answer(self, answer: bool) -> None:
        self.dismiss(answer)

    def _buttons(self) -> Iterator[Widget]:
        yield self._no
        yield self._yes
