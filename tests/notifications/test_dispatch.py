"""Notices on their ways, whatever became of what they depend on."""

import logging

import pytest

from hqt.config.notify import Notify
from hqt.notifications.dispatch import Dispatcher
from hqt.notifications.transitions import Notice
from hqt.sandbox import SandboxPolicy
from hqt.start.caller import Caller
from tests.tui.sample import view
from tests.world import World

WAITING = view(1, state="waiting", sandbox=None)
NOTICE = Notice(WAITING, "working", "waiting")


@pytest.fixture
def complaints(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> pytest.LogCaptureFixture:
    monkeypatch.setattr(logging.getLogger("hqt"), "propagate", True)
    return caplog


def giver(world: World, *command: str) -> Dispatcher:
    world.places.config.mkdir(parents=True, exist_ok=True)
    words = ", ".join(f'"{word}"' for word in command)
    world.places.config_file.write_text(f"[notify]\ndesktop = false\ncommand = [{words}]\n")
    return Dispatcher(world.places, Caller(world.env, 0, 0o022), Notify())


def test_a_database_that_cannot_be_read_holds_up_no_notice(world: World) -> None:
    world.places.data.mkdir(parents=True, mode=0o700)
    world.places.database.write_text("no database")
    world.tool("tell", f"cat >>'{world.home}/told'")
    given = giver(world, "tell")
    given.give(NOTICE, [WAITING])
    given.finish(10)
    assert (world.home / "told").exists()


@pytest.mark.parametrize(
    "jail",
    [{"sandbox": SandboxPolicy()}, {"sandbox": None, "invalid": "the stored policy can't be read"}],
    ids=["jailed", "invalid"],
)
def test_a_program_in_the_project_of_any_jail_is_not_run(
    world: World, jail: dict[str, object], complaints: pytest.LogCaptureFixture
) -> None:
    program = world.project / "tell"
    program.write_text(f"#!/bin/sh\ntouch '{world.home}/told'\n")
    program.chmod(0o755)
    given = giver(world, str(program))
    given.give(NOTICE, [WAITING, view(2, project=world.project, **jail)])
    given.finish(10)
    assert not (world.home / "told").exists()
    assert complaints.messages == [
        f"notify.command: {program} lies in {world.project}, the project of a jail"
    ]


@pytest.mark.parametrize("name", ["~nobody-of-that-name/tell", f"{'a/' * 3000}tell"], ids=["user", "long"])
def test_a_name_that_leads_nowhere_is_told_and_costs_nothing_else(
    world: World, name: str, complaints: pytest.LogCaptureFixture
) -> None:
    given = giver(world, name)
    given.give(NOTICE, [WAITING])
    given.finish(10)
    assert complaints.messages == [f"notify.command: {name} is no program that can be run"]
