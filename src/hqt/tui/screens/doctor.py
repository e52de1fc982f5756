"""What works here, with remedies."""

from collections.abc import Iterator
from typing import ClassVar, get_args

from textual import work
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Resize
from textual.widget import Widget
from textual.widgets import Static

from hqt.doctor.check import Report, State
from hqt.doctor.report import lines
from hqt.errors import HqtError
from hqt.formatting import literal
from hqt.tui.screens.page import Page

_COLOURS: dict[str, str] = {"ok": "$text-success", "failed": "$text-error"}
_STRESSED = "$text-warning"
_FRAME = 3  # of the page: its padding and its scroll bar


class DoctorScreen(Page):
    """What `hqt doctor` says; it may take seconds and holds up nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("D", "close", show=False),
        Binding("r", "look", show=False),
    ]

    def __init__(self) -> None:
        super().__init__("doctor", "r look again")
        self._told = Static(Content("looking…"))
        self._found: Report | HqtError | None = None

    def body(self) -> Iterator[Widget]:
        yield self._told

    def text(self) -> str:
        return "\n".join(self._lines())

    def on_mount(self) -> None:
        self.action_look()

    def on_resize(self, _: Resize) -> None:
        self._tell()

    def action_look(self) -> None:
        self._found = None
        self._tell()
        self._look()

    @work(exclusive=True)
    async def _look(self) -> None:
        self._found = await self.app.attempt(self.app.services.examine)
        self._tell()

    def _tell(self) -> None:
        self._told.update(Content("\n").join(map(_coloured, self._lines())))

    def _lines(self) -> list[str]:
        if self._found is None:
            return ["looking…"]
        if isinstance(self._found, HqtError):
            return [literal(str(self._found))]
        return list(lines(self._found, self.size.width - _FRAME))


def _coloured(line: str) -> Content:
    """The line with its state stressed; what follows in its place is told in words as well."""
    word = line.partition(" ")[0]
    if word not in get_args(State):
        return Content(line)
    return Content(line).stylize(_COLOURS.get(word, _STRESSED), 0, len(word))
