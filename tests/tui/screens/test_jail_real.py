"""A change of mind on the screen, over a real session: the next start is in that jail."""

import pytest

from hqt.tui.app import HqtApp
from hqt.tui.link.services import Services
from hqt.tui.main.screen import SessionsScreen
from hqt.tui.screens.confirm import ConfirmScreen
from hqt.tui.screens.jail import JailScreen
from tests.cli.steps import becomes, new, shown, shows
from tests.tui.stand import until
from tests.world import World, needs_bwrap, needs_tmux

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux, needs_bwrap]


async def test_a_jail_is_given_and_taken_away(world: World, services: Services) -> None:
    new(world, 'echo "jailed ${HQT_SANDBOX:-no}"; exec cat')
    assert shows(world, 1, "jailed no")
    assert world.hqt("stop", "1").returncode == 0
    app = HqtApp(services, SessionsScreen)
    async with app.run_test(size=(110, 30)) as pilot:
        screen = app.screen
        assert isinstance(screen, SessionsScreen)
        await until(pilot, lambda: screen._chosen() is not None)
        await pilot.press("J")
        await until(pilot, lambda: isinstance(app.screen, JailScreen))
        await pilot.press("space", "enter")
        await until(pilot, lambda: isinstance(app.screen, SessionsScreen))
        assert shown(world, 1)["sandbox"] == {"fs": "rw", "net": True}
        await pilot.press("r")
        assert becomes(world, 1, "running")
        assert shows(world, 1, "jailed 1")
        assert world.hqt("stop", "1").returncode == 0
        await until(pilot, lambda: not _is_alive(screen))
        await pilot.press("J", "space", "enter")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: isinstance(app.screen, SessionsScreen))
        assert shown(world, 1)["sandbox"] is None


def _is_alive(screen: SessionsScreen) -> bool:
    chosen = screen._chosen()
    return chosen is None or chosen.is_alive
