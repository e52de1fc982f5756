"""A page that tells something: a title, a body that scrolls, a line of keys. All of it can be copied."""

from abc import abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from hqt.tui.app import HqtApp


class Page(Screen[None]):
    """What stands on it is literal text; the mouse selects a part of it, `c` copies the whole."""

    CSS_PATH = "page.tcss"
    AUTO_FOCUS = "VerticalScroll"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", show=False),
        Binding("c", "copy", show=False),
    ]
    app = getters.app(HqtApp)

    def __init__(self, title: str, keys: str) -> None:
        super().__init__()
        self._title, self._keys = title, keys

    def compose(self) -> ComposeResult:
        yield Static(Content(self._title), classes="title")
        yield VerticalScroll(*self.body(), classes="page")
        yield Static(Content(f"esc back  c copy  {self._keys}"), classes="keys")

    @abstractmethod
    def body(self) -> Iterable[Widget]:
        """What the page is made of."""

    @abstractmethod
    def text(self) -> str:
        """All that stands on the page."""

    def action_close(self) -> None:
        self.dismiss(None)

    def action_copy(self) -> None:
        """OSC 52: whether it arrives is the terminal's choice."""
        self.app.copy_to_clipboard(self.text())
        self.notify("copied, if your terminal allows it", markup=False)
