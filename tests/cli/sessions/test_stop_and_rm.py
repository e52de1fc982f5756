"""`hqt stop` and `hqt rm`: the agent is asked, then ended; nothing of it is left."""

import os
import subprocess
import time

import pytest

from hqt.db import reader
from tests.backends.tmux.terminal import Terminal
from tests.cli.steps import (
    NOTHING,
    agent_pid,
    attach,
    becomes,
    command,
    key,
    new,
    panes,
    refused,
    sees,
    shown,
    traces,
)
from tests.world import World, needs_bwrap, needs_tmux, processes, wait_until

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]
_JAILS = [[], pytest.param(["-s"], marks=needs_bwrap)]
_HANDLER = "trap 'echo bye > bye; exit 4' TERM; : > ready; while :; do sleep 0.05; done"


def _ready(world: World) -> bool:
    return wait_until((world.project / "ready").exists)


@pytest.mark.parametrize("jail", _JAILS)
def test_an_agents_own_handler_runs(world: World, jail: list[str]) -> None:
    new(world, _HANDLER, *jail)
    assert _ready(world)
    done = world.hqt("stop", "1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 proj-generic: stopped (4)\n", "")
    assert (world.project / "bye").read_text() == "bye\n"
    assert shown(world, 1)["exit"] == {"code": 4, "signal": None}
    assert panes(world) == []


@pytest.mark.parametrize("jail", _JAILS)
def test_one_that_ignores_the_request_is_killed_after_5_s(world: World, jail: list[str]) -> None:
    new(world, "trap '' TERM HUP; : > ready; while :; do sleep 0.05; done", *jail)
    assert _ready(world)
    begun = time.monotonic()
    assert world.hqt("stop", "1").stdout == "1 proj-generic: stopped (KILL)\n"
    assert time.monotonic() - begun >= 5
    assert panes(world) == []


@pytest.mark.parametrize("jail", _JAILS)
def test_children_that_left_the_session_end_too(world: World, jail: list[str]) -> None:
    """A61: MCP and dev servers piled up."""
    new(world, "setsid sleep 999 & nohup sleep 998 >/dev/null 2>&1 & : > ready; exec sleep 997", *jail)
    assert _ready(world)

    def sleeping() -> set[str]:
        return {line.split()[-1] for line in processes(world.root).values() if "sleep 99" in line}

    if not jail:
        assert wait_until(lambda: sleeping() == {"997", "998", "999"})
    world.hqt("stop", "1")
    assert sleeping() == set()


@needs_bwrap
def test_what_ended_already_is_no_error(world: World) -> None:
    new(world, "read -r x; exit 3")
    new(world, "exec cat", "-s")
    world.hqt("stop", "2")
    os.kill(agent_pid(world, 1), 9)
    assert becomes(world, 1, "exited")
    done = world.hqt("stop", "1", "2", "2", "proj-generic-2")
    said = "1 proj-generic: exited (KILL)\n2 proj-generic-2: stopped (TERM)\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")


def test_stopping_one_leaves_those_whose_name_begins_alike(world: World) -> None:
    """A37: a prefix of a name is enough for tmux."""
    for name in ("bill", "billing", "bill-2"):
        new(world, "exec cat", "--name", name)
    os.kill(agent_pid(world, 1), 9)
    world.hqt("stop", "1")
    world.hqt("stop", "bill")
    assert [shown(world, session)["state"] for session in (1, 2, 3)] == ["exited", "running", "running"]


def test_an_unknown_session_among_others_stops_none(world: World) -> None:
    new(world, "exec cat")
    assert refused(world.hqt("stop", "1", "nobody"), 3).startswith("no session is called nobody")
    assert refused(world.hqt("rm", "--force", "1", "nobody"), 3).startswith("no session is called nobody")
    assert shown(world, 1)["state"] == "running"


def test_rm_without_a_terminal_refuses_what_lives(world: World) -> None:
    new(world, "exec cat")
    new(world, "exec cat")
    world.hqt("stop", "1")
    said = refused(world.hqt("rm", "1", "2"), 1)
    assert said == "session 2 is running: stop it first or use --force"
    assert traces(world)["rows"] == ["proj-generic", "proj-generic-2"]
    assert shown(world, 2)["state"] == "running"


@pytest.mark.parametrize("jail", _JAILS)
def test_rm_leaves_nothing_of_what_it_removes(world: World, jail: list[str]) -> None:
    new(world, "exec cat", *jail)
    new(world, "exec cat")
    world.hqt("stop", "2")
    done = world.hqt("rm", "--force", "1", "2", "proj-generic")
    said = "1 proj-generic: removed\n2 proj-generic-2: removed\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")
    assert wait_until(lambda: not any("hqt ended" in line for line in processes(world.root).values()))
    assert traces(world) == NOTHING
    assert (world.project / "README").exists()


@pytest.mark.parametrize(("answer", "code", "removed"), [("y", 0, True), ("n", 1, False), ("", 1, False)])
def test_rm_asks_in_a_terminal(
    world: World, terminal: Terminal, answer: str, code: int, removed: bool
) -> None:
    new(world, "exec cat")
    attach(terminal, "w", "rm", "1")
    assert sees(terminal, "w", "session 1 proj-generic is running: stop and forget it? [y/N]:")
    terminal.press("w", *([answer] if answer else []), "Enter")
    assert sees(terminal, "w", f"ended {code}")
    assert ("cancelled: nothing more was changed" in terminal.screen("w")) is not removed
    assert (traces(world)["rows"] == []) is removed
    if not removed:
        assert shown(world, 1)["state"] == "running"


def test_ids_are_never_given_again(world: World) -> None:
    new(world, "exec cat")
    world.hqt("rm", "--force", "1")
    assert new(world, "exec cat")["id"] == 2


def test_the_screen_of_a_stopped_session_is_kept(world: World) -> None:
    new(world, "echo what it said; exec cat")
    world.hqt("stop", "1")
    assert world.hqt("capture", "1").stdout == "what it said\n"
    assert "  | what it said\n" in world.hqt("show", "1").stdout
    file = world.places.session(key(world, 1)) / "screen"
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_killed_stop_is_taken_up_by_the_next(world: World) -> None:
    new(world, "trap '' TERM HUP; : > ready; while :; do sleep 0.05; done")
    assert _ready(world)
    stop = subprocess.Popen(command("stop", "1"), env=world.env)
    assert wait_until(lambda: reader.find(world.places, "1").phase == "stopped")
    stop.kill()
    stop.wait()
    assert shown(world, 1)["state"] == "running"
    assert world.hqt("resume", "1").stdout == "1 proj-generic: running\n"
    assert world.hqt("stop", "1").stdout == "1 proj-generic: stopped (KILL)\n"
