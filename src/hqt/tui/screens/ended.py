"""What became of an agent that ended while its person was with it, or right at its start."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from hqt.formatting import state_words
from hqt.observe.views import Outcome
from hqt.tui.cells import plain

_LINES = 20
_AROUND = 8  # rows of the box that are not its lines


class EndedScreen(ModalScreen[None]):
    """Its last lines; any of the keys that mean "go on" closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,space,q", "close", show=False)]

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self._outcome = outcome

    def compose(self) -> ComposeResult:
        view = self._outcome.view
        with VerticalScroll(classes="box") as self._box:
            yield Static(Content(f"session {view.id} {plain(view.name)}: {state_words(view)}"))
            if view.note:
                yield Static(Content(plain(view.note)), classes="muted")
            yield Static(
                Content(_last(self._outcome.lines, self.app.size.height - _AROUND)), classes="quoted"
            )
            yield Static("enter returns to the list · i there shows more", classes="muted")

    def on_mount(self) -> None:
        self._box.anchor()  # what it said last tells most

    def action_close(self) -> None:
        self.dismiss(None)


def _last(lines: tuple[str, ...], rows: int) -> str:
    said = [plain(line) for line in lines if line.strip()]
    return "\n".join(said[-max(1, min(_LINES, rows)) :]) or "its screen was empty"
