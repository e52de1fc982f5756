"""A sentence, or nothing."""

from textual.content import Content
from textual.widgets import Static

from hqt.tui.cells import plain


class Sentence(Static):
    """Shown literally; without a sentence it takes no room. Saying the same again costs nothing."""

    DEFAULT_CSS = """
    Sentence {
        display: none;
    }
    """

    def __init__(self, classes: str = "") -> None:
        super().__init__(classes=classes)
        self._sentence: str | None = None

    def say(self, sentence: str | None) -> None:
        if sentence != self._sentence:
            self._sentence = sentence
            self.display = sentence is not None
            self.update(Content(plain(sentence or "")))
