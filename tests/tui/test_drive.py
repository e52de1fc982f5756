"""The whole program in a terminal: an outer tmux on a socket of its own, real sessions, real jails."""

import os
import signal
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from hqt.backends.tmux.commands import chain
from hqt.db.columns import stamp
from hqt.db.engine import open_database
from hqt.sessions import store
from tests.backends.tmux.terminal import Terminal
from tests.cli.steps import attach, becomes, command, key, new, sees, shown, tmux
from tests.world import World, needs_bwrap, needs_tmux, processes, wait_until

pytestmark = [pytest.mark.real, needs_tmux]

# it tells its size at each change, and answers; what hqt asks of claude before a start, it knows
AGENT = r"""
case " $* " in
*" --version "*) exec echo "2.1.197 (Claude Code)";;
*" --help "*) exec echo "--session-id --resume --settings --dangerously-skip-permissions";;
esac
echo "jailed ${HQT_SANDBOX:-no}"
trap 'echo "size $(stty size)"' WINCH
echo "size $(stty size)"
while :; do
    read -r x || continue
    [ "$x" = leave ] && echo farewell && exit 3
    echo "got $x"
done
"""
_ECHO = 'echo ready; while read -r x; do echo "got $x"; done'
_IN_PROJECT = """cd "$1"; shift; was=$(stty -g); "$@"; code=$?
[ "$was" = "$(stty -g)" ] && echo as before; exit $code"""
_FLAGS = "#{alternate_on} #{mouse_any_flag} #{mouse_sgr_flag} #{keypad_flag} #{cursor_flag}"


@pytest.fixture
def terminal(world: World) -> Iterator[Terminal]:
    made = Terminal(world)
    yield made
    made.close()


def opened(terminal: Terminal, size: tuple[int, int] = (100, 30), **env: str) -> None:
    """hqt's screen in a terminal, started in the project."""
    world = terminal.world
    argv = ["sh", "-c", _IN_PROJECT, "sh", str(world.project), *command()]
    terminal.run("w", argv, {**world.env, **env}, size)
    assert sees(terminal, "w", "? keys")


def pressed(terminal: Terminal, keys: str, text: str) -> None:
    """Press them, and see that text."""
    terminal.press("w", *keys.split())
    assert sees(terminal, "w", text), terminal.screen("w")


def chosen(terminal: Terminal) -> str:
    """The row of the list that has the cursor."""
    return next((line for line in terminal.screen("w").splitlines() if line.startswith("›")), "")


def flags(terminal: Terminal) -> str:
    return terminal.tmux("display-message", "-p", "-t", "=w:", _FLAGS)


def is_as_a_shell_wants_it(terminal: Terminal) -> bool:
    return flags(terminal) == "0 0 0 0 1" and "as before" in terminal.screen("w")


def screens_pid(world: World) -> int:
    """The process of hqt's screen."""
    whole = " ".join(command())
    (pid,) = (pid for pid, line in processes(world.root).items() if line.rstrip() == whole)
    return pid


@needs_bwrap
def test_a_jailed_agent_from_its_start_to_its_end(world: World, terminal: Terminal) -> None:
    """A33 and A44 on the way: the agent is drawn for this terminal from the start, and follows it."""
    world.tool("claude", AGENT)
    opened(terminal)
    pressed(terminal, "N", "Sandboxed")
    pressed(terminal, "Enter", "size 29 100")  # one row is the status line's
    assert shown(world, 1)["sandbox"] == {"fs": "rw", "net": True}
    pressed(terminal, "hello Enter", "got hello")
    terminal.resize("w", 120, 20)
    assert sees(terminal, "w", "size 19 120")

    pressed(terminal, "C-q", "? keys")
    assert sees(terminal, "w", "got hello"), "the preview shows it"
    terminal.resize("w", 90, 24)
    assert sees(terminal, "w", "? keys")
    pressed(terminal, "Enter", "size 23 90")

    pressed(terminal, "leave Enter", "enter returns")  # while attached: back, with its last lines
    assert "exited (3)" in terminal.screen("w")
    assert "farewell" in terminal.screen("w")
    assert shown(world, 1)["exit"] == {"code": 3, "signal": None}
    pressed(terminal, "Enter", "? keys")
    terminal.press("w", "r")
    assert becomes(world, 1, "running")
    terminal.press("w", "s")
    assert becomes(world, 1, "stopped")
    assert sees(terminal, "w", "stopped")
    pressed(terminal, "Enter", "size 23 90")  # resumed first
    pressed(terminal, "C-q", "? keys")

    pressed(terminal, "q", "ended 0")
    assert is_as_a_shell_wants_it(terminal)
    assert shown(world, 1)["state"] == "running"


@pytest.mark.parametrize(
    ("where", "number"),
    [
        ("list", signal.SIGTERM),
        ("list", signal.SIGHUP),
        ("list", signal.SIGQUIT),
        ("session", signal.SIGTERM),
        ("session", signal.SIGHUP),
    ],
)
def test_a_signal_gives_the_terminal_back(
    world: World, terminal: Terminal, where: str, number: signal.Signals
) -> None:
    """A68: Textual alone leaves it in the alternate screen, with reports of the mouse."""
    new(world, _ECHO)
    opened(terminal)
    if where == "session":
        pressed(terminal, "Enter", "ctrl-q back")
    os.kill(screens_pid(world), number)
    assert sees(terminal, "w", f"ended {128 + number}")
    assert is_as_a_shell_wants_it(terminal)
    assert shown(world, 1)["state"] == "running"


def test_after_a_kill_reset_gives_the_terminal_back(world: World, terminal: Terminal) -> None:
    """A68: nothing can be done by a process that is killed; the README names `reset`."""
    opened(terminal)
    assert flags(terminal) != "0 0 0 0 1"
    os.kill(pid := screens_pid(world), signal.SIGKILL)
    assert wait_until(lambda: pid not in processes(world.root))
    terminal.tmux("respawn-pane", "-k", "-t", "=w:", "reset; echo restored; exec cat")
    assert sees(terminal, "w", "restored")
    assert flags(terminal) == "0 0 0 0 1"


def test_inside_another_tmux_a_session_is_entered_and_left(world: World, terminal: Terminal) -> None:
    """A45: TMUX names a server that is not hqt's."""
    new(world, _ECHO)
    opened(terminal, TMUX=f"{world.root / 'outer'},1,0", TMUX_PANE="%0")
    pressed(terminal, "Enter", "ctrl-q back")
    pressed(terminal, "hello Enter", "got hello")
    pressed(terminal, "C-q", "? keys")
    pressed(terminal, "q", "ended 0")
    assert is_as_a_shell_wants_it(terminal)


def test_inside_hqts_own_tmux_the_terminal_switches_and_the_screen_survives(
    world: World, terminal: Terminal
) -> None:
    """A45: hqt in a split beside an agent."""
    new(world, _ECHO)
    new(world, "echo the second; exec cat")
    attach(terminal, "w", "attach", "1")
    assert sees(terminal, "w", "ready")
    words = [f"{name}={value}" for name, value in world.env.items() if name != "TERM"]
    tmux(world, *chain(("split-window", "-t", f"=hqt-{key(world, 1)}:", "--", "env", *words, *command())))
    assert sees(terminal, "w", "? keys")
    assert sees(terminal, "w", "proj-generic-2")
    pressed(terminal, "End Enter", "the second")
    assert screens_pid(world)
    pressed(terminal, "C-q", "ended 0")
    assert [shown(world, session)["state"] for session in (1, 2)] == ["running", "running"]


def test_a_hundred_sessions_are_moved_through_filtered_and_entered(world: World, terminal: Terminal) -> None:
    """A70: keys are all obeyed, in their order, however many come at once."""
    new(world, _ECHO, "--name", "alive one")
    _ended(world, 99)
    opened(terminal, (120, 30))
    assert sees(terminal, "w", "old-")
    terminal.press("w", "End", *["Up"] * 99)
    assert wait_until(lambda: "alive one" in chosen(terminal), within_s=15)
    terminal.press("w", *["Down"] * 30, *["Up"] * 29)
    assert wait_until(lambda: "old-" in chosen(terminal), within_s=15)
    terminal.press("w", "Up", "/", *"alive")
    assert sees(terminal, "w", "1 of 100 match")
    terminal.press("w", "Escape")
    assert wait_until(lambda: "100 match" not in terminal.screen("w"))
    pressed(terminal, "Enter", "ctrl-q back")
    assert "ready" in terminal.screen("w")
    pressed(terminal, "C-q", "? keys")
    pressed(terminal, "q", "ended 0")
    assert is_as_a_shell_wants_it(terminal)


def _ended(world: World, count: int) -> None:
    """Rows of sessions that ended long ago."""
    database = open_database(world.places)
    moment = stamp(datetime.now(UTC))
    for number in range(count):
        draft = store.Draft(
            key=f"{number:08x}",
            name=f"old-{number}",
            given=world.project,
            project=world.project,
            harness="generic",
            args=("cat",),
            env_names=(),
            conversation=None,
            sandbox_json=None,
            note=None,
        )
        store.add(database, draft)
        ended = {"phase": "stopped", "started_at": moment, "ended_at": moment, "exit_code": 0}
        store.change(database, draft.key, ended)
    database.close()
