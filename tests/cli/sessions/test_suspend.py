"""A62: no key and no signal leaves an agent stopped that nobody can let go on. Real tmux and bwrap."""

import json
import signal

import pytest

from hqt.backends.job_control import is_stopped
from tests.backends.tmux.terminal import Terminal
from tests.cli.steps import agent_pid, attach, becomes, new, press, refused, sees, shown, shows
from tests.world import World, needs_bwrap, needs_tmux

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux, needs_bwrap]

_MODES = pytest.mark.parametrize("jail", [(), ("-s",)], ids=["open", "jailed"])
_ECHO = 'while read -r x; do echo "got $x"; done'
# in a jail nobody lets it continue: tmux sees just the outer bwrap
_STOPS = f'read -r x; kill -STOP $$; echo "went on"; {_ECHO}'
_WHY = "suspended by a signal: `hqt resume 1` lets it continue"


def suspend(world: World) -> None:
    """A session in a jail whose agent has stopped itself."""
    new(world, f"echo ready; {_STOPS}", "-s")
    assert shows(world, 1, "ready")
    press(world, 1, "go", "Enter")
    assert becomes(world, 1, "waiting")


@_MODES
def test_ctrl_z_suspends_no_agent(world: World, jail: tuple[str, ...]) -> None:
    new(world, f"echo ready; {_ECHO}", *jail)
    assert shows(world, 1, "ready")
    press(world, 1, "C-z", "hello", "Enter")
    assert shows(world, 1, "got hello")
    assert shown(world, 1)["state"] == "running"


@_MODES
@pytest.mark.parametrize("order", ["-TSTP $$", "-TSTP 0", "-STOP 0"])
def test_an_agent_that_suspends_itself_as_a_shells_job_goes_on(
    world: World, jail: tuple[str, ...], order: str
) -> None:
    """A pane's group is no shell's: there SIGTSTP stops nothing, and tmux lets go on what it sees stop."""
    new(world, f'echo ready; read -r x; kill {order}; echo "went on"; {_ECHO}', *jail)
    assert shows(world, 1, "ready")
    press(world, 1, "go", "Enter")
    assert shows(world, 1, "went on")
    assert shown(world, 1)["state"] == "running"


def test_an_open_agent_that_stops_goes_on(world: World) -> None:
    new(world, f"echo ready; {_STOPS}")
    assert shows(world, 1, "ready")
    press(world, 1, "go", "Enter")
    assert shows(world, 1, "went on")


def test_one_that_stops_in_a_jail_is_said_to_wait_until_it_is_resumed(world: World) -> None:
    suspend(world)
    seen = shown(world, 1)
    assert (seen["reason"], seen["since"], seen["unseen"]) == (_WHY, None, False)
    assert world.json("list") == [seen]
    done = world.hqt("status", "1", "--explain")
    assert done.stdout == (
        f"1 proj-generic: waiting: {_WHY}\n"
        "  a signal has stopped its program; other evidence counts once it continues\n"
    )
    found = json.loads(world.hqt("status", "1", "--json").stdout)
    assert (found["state"], found["reason"], found["rule"]) == ("waiting", _WHY, None)
    assert refused(world.hqt("send", "1", "hello"), 1) == (
        "session 1 is suspended: `hqt resume 1` lets it continue"
    )
    done = world.hqt("resume", "1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 proj-generic: running\n", "")
    assert shows(world, 1, "went on")
    press(world, 1, "hello", "Enter")
    assert shows(world, 1, "got hello")


def test_who_enters_lets_it_go_on(world: World, terminal: Terminal) -> None:
    suspend(world)
    attach(terminal, "w", "attach", "1")
    assert sees(terminal, "w", "went on")
    terminal.press("w", "C-q")
    assert sees(terminal, "w", "ended 0")


def test_while_a_terminal_shows_it_it_goes_on_by_itself(world: World, terminal: Terminal) -> None:
    new(world, f"echo ready; {_STOPS}", "-s")
    attach(terminal, "w", "attach", "1")
    assert sees(terminal, "w", "ready")
    terminal.press("w", "go", "Enter")
    assert sees(terminal, "w", "went on")
    terminal.press("w", "C-q")
    assert sees(terminal, "w", "ended 0")


def test_a_suspended_agent_ends_by_the_request_alone(world: World) -> None:
    suspend(world)
    assert world.hqt("stop", "1").stdout == "1 proj-generic: stopped (TERM)\n"
    assert shown(world, 1)["exit"] == {"code": None, "signal": signal.SIGTERM}


def test_what_a_shell_inside_has_suspended_is_the_shells(world: World) -> None:
    """There `fg` is at hand."""
    world.json("new", "--harness", "generic", "-s", "--", "bash", "--norc", "-i")
    assert shows(world, 1, "bash")
    press(world, 1, """sh -c "echo be''gun; exec cat\"""", "Enter")
    assert shows(world, 1, "begun")
    press(world, 1, "C-z")
    assert shows(world, 1, "Stopped")
    assert shown(world, 1)["state"] == "running"
    assert not is_stopped(agent_pid(world, 1))
