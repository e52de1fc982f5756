"""What an agent does is said the same by every command, with the evidence for it."""

import json
from typing import Any

import pytest

from tests.cli.robot import begin, declare
from tests.cli.steps import press
from tests.world import World, needs_tmux, wait_until

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]


@pytest.fixture
def robot(world: World) -> World:
    """A world with one session whose screen shows what it is sent."""
    declare(world)
    begin(world, "bot")
    return world


def show(world: World, word: str) -> None:
    press(world, "bot", word, "Enter")
    # not its history, into which tmux moves what was cleared
    assert wait_until(lambda: world.hqt("capture", "bot").stdout.startswith(word), within_s=20)


def state(world: World) -> tuple[str, bool]:
    (found,) = world.json("list")
    return found["state"], found["unseen"]


def status(world: World) -> Any:  # noqa: ANN401 - JSON
    return json.loads(world.hqt("status", "bot", "--json").stdout)


def test_a_fresh_command_says_what_the_screen_says(robot: World) -> None:
    found = []
    for word in ("busy", "ask", "busy", "ready"):
        show(robot, word)
        found.append(state(robot))
    assert found == [("working", False), ("waiting", False), ("working", False), ("idle", True)]


def test_list_show_and_status_agree(robot: World) -> None:
    show(robot, "ask me")
    (listed,) = robot.json("list")
    shown, told = robot.json("show", "bot"), status(robot)
    assert shown == listed
    assert (listed["state"], listed["reason"]) == ("waiting", "ask me")
    assert {name: told[name] for name in ("id", "state", "since", "unseen", "reason")} == {
        name: listed[name] for name in ("id", "state", "since", "unseen", "reason")
    }


def test_status_explains_which_evidence_won(robot: World) -> None:
    show(robot, "ask me")
    told = robot.hqt("status", "bot", "--explain")
    first, sign, believed, printed = told.stdout.splitlines()
    assert first.startswith("1 bot: waiting since ")
    assert first.endswith(": ask me")
    assert sign == "  its screen says waiting now: ask me (pattern: ^ask)"
    assert believed.startswith("  believed: waiting, shown by its screen now, since ")
    assert printed.startswith("  it last printed at ")


def test_an_agent_that_ended_is_judged_by_tmux_alone(robot: World) -> None:
    show(robot, "ask")
    assert robot.hqt("stop", "bot").returncode == 0
    assert {name: status(robot)[name] for name in ("state", "reason", "evidence", "rule")} == {
        "state": "stopped",
        "reason": None,
        "evidence": [],
        "rule": None,
    }


def test_a_command_without_rules_is_never_given_a_made_up_state(world: World) -> None:
    for number, command in enumerate(
        (("cat",), ("sh", "-c", "echo esc to interrupt; exec cat"), ("top",)), 1
    ):
        assert world.hqt("new", "--harness", "generic", "--", *command).returncode == 0
        assert world.hqt("status", str(number), "--explain").stdout.splitlines()[1:2] == [
            "  nothing says what it does; tmux says that its program runs"
        ]
    assert [view["state"] for view in world.json("list")] == ["running"] * 3
