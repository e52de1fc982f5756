"""Lines on what is wrong now; gone when it is right again."""

from textual.content import Content
from textual.widgets import Static

from hqt.logs import log
from hqt.tui.cells import plain


class Notices(Static):
    """Takes no room while there is nothing to say."""

    DEFAULT_CSS = """
    Notices {
        display: none;
        height: auto;
        max-height: 4;
        padding: 0 1;
        color: $text-error;
        background: $error-muted;
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, str] = {}

    @property
    def said(self) -> tuple[str, ...]:
        return tuple(self._said.values())

    def say(self, about: str, sentence: str | None) -> None:
        """Show the sentence in place of the one about the same; None takes it away."""
        if self._said.get(about) == sentence:
            return
        log.info("%s: %s", about, sentence or "right again")
        if sentence is None:
            del self._said[about]
        else:
            self._said[about] = sentence
        self.update(Content("\n".join(map(plain, self._said.values()))))
        self.display = bool(self._said)
