"""The bell of each terminal in which hqt is open: once for each notice, on the screen and inside."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backends.tmux.terminal import Terminal
from tests.cli.steps import attach, becomes, press, sees
from tests.notifications.robot import begin, configure
from tests.world import World, needs_tmux, wait_until

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]

_TITLE = re.compile(rb"\x1b\][^\x07\x1b]*\x07")  # ends with one that rings nobody


@pytest.fixture
def terminal(world: World) -> Iterator[Terminal]:
    made = Terminal(world)
    yield made
    made.close()


def opened(terminal: Terminal, window: str, *words: str) -> Path:
    """Run `hqt WORDS` in a terminal of its own; the file of all that is written to it."""
    file = terminal.world.root / f"written-{window}"
    attach(terminal, window, *words)
    terminal.tmux("pipe-pane", "-t", f"={window}:", f"cat >>'{file}'")
    return file


def rings(file: Path) -> int:
    return _TITLE.sub(b"", file.read_bytes()).count(b"\a") if file.exists() else 0


def ask(world: World, name: str) -> None:
    press(world, name, "ask", "Enter")
    assert becomes(world, name, "waiting")


def test_every_open_terminal_rings_once_but_not_for_what_it_shows(world: World, terminal: Terminal) -> None:
    configure(world, "")
    for name in ("one", "two", "three"):
        begin(world, name)
    screen = opened(terminal, "screen")
    inside = opened(terminal, "inside", "attach", "one")
    assert sees(terminal, "screen", "? keys")
    assert sees(terminal, "inside", "ctrl-q back")
    assert sees(terminal, "screen", "3 idle")
    ask(world, "two")
    assert wait_until(lambda: (rings(screen), rings(inside)) == (1, 1), within_s=15)
    ask(world, "one")  # somebody is there
    ask(world, "three")
    assert wait_until(lambda: (rings(screen), rings(inside)) == (2, 2), within_s=15)
    assert sees(terminal, "screen", "3 wait")
    assert (rings(screen), rings(inside)) == (2, 2)


def test_a_bell_that_is_not_wanted_is_not_rung(world: World, terminal: Terminal) -> None:
    configure(world, "bell = false")
    begin(world, "one")
    screen = opened(terminal, "screen")
    assert sees(terminal, "screen", "1 idle")
    ask(world, "one")
    assert sees(terminal, "screen", "1 wait")
    assert rings(screen) == 0
