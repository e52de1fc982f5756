"""Two widgets where there is room for two."""

from textual.containers import Container
from textual.events import Resize
from textual.widget import Widget

_WIDE = 110
_TALL = 18


class SideBySide(Container):
    """The second stands beside the first where it is wide, below it where it is tall, else not at all."""

    DEFAULT_CSS = """
    SideBySide {
        layout: vertical;
        .beside { width: 100%; height: 1fr; }
        .beside--second { display: none; border-top: solid $foreground 30%; }
        &.-tall .beside--second { display: block; }
        &.-wide { layout: horizontal; }
        &.-wide .beside { width: 1fr; height: 100%; }
        &.-wide .beside--second { display: block; border-top: none; border-left: solid $foreground 30%; }
        &.-tall .beside--second:focus-within { border-top: outer $primary; }
        &.-wide .beside--second:focus-within { border-left: outer $primary; }
        &.-alone .beside--second { display: none; }
    }
    """

    def __init__(self, first: Widget, second: Widget) -> None:
        super().__init__(first, second)
        first.add_class("beside")
        second.add_class("beside", "beside--second")

    def on_resize(self, event: Resize) -> None:
        is_wide = event.size.width >= _WIDE
        self.set_class(is_wide, "-wide")
        self.set_class(not is_wide and event.size.height >= _TALL, "-tall")

    def toggle(self) -> None:
        """Hide the second, or show it again where there is room."""
        self.toggle_class("-alone")
