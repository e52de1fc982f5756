"""However hqt ends, the terminal is as it was: in a terminal, an outer tmux on a socket of its own."""

import os
import signal
import sys
from collections.abc import Iterator

import pytest

from tests.backends.tmux.terminal import Terminal
from tests.cli.steps import NOTHING, becomes, command, new, traces
from tests.world import World, needs_tmux, processes, wait_until

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]
_FAILING = """
from hqt.tui import run
from hqt.tui.main.screen import SessionsScreen

def fail(self):
    typed = "what a person typed"
    raise RuntimeError("as a bug does")

SessionsScreen.action_help = fail
raise SystemExit(run.run_screen(debug=False))
"""
_WITHIN_S = 15


@pytest.fixture
def terminal(world: World) -> Iterator[Terminal]:
    made = Terminal(world)
    yield made
    made.close()


def opened(terminal: Terminal, argv: list[str] | None = None, **env: str) -> None:
    """hqt's screen in a terminal."""
    terminal.run("w", argv or command(), {**terminal.world.env, **env})
    assert sees(terminal, "? keys"), terminal.screen("w")


def sees(terminal: Terminal, text: str) -> bool:
    return wait_until(lambda: text in terminal.screen("w"), within_s=_WITHIN_S)


def modes(terminal: Terminal) -> str:
    """Whether it is in the alternate screen, reports the mouse, shows the cursor and echoes."""
    flags = "#{alternate_on} #{mouse_any_flag} #{cursor_flag}"
    return terminal.tmux("display-message", "-p", "-t", "=w:", flags)


def hqt_itself(world: World) -> int:
    """The pid of the screen's process."""
    mine = " ".join(command())
    (pid,) = [pid for pid, words in processes(world.root).items() if words.rstrip() == mine]
    return pid


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT])
def test_a_signal_gives_the_terminal_back(world: World, terminal: Terminal, number: signal.Signals) -> None:
    """A68."""
    opened(terminal)
    assert modes(terminal) == "1 1 0"
    os.kill(hqt_itself(world), number)
    assert sees(terminal, f"ended {128 + number}")
    assert modes(terminal) == "0 0 1"
    assert f"ended by {number.name}" in world.places.log.read_text()
    said = terminal.screen("w").replace("\n", "")
    assert f"hqt: ended by {number.name}; the agents go on, and {world.places.log} tells more" in said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_so_it_does_while_the_terminal_is_lent_to_a_session(
    world: World, terminal: Terminal, number: signal.Signals
) -> None:
    new(world, "echo ready; exec cat")
    opened(terminal)
    terminal.press("w", "Enter")
    assert wait_until(lambda: modes(terminal).endswith("1"), within_s=_WITHIN_S)  # the agent's own cursor
    assert sees(terminal, "ready")
    os.kill(hqt_itself(world), number)
    assert sees(terminal, f"ended {128 + number}")
    assert modes(terminal) == "0 0 1"
    assert becomes(world, 1, "running")


def test_what_waits_to_be_deleted_is_kept_when_hqt_is_killed(world: World, terminal: Terminal) -> None:
    new(world, "exec cat")
    opened(terminal)
    for key in ("d", "y"):
        terminal.press("w", key)
        assert sees(terminal, "Delete session" if key == "d" else "u to undo")
    os.kill(hqt_itself(world), signal.SIGTERM)
    assert sees(terminal, "ended 143")
    assert [found["state"] for found in world.json("list")] == ["running"]


def test_a_crash_is_one_sentence_and_the_log_tells_the_rest(world: World, terminal: Terminal) -> None:
    opened(terminal, [sys.executable, "-P", "-c", _FAILING])
    terminal.press("w", "?")
    assert sees(terminal, "ended 1")
    said = terminal.screen("w").replace("\n", "")
    assert f"hqt: this is a bug in hqt, the screen crashed: {world.places.log} tells how" in said
    assert "Traceback" not in said
    assert modes(terminal) == "0 0 1"
    told = world.places.log.read_text()
    assert "RuntimeError: as a bug does" in told
    assert "what a person typed" not in told


def test_q_leaves_nothing_behind(world: World, terminal: Terminal) -> None:
    opened(terminal)
    terminal.press("w", "q")
    assert sees(terminal, "ended 0")
    assert modes(terminal) == "0 0 1"
    assert traces(world) == NOTHING
    assert not [words for words in processes(world.root).values() if "-C" in words.split()]


def test_a_terminal_that_can_show_nothing_is_told_what_can_be_done(world: World, terminal: Terminal) -> None:
    """A71."""
    terminal.run("w", command(), {**world.env, "TERM": "dumb"})
    assert sees(terminal, "ended 1")
    said = "this terminal (TERM=dumb) can't show the screen: `hqt list` shows the sessions"
    assert said in terminal.screen("w").replace("\n", "")


@pytest.mark.parametrize("term", ["linux", "xterm", "screen-256color", "vt100"])
def test_other_terminals_can(world: World, terminal: Terminal, term: str) -> None:
    """A71."""
    new(world, "exec cat")
    opened(terminal, TERM=term, COLORTERM="", NO_COLOR="1")
    assert sees(terminal, "› ▸ running proj-generic")
    terminal.press("w", "q")
    assert sees(terminal, "ended 0")
