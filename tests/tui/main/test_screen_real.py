"""The main screen over real sessions: the screen and the shell are two faces of the same."""

import subprocess
import sys

import pytest
from textual.pilot import Pilot

from hqt.tui.app import HqtApp
from hqt.tui.link.services import Services
from hqt.tui.main.screen import SessionsScreen
from hqt.tui.screens.ended import EndedScreen
from hqt.tui.widgets.session_table import SessionTable
from tests.cli.steps import NOTHING, becomes, new, screen, traces
from tests.tui.stand import until
from tests.world import World, needs_tmux

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]
_SIZE = (110, 30)


def rows(app: HqtApp) -> str:
    table = app.screen_stack[0].query_one(SessionTable)
    return "\n".join(line.text.rstrip() for line in table.lines)


async def shows(app: HqtApp, pilot: Pilot[None], text: str) -> None:
    await until(pilot, lambda: text in rows(app))


async def test_what_the_shell_changes_the_screen_shows(world: World, services: Services) -> None:
    app = HqtApp(services, SessionsScreen)
    async with app.run_test(size=_SIZE) as pilot:
        await shows(app, pilot, "No sessions yet.")
        new(world, "exec cat")
        await shows(app, pilot, "▸ running proj-generic")
        assert world.hqt("rename", "1", "other [/]").returncode == 0
        await shows(app, pilot, "▸ running other [/]")
        assert world.hqt("stop", "1").returncode == 0
        await shows(app, pilot, "▪ stopped (TERM) other [/]")
        assert world.hqt("rm", "1").returncode == 0
        await shows(app, pilot, "No sessions yet.")


async def test_what_the_screen_changes_the_shell_shows(world: World, services: Services) -> None:
    new(world, "exec cat")
    app = HqtApp(services, SessionsScreen)
    async with app.run_test(size=_SIZE) as pilot:
        await shows(app, pilot, "▸ running proj-generic")
        await pilot.press("s")
        await shows(app, pilot, "▪ stopped")
        assert becomes(world, 1, "stopped")
        await pilot.press("r")
        await shows(app, pilot, "▸ running")
        assert becomes(world, 1, "running")
        await pilot.press("e", "ctrl+u", *"other", "enter")
        await shows(app, pilot, "running other")
        assert world.json("list")[0]["name"] == "other"
        await pilot.press("M")
        await shows(app, pilot, "running other muted")
        assert world.json("list")[0]["muted"] is True
        await pilot.press("d", "y")
        await shows(app, pilot, "u to undo")
        assert becomes(world, 1, "running")
        await pilot.press("q")
        await until(pilot, lambda: app._exit)
    assert traces(world) == NOTHING


async def test_what_is_answered_in_the_list_is_typed_once(world: World, services: Services) -> None:
    new(world, "read -r first; echo got $first; exec cat")
    app = HqtApp(services, SessionsScreen)
    async with app.run_test(size=_SIZE) as pilot:
        await shows(app, pilot, "▸ running proj-generic")
        await pilot.press("a", *"hello you", "enter")
        await until(pilot, lambda: screen(world, 1) == "hello you\ngot hello you\n")


async def test_a_resume_that_ends_at_once_shows_why(world: World, services: Services) -> None:
    new(world, "[ -e once ] && { echo broken; exit 4; }; : > once; exec cat")
    world.hqt("stop", "1")
    app = HqtApp(services, SessionsScreen)
    async with app.run_test(size=_SIZE) as pilot:
        await shows(app, pilot, "▪ stopped")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, EndedScreen))
        await shows(app, pilot, "✗ exited (4) proj-generic")


async def test_the_branch_of_a_project_is_shown_and_follows(world: World, services: Services) -> None:
    new(world, "exec cat")
    app = HqtApp(services, SessionsScreen)
    async with app.run_test(size=_SIZE) as pilot:
        await shows(app, pilot, " main ")
        subprocess.run(["git", "switch", "-q", "-c", "topic"], cwd=world.project, env=world.env, check=True)
        await shows(app, pilot, " topic ")


_FIRST_LIST = """
import asyncio, sys
from hqt.tui.app import HqtApp
from hqt.tui.link.services import Services
from hqt.tui.main.screen import SessionsScreen
from hqt.tui.widgets.session_table import SessionTable
from hqt.notifications.bell import Bell
from hqt.start.caller import Caller
from hqt.wiring import here, open_service, tmux_backend

async def main():
    opened = asyncio.Event()
    loop = asyncio.get_running_loop()

    def opening(tell):
        table = app.screen_stack[0].query_one(SessionTable)
        print("sqlalchemy" in sys.modules, len(table.lines))
        found = open_service(tell)
        loop.call_soon_threadsafe(opened.set)
        return found

    found, caller = here(), Caller.current()
    services = Services(found, caller, tmux_backend(found, caller), opening, Bell(found))
    app = HqtApp(services, SessionsScreen)
    async with app.run_test():
        await asyncio.wait_for(opened.wait(), 30)
    print("sqlalchemy" in sys.modules)

asyncio.run(main())
"""


def test_the_first_list_is_there_before_the_orm_is_imported(world: World) -> None:
    new(world, "exec cat")
    done = subprocess.run(
        [sys.executable, "-P", "-c", _FIRST_LIST], env=world.env, capture_output=True, text=True, check=False
    )
    assert (done.stderr, done.stdout.splitlines()) == ("", ["False 2", "True"])
