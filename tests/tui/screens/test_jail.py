"""Another jail for a session: chosen as in the dialog, asked about where one is taken away."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from hqt.errors import JailError
from hqt.observe.views import SessionView
from hqt.sandbox import SandboxPolicy
from hqt.start.choices import Candidate, Choices
from hqt.tui.screens.confirm import ConfirmScreen
from hqt.tui.screens.jail import JailScreen
from hqt.values import replace
from tests.tui.front import Front, FrontServices
from tests.tui.scenes import VIEWS
from tests.tui.stand import seen, until

_STOPPED, _WORKING, _BROKEN = VIEWS[12], VIEWS[0], VIEWS[10]
_OPEN = replace(_STOPPED, sandbox=None)
_OFFLINE = replace(_STOPPED, sandbox=SandboxPolicy(fs="ro", net=False))


class _Services(FrontServices):
    def choices(self) -> Choices:
        claude = Candidate("claude", "Claude Code", keeps_login=True, asks=True)
        return Choices(home=_STOPPED.cwd, harnesses=(claude,))


@asynccontextmanager
async def opened(view: SessionView) -> AsyncIterator[tuple[Front, Pilot[None], _Services]]:
    """The modal over the list, as `J` opens it."""
    services = _Services(view)
    app = Front(services)
    async with app.run_test(size=(98, 30)) as pilot:
        await until(pilot, lambda: services.looks >= 2 and bool(app.table.lines))
        await pilot.press("J")
        await until(pilot, lambda: isinstance(app.screen, JailScreen))
        yield app, pilot, services


async def says(app: Front, pilot: Pilot[None], text: str) -> None:
    await until(pilot, lambda: text in "\n".join(seen(app)))


def toasts(app: Front) -> list[str]:
    return [each.message for each in app._notifications]


async def test_it_shows_how_the_jail_is_and_what_that_means() -> None:
    async with opened(_STOPPED) as (app, pilot, _):
        await says(app, pilot, f"The jail of session 13 {_STOPPED.name}")
        await says(app, pilot, "Sees this folder and its Claude Code login.")
        await says(app, pilot, "Read-write")
        await pilot.press("space")
        await until(pilot, lambda: "Read-write" not in "\n".join(seen(app)))


async def test_enter_keeps_what_was_chosen() -> None:
    async with opened(_OPEN) as (app, pilot, services):
        await pilot.press("space", "tab", "tab", "space", "enter")
        await until(
            pilot, lambda: services.hands.asked == [("jail", "13", SandboxPolicy(net=False).to_json())]
        )
        await until(pilot, lambda: not isinstance(app.screen, JailScreen))


async def test_the_files_are_chosen_from_a_list_with_an_enter_of_its_own() -> None:
    async with opened(_STOPPED) as (_, pilot, services):
        await pilot.press("tab", "space", "down", "enter")
        await pilot.pause()
        assert services.hands.asked == []
        await pilot.press("enter")
        await until(pilot, lambda: services.hands.asked == [("jail", "13", SandboxPolicy(fs="ro").to_json())])


@pytest.mark.parametrize(("answer", "asked"), [("y", [("jail", "13", "none")]), ("n", [])])
async def test_a_jail_is_not_taken_away_unasked(answer: str, asked: list[tuple[str, ...]]) -> None:
    async with opened(_OFFLINE) as (app, pilot, services):
        await pilot.press("space", "enter")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await says(app, pilot, "Remove the jail of session 13")
        assert services.hands.asked == []
        await pilot.press(answer)
        await until(pilot, lambda: isinstance(app.screen, JailScreen) is not bool(asked))
        await until(pilot, lambda: services.hands.asked == asked)


async def test_one_that_is_open_stays_so_without_a_question() -> None:
    async with opened(_OPEN) as (_, pilot, services):
        await pilot.press("enter")
        await until(pilot, lambda: services.hands.asked == [("jail", "13", "none")])


async def test_a_refusal_stays_under_what_was_chosen() -> None:
    async with opened(_OPEN) as (app, pilot, services):
        services.hands.refusal = JailError("a jail can't be made here: [install] it")
        await pilot.press("space", "enter")
        await says(app, pilot, "a jail can't be made here: [install] it")
        await says(app, pilot, "Read-write")
        services.hands.refusal = None
        await pilot.press("enter")
        await until(pilot, lambda: not isinstance(app.screen, JailScreen))


async def test_esc_leaves_it_as_it_is() -> None:
    async with opened(_OFFLINE) as (app, pilot, services):
        await pilot.press("space", "escape")
        await until(pilot, lambda: not isinstance(app.screen, JailScreen))
        assert services.hands.asked == []


async def test_a_policy_that_cannot_be_read_is_told_and_can_be_replaced() -> None:
    async with opened(_BROKEN) as (app, pilot, services):
        await says(app, pilot, "its policy can't be read")
        await pilot.press("enter")
        await until(pilot, lambda: services.hands.asked == [("jail", "11", SandboxPolicy().to_json())])


async def test_one_that_is_alive_is_to_be_stopped_first() -> None:
    services = _Services(_WORKING)
    app = Front(services)
    async with app.run_test(size=(98, 30)) as pilot:
        await until(pilot, lambda: bool(app.table.lines))
        await pilot.press("J")
        told = "session 1 is alive: stop it with s, then change its jail with J"
        await until(pilot, lambda: toasts(app) == [told])
        assert not isinstance(app.screen, JailScreen)


async def test_a_copy_is_made_and_chosen() -> None:
    services = _Services(_WORKING, _STOPPED)
    app = Front(services)
    async with app.run_test(size=(98, 30)) as pilot:
        await until(pilot, lambda: bool(app.table.lines))
        await pilot.press("end")
        chosen = app.chosen
        await pilot.press("f")
        await until(pilot, lambda: services.hands.asked == [("fork", str(chosen))])
        await until(pilot, lambda: toasts(app) == ["a [note]"])
        services.hands.refusal = JailError("it can't be [copied]")
        await pilot.press("f")
        await until(pilot, lambda: toasts(app)[-1] == "it can't be [copied]")
