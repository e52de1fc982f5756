"""Another name for a session."""

from typing import ClassVar

from textual import getters, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from hqt.errors import HqtError
from hqt.observe.views import SessionView
from hqt.tui.app import HqtApp
from hqt.tui.cells import plain
from hqt.tui.widgets.line import Line


class RenameScreen(ModalScreen[SessionView | None]):
    """Renames it itself: a name that is refused stays as it was typed, under it why. None: as it was."""

    app = getters.app(HqtApp)
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "keep", show=False)]

    def __init__(self, view: SessionView) -> None:
        super().__init__()
        self._view = view
        self._field = Line(view.name, select_on_focus=True)
        self._refused = Static(classes="refused")

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box", can_focus=False):
            yield Static(Content(f"Rename session {self._view.id} {plain(self._view.name)}"))
            yield self._field
            yield self._refused
            yield Static("enter renames · esc cancels", classes="muted")

    def on_mount(self) -> None:
        self._field.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._rename(event.value)

    @work(exclusive=True)
    async def _rename(self, wanted: str) -> None:
        session, services = str(self._view.id), self.app.services
        renamed = await self.app.attempt(lambda: services.service.rename_session(session, wanted))
        if isinstance(renamed, HqtError):
            self._refused.update(Content(plain(str(renamed))))
        else:
            self.dismiss(renamed)

    def action_keep(self) -> None:
        self.dismiss(None)
