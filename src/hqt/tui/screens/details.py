"""All that is known of one session."""

import shlex
from collections.abc import Iterator
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from hqt.errors import HqtError
from hqt.formatting import facts, literal
from hqt.observe.views import SessionView
from hqt.tui.screens.page import Page
from hqt.tui.widgets import ansi

_LINES = 20


class DetailsScreen(Page):
    """What `hqt show` says, the last lines, and on demand the command that would run now."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i", "close", show=False),
        Binding("a", "argv", show=False),
    ]

    def __init__(self, view: SessionView) -> None:
        super().__init__(f"session {view.id} {literal(view.name)}", "a the command that would run now")
        self._view = view
        self._facts = facts(view)
        self._lines, self._argv = _Quoted("its last lines"), _Quoted("the command that would run now")

    def body(self) -> Iterator[Widget]:
        for name, value in self._facts:
            told = Static(Content(name), classes="name"), Static(Content(value), classes="value")
            yield Horizontal(*told, classes="fact")
        yield self._lines
        yield self._argv

    def text(self) -> str:
        told = [f"{name:13} {value}" for name, value in self._facts]
        return "\n".join([*told, *self._lines.told(), *self._argv.told()])

    def on_mount(self) -> None:
        self._argv.display = False
        self._look()

    @work
    async def _look(self) -> None:
        rows = await self.app.attempt(lambda: self.app.services.screen(self._view, lines=_LINES))
        if isinstance(rows, HqtError):
            self._lines.say(literal(str(rows)))
        else:
            self._lines.say("\n".join(map(ansi.plain, rows)) or "its screen is empty", shaped=True)

    def action_argv(self) -> None:
        if not self._argv.display:
            self._argv.display = True
            self._foresee()

    @work
    async def _foresee(self) -> None:
        words = await self.app.attempt(lambda: self.app.services.argv(self._view))
        self._argv.say(literal(str(words) if isinstance(words, HqtError) else shlex.join(words)))
        self._argv.scroll_visible()


class _Quoted(Static):
    """A head, and beneath it text that is fetched."""

    def __init__(self, head: str) -> None:
        super().__init__(Content(f"{head}: looking…"), classes="quoted")
        self._head = head
        self._text: str | None = None

    def say(self, text: str, *, shaped: bool = False) -> None:
        """`shaped`: no line is wrapped, as what was drawn for a wide terminal would lose its shape."""
        self._text = text
        self.set_class(shaped, "shaped")
        self.update(Content("\n").join([Content(self._head).stylize("bold"), Content(text)]))

    def told(self) -> list[str]:
        return [] if self._text is None else ["", self._head, self._text]
