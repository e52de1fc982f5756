"""What the chosen session shows: why it waits or how it ended, its screen, its jail."""

import textwrap
from typing import Literal, NamedTuple

from textual import getters, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Resize
from textual.reactive import reactive
from textual.timer import Timer
from textual.widgets import Static, Tab, Tabs

from hqt.errors import HqtError
from hqt.explain import report
from hqt.explain.explain import Explanation
from hqt.formatting import literal
from hqt.observe.views import SessionView
from hqt.tui.app import HqtApp
from hqt.tui.list.reason import reason
from hqt.tui.widgets.screen_rows import ScreenRows

_LOOK_S = 0.25
_SEEN_AFTER = 8  # looks at a screen, so 2 s: by then a person has seen what its agent did
_REST_S = 0.1  # for so long a choice must stand: while an arrow is held nothing is asked
Page = Literal["screen", "jail"]
Answer = list[str] | Explanation | HqtError


class _Subject(NamedTuple):
    """What is asked for. The same again has the same answer, but for the screen of one that lives."""

    page: Page
    key: str
    end: str | None  # the end after which it is asked; None: it lives and can be seen

    @property
    def changes(self) -> bool:
        return self.page == "screen" and self.end is None


class Preview(Vertical):
    """Of one session. It asks 4 times a second, only while it can be seen, and one thing at a time."""

    DEFAULT_CSS = """
    Preview {
        & > .preview--why { height: auto; max-height: 3; padding: 0 1; }
        Tabs, #tabs-scroll, #tabs-list-bar, #tabs-list { height: 1; }
        Underline { display: none; }
        Tab { color: $foreground 80%; }
        Tab.-active { text-style: bold reverse; }
    }
    """
    app = getters.app(HqtApp)
    view: reactive[SessionView | None] = reactive(None)

    def __init__(self) -> None:
        super().__init__()
        self._why = Static(markup=False, classes="preview--why")
        self._tabs = Tabs(Tab("Screen", id="screen"), Tab("Jail", id="jail"))
        self._tabs.can_focus = False  # `turn` has a key: the arrows stay with the list
        self._pages: dict[Page, ScreenRows] = {"screen": ScreenRows(), "jail": ScreenRows()}
        self._shown: dict[Page, _Subject] = {}
        self._told: dict[Page, Explanation | HqtError] = {}  # in lines as wide as this is
        self._rest: Timer | None = None
        self._asks = False
        self._looks = 0  # at this screen, one after the other

    @property
    def page(self) -> Page:
        return "jail" if self._tabs.active == "jail" else "screen"

    def compose(self) -> ComposeResult:
        yield self._why
        yield self._tabs
        yield from self._pages.values()

    def on_mount(self) -> None:
        self.set_interval(_LOOK_S, self._look)

    def turn(self) -> None:
        """Show the other page."""
        self._tabs.active = "jail" if self.page == "screen" else "screen"

    def watch_view(self, before: SessionView | None, view: SessionView | None) -> None:
        told = "" if view is None else reason(view, self.app.now())
        self._why.update(told)
        self._why.display = bool(told)
        self._tabs.display = view is not None
        if (before and before.key) != (view and view.key):
            self._clear()

    def on_tabs_tab_activated(self) -> None:
        for page, rows in self._pages.items():
            rows.display = page == self.page
        self._looks = 0
        self._look()

    def on_resize(self, _: Resize) -> None:
        for page, answer in self._told.items():
            self._tell(page, answer)

    def _clear(self) -> None:
        """Show nothing of another session while this one has not answered."""
        self._shown.clear()
        self._told.clear()
        self._looks = 0
        for rows in self._pages.values():
            rows.put((), at_end=False)
        if self._rest is not None:
            self._rest.stop()
        self._rest = self.set_timer(_REST_S, self._rested)

    def _rested(self) -> None:
        self._rest = None
        self._look()

    def _look(self) -> None:
        if self.view is None or self._asks or self._rest is not None or not self._is_seen():
            return
        subject = self._subject(self.view)
        if subject.changes or self._shown.get(subject.page) != subject:
            self._asks = True
            self._ask(self.view, subject)

    def _is_seen(self) -> bool:
        return self.screen.is_active and self.display and self.size.height > 0

    def _subject(self, view: SessionView) -> _Subject:
        # to find that it still can't be reached takes tmux and a look at all processes
        changes = view.is_alive and view.state != "unreachable"
        return _Subject(self.page, view.key, None if changes else view.ended_at or view.state)

    # as a coroutine for run_worker, Python would complain in the terminal of one that hqt's end left unbegun
    @work
    async def _ask(self, view: SessionView, subject: _Subject) -> None:
        services = self.app.services
        try:
            answer: Answer = await self.app.attempt(
                lambda: services.jail(view) if subject.page == "jail" else services.screen(view)
            )
        finally:
            self._asks = False
        if self.view is not None and self._subject(self.view) == subject:
            self._show(subject, answer)
            await self._saw(self.view, subject)

    async def _saw(self, view: SessionView, subject: _Subject) -> None:
        self._looks = self._looks + 1 if subject.changes and self._is_seen() else 0
        if view.unseen and self._looks >= _SEEN_AFTER:
            await self.app.attempt(lambda: self.app.services.saw(view))

    def _show(self, subject: _Subject, answer: Answer) -> None:
        page, before = subject.page, self._shown.get(subject.page)
        self._shown[page] = subject
        if not isinstance(answer, list):
            self._told[page] = answer
            self._tell(page, answer)
            return
        self._told.pop(page, None)
        if before is None:
            self._pages[page].put(answer, at_end=True)
        else:
            self._pages[page].follow(answer)

    def _tell(self, page: Page, answer: Explanation | HqtError) -> None:
        width = max(self.size.width - 1, 1)  # without a scroll bar
        if isinstance(answer, Explanation):
            lines = report.lines(answer, width, literal)
        else:
            lines = textwrap.wrap(literal(str(answer)), width)
        self._pages[page].put(lines, at_end=False)
