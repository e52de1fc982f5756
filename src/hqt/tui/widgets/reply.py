"""A line below the list for what a session is to be told; a line that was left stays with its session."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from hqt.observe.views import SessionView
from hqt.tui.cells import plain
from hqt.tui.widgets.entry import Entry


class Reply(Horizontal):
    """Takes no room while nobody types; `home` has the focus then."""

    DEFAULT_CSS = """
    Reply {
        display: none;
        height: 1;
        padding: 0 1;

        & > Static {
            width: auto;
            max-width: 50%;
            padding-right: 1;
        }
        & > Entry {
            width: 1fr;
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    class Sent(Message):
        """Enter was pressed; the line stays the session's draft until it is forgotten."""

        def __init__(self, key: str, text: str) -> None:
            super().__init__()
            self.key = key
            self.text = text

    def __init__(self, home: Widget) -> None:
        super().__init__()
        self._home = home
        self._label = Static()
        self._line = Entry(placeholder="enter sends it, esc closes (draft is kept)")
        self._key: str | None = None
        self._drafts: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        yield self._label
        yield self._line

    def begin(self, view: SessionView) -> None:
        """Take the focus at once: what is typed next is for the session."""
        self._key = view.key
        self._label.update(Content(f"to {view.id} {plain(view.name)}:"))
        self._line.value = self._drafts.get(view.key, "")
        self._line.cursor_position = len(self._line.value)
        self.display = True
        self.screen.set_focus(self._line)

    def forget(self, key: str, text: str) -> None:
        """The session has the line; another that was begun meanwhile stays."""
        if self._drafts.get(key) == text:
            del self._drafts[key]

    def action_leave(self) -> None:
        if self._key is not None:
            self._drafts[self._key] = self._line.value
        self._key = None
        self.display = False
        self.screen.set_focus(self._home)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        key = self._key
        self.action_leave()
        if key is not None and event.value.strip():
            self.post_message(self.Sent(key, event.value))
