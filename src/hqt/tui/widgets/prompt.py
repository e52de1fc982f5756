"""A field for several lines, in which Enter is not one of them."""

from enum import Enum
from typing import ClassVar, cast

from textual import _ansi_sequences, events
from textual.binding import Binding, BindingType
from textual.keys import Keys
from textual.widgets import TextArea

from hqt.tui.widgets.line import do_at_once

# without the kitty protocol a terminal sends this for alt+enter, of which Textual 8.2.8 makes a bare Enter
_SEQUENCES = cast("dict[str, tuple[Enum, ...]]", _ansi_sequences.ANSI_SEQUENCES_KEYS)
_SEQUENCES["\x1b\r"] = (Keys.ControlJ,)


class Prompt(TextArea):
    """Enter is left to the screen; alt+enter and ctrl+j break a line, shift+enter where it is told apart."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("alt+enter,shift+enter,ctrl+j", "break_line", show=False),
    ]

    def __init__(self, text: str = "") -> None:
        super().__init__(text, compact=True, highlight_cursor_line=False)

    async def _on_key(self, event: events.Key) -> None:
        await do_at_once(self, event)

    def action_break_line(self) -> None:
        self.replace("\n", *self.selection, maintain_selection_offset=False)

    def on_paste(self, event: events.Paste) -> None:
        """Line ends become one kind; what a terminal could act on is left out before it is taken."""
        lines = event.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        event.text = "\n".join("".join(filter(_is_text, line)) for line in lines)


def _is_text(letter: str) -> bool:
    return letter.isprintable() or letter in "\t\u200c\u200d"
