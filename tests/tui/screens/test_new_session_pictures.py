"""Pictures of the New Session dialog in the states that matter: look at each before it is accepted."""

from collections.abc import Callable, Coroutine
from typing import Protocol

from textual.pilot import Pilot

from hqt.sandbox import Availability
from hqt.tui.app import HqtApp
from hqt.tui.screens.new_session import NewSessionScreen
from hqt.tui.widgets.entry import Entry
from hqt.tui.widgets.prompt import Prompt
from hqt.values import replace
from tests.tui.screens.dialog import CHOICES, GOOD, NONE, ONLINE, DialogServices
from tests.tui.stand import Stand, until

_Ready = Callable[[Pilot[None]], Coroutine[None, None, None]]
SIZE = (80, 24)


class Compare(Protocol):
    def __call__(self, app: HqtApp, *, terminal_size: tuple[int, int], run_before: _Ready) -> bool: ...


def made(jail: Availability = GOOD, *, by_config: bool = False) -> HqtApp:
    return HqtApp(DialogServices(replace(CHOICES, jailed=by_config), jail), lambda: Stand(()))


def opened(*, sandboxed: bool = False, keys: tuple[str, ...] = ()) -> _Ready:
    async def ready(pilot: Pilot[None]) -> None:
        services, app = pilot.app.services, pilot.app  # type: ignore[attr-defined]
        await app.push_screen(NewSessionScreen(sandboxed=sandboxed))
        for each in (*app.screen.query(Entry), *app.screen.query(Prompt)):
            each.cursor_blink = False
        await until(pilot, lambda: bool(services.asked) and all(each.is_finished for each in app.workers))
        await pilot.press(*keys)
        await until(pilot, lambda: all(each.is_finished for each in app.workers))

    return ready


def test_plain(snap_compare: Compare) -> None:
    assert snap_compare(made(), terminal_size=SIZE, run_before=opened(keys=(*"fix", "alt+enter", *"it")))


def test_sandboxed(snap_compare: Compare) -> None:
    assert snap_compare(made(), terminal_size=SIZE, run_before=opened(sandboxed=True))


def test_no_jail_and_none_was_asked_for(snap_compare: Compare) -> None:
    """A01"""
    assert snap_compare(made(NONE), terminal_size=SIZE, run_before=opened())


def test_no_jail_and_the_config_asks_for_one(snap_compare: Compare) -> None:
    """A01"""
    assert snap_compare(made(NONE, by_config=True), terminal_size=SIZE, run_before=opened())


def test_no_offline_jail(snap_compare: Compare) -> None:
    """A03"""
    assert snap_compare(made(ONLINE), terminal_size=SIZE, run_before=opened(sandboxed=True))


def test_small(snap_compare: Compare) -> None:
    """A73"""
    keys = ("tab",) * 5
    assert snap_compare(made(), terminal_size=(40, 10), run_before=opened(sandboxed=True, keys=keys))
