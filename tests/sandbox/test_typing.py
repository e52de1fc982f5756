"""A28: an agent types into no shell, by whatever way to a terminal it tries."""

from contextlib import closing

import pytest

from tests.backends.tmux.terminal import Terminal
from tests.cli.steps import agent_pid, attach, becomes, command, new, press, screen, shows
from tests.world import World, needs_bwrap, needs_tmux, processes

pytestmark = [pytest.mark.real, needs_bwrap, needs_tmux]

# TIOCSTI and TIOCLINUX, as they are and with bits above the 32 that the kernel compares, on each terminal
_TYPE = r"""
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.ioctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_char_p]
libc.syscall.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_ulong, ctypes.c_char_p]
number = 16 if os.uname().machine == "x86_64" else 29
places = [0, 1, 2]
for path in "/dev/tty", "/dev/console", "/dev/pts/0", "/dev/pts/1", "/proc/self/fd/0", "/dev/stdin":
    try:
        places.append(os.open(path, os.O_RDWR))
    except OSError:
        pass
typed = 0
for place in places:
    for request in 0x5412, 0x5412 | 1 << 32, 0x541C:
        for letter in b"\x03touch PWN\n":
            said = b"\2" + bytes([letter]) if request == 0x541C else bytes([letter])
            typed += libc.ioctl(place, request, said) == 0
            typed += libc.syscall(number, place, request, said) == 0
print("typed", typed, "in", len(places), flush=True)
"""


def test_a_shell_behind_a_jail_runs_nothing(world: World) -> None:
    """As a user does: a shell, in it `hqt sandbox exec`, and then the shell again."""
    (world.project / "agent.py").write_text(_TYPE)
    with closing(Terminal(world)) as terminal:
        env = {**world.env, "PS1": "$ ", "HQT": " ".join(command())}
        terminal.run("one", ["sh", "-c", f"cd {world.project}; exec sh -i"], env)
        terminal.press("one", "$HQT sandbox exec -- python3 agent.py; echo after", "Enter")
        assert terminal.shows("one", "typed 0 in ")
        assert terminal.shows("one", "\nafter")
        terminal.press("one", "echo still here > here", "Enter")
        terminal.press("one", "cat here", "Enter")
        assert terminal.shows("one", "\nstill here")
    assert not (world.project / "PWN").exists()


def test_a_session_ends_and_no_shell_follows(world: World) -> None:
    (world.project / "agent.py").write_text(_TYPE)
    new(world, "sleep 0.7; exec python3 agent.py", "-s")
    assert becomes(world, 1, "exited")
    assert "typed 0 in " in screen(world, 1)
    press(world, 1, "touch PWN", "Enter")
    assert not (world.project / "PWN").exists()


def test_the_panes_only_process_is_the_jail(world: World) -> None:
    new(world, "echo ready; exec cat", "-s")
    assert shows(world, 1, "ready")
    assert processes(world.root)[agent_pid(world, 1)].split()[0].endswith("/bwrap")


def test_whoever_attached_is_typed_to_neither(world: World) -> None:
    """The terminal of the user is another than the pane's."""
    (world.project / "agent.py").write_text(_TYPE)
    new(world, "while [ ! -e go ]; do sleep 0.05; done; exec python3 agent.py", "-s")
    with closing(Terminal(world)) as terminal:
        attach(terminal, "one", "attach", "1")
        (world.project / "go").touch()
        assert becomes(world, 1, "exited")
        assert terminal.shows("one", "typed 0 in ")
    assert not list(world.home.rglob("PWN"))
