"""The line above the list."""

from textual.content import Content
from textual.events import Resize
from textual.widget import Widget

from hqt.observe.views import SessionView
from hqt.tui.list.summary import summary


class Summary(Widget):
    """How many sessions there are of each kind, and in front what the filter leaves of them."""

    DEFAULT_CSS = "Summary { height: 1; padding: 0 1; background: $surface; text-style: bold; }"

    def __init__(self) -> None:
        super().__init__()
        self._views: tuple[SessionView, ...] = ()
        self._before = ""
        self._shown = ""

    def show(self, views: tuple[SessionView, ...], before: str = "") -> None:
        self._views, self._before = views, before
        self._tell()

    def render(self) -> Content:
        return Content(self._shown)

    def on_resize(self, _: Resize) -> None:
        self._tell()

    def _tell(self) -> None:
        counts = summary(self._views, self.content_size.width - len(self._before))
        if self._shown != self._before + counts:
            self._shown = self._before + counts
            self.refresh()
