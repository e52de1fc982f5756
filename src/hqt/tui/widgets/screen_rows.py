"""Rows of text with colours, seen through a window; only rows that changed are painted."""

from collections.abc import Iterable, Sequence

from textual.events import Resize
from textual.geometry import Size
from textual.reactive import var
from textual.scroll_view import ScrollView
from textual.strip import Strip

from hqt.tui.widgets.ansi import strip


class ScreenRows(ScrollView, can_focus=True):
    """A screen that somebody else draws, at its own size: what has no room is cut, and can be scrolled to."""

    DEFAULT_CSS = """
    ScreenRows {
        background: $background;
        color: $foreground;
        scrollbar-size: 0 1;
        scrollbar-color: $foreground 30%;
        scrollbar-background: $background;
    }
    """
    FOCUS_ON_CLICK = False  # the keys stay where they are; the tab key leads here
    rows: var[tuple[str, ...]] = var(())
    _stands_at_end: var[bool] = var(False)  # no offset says so once the window is smaller

    def put(self, rows: Sequence[str], *, at_end: bool) -> None:
        """Show other rows than before, from their left, and from their end or their start."""
        self._replace(tuple(rows))
        self.scroll_to(0, self.max_scroll_y if at_end else 0, animate=False)
        self._stands_at_end = at_end
        if at_end:
            self.call_after_refresh(self._to_end)

    def follow(self, rows: Sequence[str]) -> None:
        """Show what became of the rows; their end stays in sight unless another place was chosen."""
        stands_at_end = self._stands_at_end
        self._replace(tuple(rows))
        if stands_at_end:
            self.call_after_refresh(self._to_end)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._stands_at_end = new_value >= self.max_scroll_y

    def on_resize(self, _: Resize) -> None:
        if self._stands_at_end:
            self.call_after_refresh(self._to_end)

    def render_line(self, y: int) -> Strip:
        left, top = self.scroll_offset
        base, width = self.rich_style, self.size.width
        if top + y >= len(self.rows):
            return Strip.blank(width, base)
        return self._strip(self.rows[top + y]).crop_extend(left, left + width, base).apply_style(base)

    def _replace(self, rows: tuple[str, ...]) -> None:
        before, self.rows = self.rows, rows
        size = Size(max((self._strip(row).cell_length for row in rows), default=0), len(rows))
        if size != self.virtual_size:
            self.virtual_size = size
        self._repaint(n for n in range(max(len(before), len(rows))) if before[n : n + 1] != rows[n : n + 1])

    def _strip(self, row: str) -> Strip:
        # as greys, which is what NO_COLOR makes of them, an agent's colours can be too dark to read
        return strip(row, coloured=not self.app.no_color)

    def _repaint(self, changed: Iterable[int]) -> None:
        for row in changed:
            self.refresh_line(row)

    def _to_end(self) -> None:
        self.scroll_to(y=self.max_scroll_y, animate=False)
