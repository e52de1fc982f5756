"""One line of a form: what it is called, what is chosen, and beneath it what is wrong with that."""

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from hqt.tui.widgets.sentence import Sentence


class Field(Vertical):
    """The label of the field that has the focus stands out without colour, too; `above`: it stands there."""

    DEFAULT_CSS = """
    Field {
        height: auto;

        & > Horizontal {
            height: auto;
        }
        & .label {
            width: 14;
            padding-right: 1;
        }
        /* changes nothing, but only what has such a rule itself is styled anew (Textual 8.2.8) */
        &:focus-within {
            opacity: 100%;
        }
        &:focus-within .label {
            text-style: bold reverse;
        }
    }
    """

    def __init__(self, label: str, *body: Widget, above: bool = False) -> None:
        super().__init__()
        self.label = label
        self._label = Static(Content(label), classes="label")
        self._body = body
        self._above = above
        self._fault = Sentence("refused")

    def compose(self) -> ComposeResult:
        if self._above:
            yield self._label
            yield from self._body
        else:
            yield Horizontal(self._label, *self._body)
        yield self._fault

    def enter(self) -> None:
        """Give the focus to what is chosen in it."""
        chosen = next((each for each in self.query(Widget) if each.focusable), None)
        if chosen is not None:
            chosen.focus()

    def say(self, sentence: str | None) -> None:
        """Show what is wrong with it; None: nothing."""
        self._fault.say(sentence)
