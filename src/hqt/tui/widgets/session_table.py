"""The list of sessions: lines arranged elsewhere, one of them chosen. It paints only what changed."""

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.events import Click, Resize
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from hqt.tui.cells import fit
from hqt.tui.list.layout import Line, Scene, Span, arrange
from hqt.tui.list.states import Role

_CURSOR = "›"


class SessionTable(ScrollView, can_focus=True):
    """Shows a scene at its own width. What is chosen is a session, whatever line it moves to."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "session-table--cursor",
        "session-table--plain",
        "session-table--muted",
        "session-table--project",
        "session-table--waiting",
        "session-table--done",
        "session-table--working",
        "session-table--failed",
        "session-table--open",
    }
    DEFAULT_CSS = """
    SessionTable {
        background: $background;
        color: $foreground;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;  /* or each line would be arranged anew when the bar comes or goes */
        .session-table--muted { color: $foreground 70%; }
        .session-table--project { text-style: bold; }
        .session-table--waiting { color: $text-warning; text-style: bold; }
        .session-table--done { color: $text-success; }
        .session-table--working { color: $text-primary; }
        .session-table--failed { color: $text-error; }
        .session-table--open { color: $text-warning; }
        .session-table--cursor { background: $primary 30%; text-style: bold; }
        &:nocolor .session-table--cursor { text-style: reverse; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home,g", "move(-1000000)", "First", show=False),
        Binding("end,G", "move(1000000)", "Last", show=False),
    ]

    class Chosen(Message):
        """Another session is chosen, or none."""

        def __init__(self, key: str | None) -> None:
            super().__init__()
            self.key = key

    class Entered(Message):
        """A session was clicked twice."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self) -> None:
        super().__init__()
        self._scene: Scene | None = None
        self._lines: tuple[Line, ...] = ()
        self._chosen: str | None = None

    @property
    def chosen(self) -> str | None:
        """The key of the chosen session."""
        return self._chosen

    @property
    def lines(self) -> tuple[Line, ...]:
        return self._lines

    def show(self, scene: Scene) -> None:
        """Paint what is different from before; what was chosen stays so wherever it stands now."""
        self._scene = scene
        self._arrange()

    def choose(self, key: str | None) -> None:
        """Choose a session; one that is not in the list yet must come with the next scene."""
        if key == self._chosen:
            return
        before, self._chosen = self._index(), key
        self._repaint(before, self._index())
        self._reveal()
        self.post_message(self.Chosen(key))

    def action_move(self, step: int) -> None:
        rows = self._rows()
        if not rows:
            return
        at = self._index()
        now = rows.index(at) if at is not None else 0
        self.choose(self._lines[rows[max(0, min(len(rows) - 1, now + step))]].key)

    def action_page(self, direction: int) -> None:
        self.action_move(direction * max(1, self.size.height - 1))

    def render_line(self, y: int) -> Strip:
        at = y + self.scroll_offset.y
        if at >= len(self._lines):
            return Strip.blank(self.size.width, self.rich_style)
        line = self._lines[at]
        return self._strip(line, is_chosen=line.key is not None and line.key == self._chosen)

    def on_resize(self, _: Resize) -> None:
        self._arrange()
        self._reveal()

    def on_click(self, event: Click) -> None:
        at = event.y + self.scroll_offset.y
        key = self._lines[at].key if at < len(self._lines) else None
        if key is not None:
            self.choose(key)
            if event.chain == 2:
                self.post_message(self.Entered(key))

    def _arrange(self) -> None:
        if self._scene is None:
            return
        cells = self.scrollable_content_region.width
        at, before = self._index(), self._lines
        self._lines = arrange(self._scene, cells)
        if len(before) != len(self._lines):
            self.virtual_size = Size(cells, len(self._lines))
            self.refresh()
        else:
            changed = (n for n, (old, new) in enumerate(zip(before, self._lines, strict=True)) if old != new)
            self._repaint(*changed)
        self._follow(at)

    def _follow(self, before: int | None) -> None:
        """Keep the choice; where its session is gone, take the one that stands there now."""
        rows = self._rows()
        if self._index() is None:
            nearest = min(rows, key=lambda row: abs(row - (before or 0)), default=None)
            self.choose(None if nearest is None else self._lines[nearest].key)
        elif self._index() != before:
            self._reveal()

    def _rows(self) -> list[int]:
        return [number for number, line in enumerate(self._lines) if line.key is not None]

    def _index(self) -> int | None:
        if self._chosen is None:
            return None
        return next((n for n, line in enumerate(self._lines) if line.key == self._chosen), None)

    def _repaint(self, *indices: int | None) -> None:
        for index in indices:
            if index is not None:
                self.refresh_line(index)

    def _reveal(self) -> None:
        at = self._index()
        if at is not None:
            above = 1 if at and self._lines[at - 1].key is None else 0  # with the head of its project
            region = Region(0, at - above, 1, 1 + above)
            self.scroll_to_region(region, animate=False, force=True)

    def _strip(self, line: Line, *, is_chosen: bool) -> Strip:
        spans = _with_cursor(line) if is_chosen else line.spans
        segments = [Segment(span.text, self._style(span.role, is_chosen=is_chosen)) for span in spans]
        return Strip(segments).adjust_cell_length(self.size.width, self._style("plain", is_chosen=is_chosen))

    def _style(self, role: Role, *, is_chosen: bool) -> Style:
        # one style for the whole row: without colours it is reversed, and roles would be stripes of grey
        return self.get_component_rich_style(f"session-table--{'cursor' if is_chosen else role}")


def _with_cursor(line: Line) -> tuple[Span, ...]:
    first, *rest = line.spans
    return (first._replace(text=fit(_CURSOR + first.text[1:], len(first.text))), *rest)
