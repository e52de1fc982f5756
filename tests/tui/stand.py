"""A screen for widgets alone, and a services that answers what a test gave it."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from textual.app import ComposeResult
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget

from hqt.doctor.check import Report
from hqt.errors import HqtError
from hqt.explain.explain import Explanation
from hqt.observe.views import SessionView
from hqt.tui.app import HqtApp
from hqt.tui.link.services import Services

_PATIENCE_S = 10
_Answer = TypeVar("_Answer")


class CannedServices(Services):
    """Asks nobody. Each answer is a value or an error; what was asked is kept."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []  # what, and of which session
        self.rows: Callable[[SessionView], list[str]] = lambda view: [view.name]
        self.explanation: Explanation | HqtError = HqtError("no explanation was given")
        self.words: tuple[str, ...] | HqtError = HqtError("no words were given")
        self.reports: list[Report] = []

    def screen(self, view: SessionView, *, lines: int | None = None) -> list[str]:
        self.asked.append(("screen", view.id))
        return self.rows(view)[-(lines or 0) :]

    def saw(self, view: SessionView) -> None:
        self.asked.append(("saw", view.id))

    def jail(self, view: SessionView) -> Explanation:
        self.asked.append(("jail", view.id))
        return _given(self.explanation)

    def argv(self, view: SessionView) -> tuple[str, ...]:
        self.asked.append(("argv", view.id))
        return _given(self.words)

    def examine(self) -> Report:
        return self.reports.pop(0)


def _given(answer: _Answer | HqtError) -> _Answer:
    if isinstance(answer, HqtError):
        raise answer
    return answer


class Stand(Screen[None]):
    def __init__(self, widgets: Sequence[Widget]) -> None:
        super().__init__()
        self._widgets = widgets

    def compose(self) -> ComposeResult:
        yield from self._widgets


def stand(services: Services, *widgets: Widget) -> HqtApp:
    return HqtApp(services, lambda: Stand(widgets))


def seen(app: HqtApp) -> list[str]:
    """What is on the terminal, row by row, right-trimmed."""
    width, height = app.size
    found = app.screen._compositor.render_strips()
    return [strip.text.rstrip() for strip in found[:height] if width]


async def until(pilot: Pilot[None], true: Callable[[], bool]) -> None:
    """Let the app go on until `true`; fail where it does not come true."""
    for _ in range(_PATIENCE_S * 50):
        await pilot.pause(0.02)
        if true():
            return
    raise AssertionError("it did not come true in time")
