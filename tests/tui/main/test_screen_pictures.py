"""Pictures of the main screen in the states that matter: look at each before it is accepted."""

from typing import Protocol

import pytest
from textual.pilot import Pilot

from hqt.errors import BackendError
from hqt.values import replace
from tests.tui.front import Front, FrontServices
from tests.tui.scenes import VIEWS, scene
from tests.tui.stand import seen, until


class Compare(Protocol):
    def __call__(self, app: Front, *, terminal_size: tuple[int, int], run_before: object) -> bool: ...


_NAMES = ("修复 bug", "👨\u200d👩\u200d👧 x", "e\u0301te\u0301 cafe\u0301", "fix [/] x", "plain")


def services(*views: object) -> FrontServices:
    made = FrontServices(*views)  # type: ignore[arg-type]
    made.rows = lambda view: [
        f"\x1b[1m{view.name}\x1b[0m",
        "",
        "\x1b[32m●\x1b[0m I ran the tests: 12 passed",
        "❯ ",
    ]
    return made


async def ready(pilot: Pilot[None]) -> None:
    app = pilot.app
    assert isinstance(app, Front)
    assert isinstance(app.services, FrontServices)
    found = app.services
    await until(pilot, lambda: found.looks >= 2 and bool(app.table.lines))
    # the chosen one's screen, which comes a moment later: beside the list, or below it
    if found.views and (app.size.width >= 110 or app.size.height >= 24):
        await until(pilot, lambda: "12 passed" in "".join(seen(app)))


@pytest.mark.parametrize("size", [(120, 30), (60, 30), (40, 10)], ids=["wide", "narrow", "tiny"])
def test_every_state(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(Front(services(*VIEWS)), terminal_size=size, run_before=ready)


def test_empty(snap_compare: Compare) -> None:
    assert snap_compare(Front(services()), terminal_size=(80, 24), run_before=ready)


def test_light(snap_compare: Compare) -> None:
    app = Front(services(*VIEWS))
    app.theme = "textual-light"
    assert snap_compare(app, terminal_size=(120, 30), run_before=ready)


def test_no_color(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    """A71."""
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(Front(services(*VIEWS)), terminal_size=(80, 24), run_before=ready)


@pytest.mark.parametrize("columns", [60, 120])
def test_wide_names(snap_compare: Compare, columns: int) -> None:
    """A69."""
    views = tuple(replace(each, harness="codex") for each in scene(*_NAMES).glance.views)
    assert snap_compare(Front(services(*views)), terminal_size=(columns, 12), run_before=ready)


@pytest.mark.parametrize("columns", [40, 60, 120])
def test_muted(snap_compare: Compare, columns: int) -> None:
    views = tuple(replace(each, muted=each.id in (2, 4, 6)) for each in VIEWS[:6])
    assert snap_compare(Front(services(*views)), terminal_size=(columns, 12), run_before=ready)


def test_at_work(snap_compare: Compare) -> None:
    """Marks, a deletion that can be undone, something in hand, and a look that failed."""
    made = services(*VIEWS)
    made.hands.held.clear()

    async def work(pilot: Pilot[None]) -> None:
        await ready(pilot)
        await pilot.press("d", "y", "down", "s", "down", "m", "m")
        made.failure = BackendError("tmux gave no answer within 10 s: run `hqt doctor`")
        app = pilot.app
        assert isinstance(app, Front)
        await until(pilot, lambda: "gave no answer" in "".join(seen(app)))
        chosen = next(view.name for view in VIEWS if view.id == app.chosen)
        await until(pilot, lambda: chosen in seen(app))  # the first row of its screen

    assert snap_compare(Front(made), terminal_size=(100, 30), run_before=work)
    made.hands.held.set()


def test_help(snap_compare: Compare) -> None:
    async def asked(pilot: Pilot[None]) -> None:
        await ready(pilot)
        await pilot.press("question_mark")
        await until(pilot, lambda: "enter the session" in "".join(seen(pilot.app)))  # type: ignore[arg-type]

    assert snap_compare(Front(services(*VIEWS)), terminal_size=(80, 24), run_before=asked)
