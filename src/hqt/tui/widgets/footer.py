"""The line below the list: the keys, as many as fit."""

from textual.content import Content
from textual.events import Resize
from textual.widgets import Static

from hqt.tui import actions


class Footer(Static):
    """Each can be clicked as well."""

    DEFAULT_CSS = """
    Footer {
        height: 1;
        padding: 0 1;
        background: $surface;
        link-style: none;
        link-color: $foreground;
        link-background: $surface;
        link-color-hover: $foreground;
        link-background-hover: $primary 30%;
    }
    """

    def on_resize(self, event: Resize) -> None:
        shown = actions.footer(event.size.width - 2)
        keys = (f"[@click=screen.{each.name}][b]{each.sign}[/b] {each.short}[/]" for each in shown)
        self.update(Content.from_markup("  ".join(keys)))
