"""A switch that says in a word, too, how it stands."""

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static, Switch


class Toggle(Horizontal):
    DEFAULT_CSS = """
    Toggle {
        width: auto;
        height: 1;

        & > Switch {
            height: 1;
            border: none;
            padding: 0;
        }
        & > Switch:focus {
            border: none;
        }
        & > Static {
            width: auto;
            padding-left: 1;
        }
    }
    """

    def __init__(self, *, on: bool) -> None:
        super().__init__()
        self.switch = Switch(on, animate=False)
        self._word = Static(_word(on=on))

    def compose(self) -> ComposeResult:
        yield self.switch
        yield self._word

    @property
    def on(self) -> bool:
        return self.switch.value

    @on.setter
    def on(self, on: bool) -> None:
        self.switch.value = on

    def on_switch_changed(self, event: Switch.Changed) -> None:
        self._word.update(_word(on=event.value))


def _word(*, on: bool) -> str:
    return "on" if on else "off"
