"""The preview of real sessions in real tmux and real jails."""

import pytest

from hqt.observe.views import SessionView
from hqt.tui.link.services import Services
from hqt.tui.widgets.preview import Preview
from tests.cli.steps import becomes, new, press, shows, tmux
from tests.tui.stand import seen, stand, until
from tests.world import World, needs_bwrap, needs_tmux

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]


def view(services: Services) -> SessionView:
    return services.looker.all()[0]


async def test_a_live_screen_is_followed_cropped_and_never_resized(world: World, services: Services) -> None:
    new(world, "printf '\\033[31mready\\033[0m\\n'; while read -r x; do echo \"got $x\"; done")
    assert shows(world, 1, "ready")
    size = ("list-panes", "-a", "-F", "#{window_width}x#{window_height}")
    before = tmux(world, *size).stdout
    app = stand(services, preview := Preview())
    async with app.run_test(size=(30, 8)) as pilot:
        preview.view = view(services)
        await until(pilot, lambda: "ready" in seen(app))
        press(world, 1, "hello", "Enter")
        await until(pilot, lambda: "got hello" in seen(app))
        assert tmux(world, *size).stdout == before


async def test_the_last_screen_of_one_that_ended_is_shown(world: World, services: Services) -> None:
    new(world, "echo bye; read -r x; exit 3")
    press(world, 1, "Enter")
    assert becomes(world, 1, "exited")
    world.hqt("stop", "1")
    app = stand(services, preview := Preview())
    async with app.run_test(size=(30, 8)) as pilot:
        preview.view = view(services)
        await until(pilot, lambda: "bye" in seen(app))
        assert seen(app)[0].startswith(" exited (3) ")


@needs_bwrap
@pytest.mark.parametrize("jail", [(), ("-s",), ("-s", "--fs", "ro", "--no-net")], ids=["open", "rw", "ro"])
async def test_the_jail_is_told_as_the_shell_tells_it(
    world: World, services: Services, jail: tuple[str, ...]
) -> None:
    new(world, "exec cat", *jail)
    told = world.hqt("sandbox", "explain", "1", cwd=world.home).stdout
    app = stand(services, preview := Preview())
    async with app.run_test(size=(70, 200)) as pilot:
        preview.view = view(services)
        preview.turn()
        await until(pilot, lambda: seen(app)[1].startswith("session proj-generic"))
        assert " ".join(seen(app)[1:]).split() == told.split()
