"""Attaching, in a terminal that is an outer tmux on a socket of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from hqt.backends.base import Size
from hqt.backends.tmux.backend import TmuxBackend
from hqt.backends.tmux.settings import TmuxSettings
from hqt.values import replace
from tests.backends.requests import KEY, sh
from tests.backends.tmux.server import tmux
from tests.backends.tmux.terminal import Terminal
from tests.world import World, needs_tmux, wait_until

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]

OTHER = "0000000b"
# shows each byte that it reads, as a program in raw mode
ECHO = "stty raw -echo; printf 'agent %s up\\r\\n' \"$1\"; exec od -An -c -v -w1"


def agents(backend: TmuxBackend, world: World) -> None:
    for key in (KEY, OTHER):
        backend.spawn(sh(world, ECHO, key, key=key, size=Size(90, 25)))


def attended(
    backend: TmuxBackend, settings: TmuxSettings, world: World
) -> tuple[list[str], Mapping[str, str]]:
    """A program that enters the first agent and says how it came home."""
    attach = backend.attach_command(KEY, world.env)
    script = (
        "from pathlib import Path;"
        "from hqt.backends.base import Attach;"
        "from hqt.backends.tmux.backend import TmuxBackend;"
        "from hqt.backends.tmux.settings import TmuxSettings;"
        f"backend = TmuxBackend(TmuxSettings(Path('tmux'), Path({str(settings.socket)!r}),"
        f"Path({str(settings.runtime)!r}), {dict(settings.server_env)!r}, Path('/l'), Path('/p')));"
        f"home = backend.attend(Attach({list(attach.argv)!r}, {dict(attach.env)!r}), lambda: None);"
        "print('home', home.last, home.code, home.said)"
    )
    return [sys.executable, "-c", script], attach.env


def ended(terminal: Terminal, window: str) -> bool:
    return terminal.shows(window, "ended 0")


def test_the_detach_key_returns_from_each_session_and_no_other_key_does(
    backend: TmuxBackend, world: World, terminal: Terminal
) -> None:
    agents(backend, world)
    for key in (KEY, OTHER):
        terminal.attach(key, backend.attach_command(key, world.env))
        assert terminal.shows(key, f"agent {key} up")
    for key in (KEY, OTHER):
        terminal.press(key, "C-b", "d", "C-a")
        assert terminal.shows(key, "001")
        terminal.press(key, "C-q")
        assert ended(terminal, key)
    for key in (KEY, OTHER):
        assert "021" not in backend.capture(key, lines=None, ansi=False)
        assert [row.strip() for row in backend.capture(key, lines=3, ansi=False)] == ["002", "d", "001"]


def test_the_detach_key_works_while_scrolling(
    settings: TmuxSettings, world: World, terminal: Terminal
) -> None:
    backend = TmuxBackend(replace(settings, detach_key="C-g"))  # in copy mode tmux binds it to something else
    backend.spawn(sh(world, "seq 100; echo agent up; exec cat"))
    terminal.attach("a", backend.attach_command(KEY, world.env))
    assert terminal.shows("a", "agent up")
    terminal.press("a", *["\x1b[<64;5;5M"] * 3)  # the wheel, as a terminal sends it
    assert wait_until(lambda: "agent up" not in terminal.screen("a"))
    terminal.press("a", "C-g")
    assert ended(terminal, "a")


def test_the_end_of_an_agent_sends_its_terminal_home_and_no_other(
    backend: TmuxBackend, world: World, terminal: Terminal
) -> None:
    backend.spawn(sh(world, "echo agent up; read line"))
    backend.spawn(sh(world, "echo agent up; read line", key=OTHER))
    for key in (KEY, OTHER):
        terminal.attach(key, backend.attach_command(key, world.env))
        assert terminal.shows(key, "agent up")
    terminal.press(KEY, "Enter")
    assert wait_until(lambda: bool(backend.panes().panes) and "ended 0" in terminal.screen(KEY))
    assert "ended" not in terminal.screen(OTHER)


def test_who_attends_is_sent_home_even_where_tmux_misses_the_end(
    backend: TmuxBackend, settings: TmuxSettings, world: World, terminal: Terminal
) -> None:
    backend.spawn(sh(world, "echo agent up; read line"))
    terminal.run("a", *attended(backend, settings, world))
    assert terminal.shows("a", "agent up")
    terminal.press("a", "Enter")
    assert terminal.shows("a", f"home {KEY} 0")


def test_the_agent_follows_the_size_of_the_terminal(
    backend: TmuxBackend, world: World, terminal: Terminal
) -> None:
    script = "trap 'stty size' WINCH; echo agent up; while :; do sleep 0.1; done"
    backend.spawn(sh(world, script, size=Size(200, 50)))
    assert wait_until(lambda: backend.capture(KEY, lines=None, ansi=False) == ["agent up"])
    terminal.attach("a", backend.attach_command(KEY, world.env), (60, 20))
    assert terminal.shows("a", "19 60")  # the last row is the status line's
    terminal.resize("a", 70, 30)
    assert terminal.shows("a", "29 70")


def test_an_agent_made_for_a_terminal_is_not_resized_when_it_is_entered(
    backend: TmuxBackend, world: World, terminal: Terminal
) -> None:
    """A44: it draws once, for the size that it keeps."""
    script = "trap 'echo resized' WINCH; stty size; while :; do sleep 0.1; done"
    backend.spawn(sh(world, script, size=Size(90, 25)))
    terminal.attach("a", backend.attach_command(KEY, world.env), (90, 25))
    assert terminal.shows("a", "24 90")
    terminal.press("a", "C-q")
    assert ended(terminal, "a")
    assert backend.capture(KEY, lines=None, ansi=False) == ["24 90"]


def test_who_was_shown_last_is_told(
    backend: TmuxBackend, settings: TmuxSettings, world: World, terminal: Terminal
) -> None:
    agents(backend, world)
    terminal.run("a", *attended(backend, settings, world))
    assert terminal.shows("a", f"agent {KEY} up")
    client = tmux(settings, "list-clients", "-F", "#{client_name}")
    backend.switch(client, OTHER)
    assert terminal.shows("a", f"agent {OTHER} up")
    terminal.press("a", "C-q")
    assert terminal.shows("a", f"home {OTHER} 0")


def test_after_a_switch_the_end_of_the_agent_shown_leads_home(
    backend: TmuxBackend, settings: TmuxSettings, world: World, terminal: Terminal
) -> None:
    """Also where tmux misses the end, as it does one in five."""
    agents(backend, world)
    for number in range(3):
        key = f"0000010{number}"
        backend.spawn(sh(world, "echo third; read line", key=key))
        terminal.run(key, *attended(backend, settings, world))
        assert terminal.shows(key, f"agent {KEY} up")
        backend.switch(tmux(settings, "list-clients", "-F", "#{client_name}"), key)
        assert terminal.shows(key, "third")
        terminal.press(key, "Enter")
        assert terminal.shows(key, f"home {key} 0")


def test_a_terminal_inside_another_tmux_attaches(
    backend: TmuxBackend, world: World, terminal: Terminal
) -> None:
    agents(backend, world)
    env = {**world.env, "TMUX": f"{world.root}/outer,1,0", "TMUX_PANE": "%0"}
    attach = backend.attach_command(KEY, env)
    assert attach.env == world.env
    terminal.attach("a", attach)
    assert terminal.shows("a", f"agent {KEY} up")


def test_inside_hqts_own_server_the_terminal_switches(
    backend: TmuxBackend, settings: TmuxSettings, world: World, terminal: Terminal
) -> None:
    backend.spawn(sh(world, ECHO, OTHER, key=OTHER))
    env = {**world.env, "TMUX": f"{settings.socket},{backend.panes().server},0"}
    switch = backend.attach_command(OTHER, env)
    assert switch.env == env
    script = 'echo agent up; read line; "$@"; echo "switched $?"; exec cat'
    backend.spawn(sh(world, script, *switch.argv, env={**env, "TMUX_PANE": "%1"}))
    terminal.attach("a", backend.attach_command(KEY, world.env))
    assert terminal.shows("a", "agent up")
    terminal.press("a", "Enter")
    assert terminal.shows("a", f"agent {OTHER} up")
    assert backend.capture(KEY, lines=1, ansi=False) == ["switched 0"]


@pytest.mark.parametrize("term", ["xterm-ghostty", "xterm-kitty", "no-such-terminal", ""])
def test_an_unknown_terminal_gets_a_known_type_and_a_note(
    term: str, backend: TmuxBackend, world: World, terminal: Terminal
) -> None:
    agents(backend, world)
    attach = backend.attach_command(KEY, {**world.env, "TERM": term})
    assert attach.env["TERM"] == "xterm-256color"
    assert attach.note == f"the terminal type {term!r} is not known here: xterm-256color is used in its place"
    terminal.attach("a", attach)
    assert terminal.shows("a", f"agent {KEY} up")


def test_true_colour_reaches_a_terminal_that_says_that_it_has_it(
    backend: TmuxBackend, world: World, terminal: Terminal
) -> None:
    backend.spawn(sh(world, r"printf '\033[38;2;1;2;3mcolour\033[0m\n'; exec cat"))
    terminal.attach("a", backend.attach_command(KEY, {**world.env, "COLORTERM": "truecolor"}))
    assert terminal.shows("a", "colour")
    assert "38;2;1;2;3" in terminal.tmux("capture-pane", "-p", "-e", "-t", "=a:")


def test_attaching_starts_no_server(backend: TmuxBackend, settings: TmuxSettings, world: World) -> None:
    attach = backend.attach_command(KEY, world.env)
    done = subprocess.run(attach.argv, env=attach.env, capture_output=True, check=False)
    assert done.returncode == 1
    assert not settings.socket.exists()


def test_a_changed_detach_key_holds_at_the_next_attach(
    backend: TmuxBackend, settings: TmuxSettings, world: World, terminal: Terminal
) -> None:
    agents(backend, world)
    changed = TmuxBackend(replace(settings, detach_key="F12"))
    terminal.attach("a", changed.attach_command(KEY, world.env))
    assert terminal.shows("a", f"agent {KEY} up")
    terminal.press("a", "C-q")
    assert terminal.shows("a", "021")
    terminal.press("a", "F12")
    assert ended(terminal, "a")


def test_the_configuration_is_no_one_elses_to_read(settings: TmuxSettings, backend: TmuxBackend) -> None:
    old = os.umask(0)
    try:
        backend.attach_command(KEY, {"TERM": "xterm", "PATH": os.environ["PATH"]})
    finally:
        os.umask(old)
    assert [oct(path.stat().st_mode & 0o777) for path in (settings.config, settings.runtime)] == [
        "0o600",
        "0o700",
    ]
    assert list(settings.runtime.iterdir()) == [Path(settings.config)]
