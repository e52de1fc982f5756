"""The line below the agent's screen, as a terminal shows it."""

import pytest

from hqt.backends.base import Size
from hqt.backends.tmux.backend import TmuxBackend
from hqt.backends.tmux.statusline import status_line
from tests.backends.requests import KEY, sh
from tests.backends.tmux.terminal import Terminal
from tests.world import World, needs_tmux, wait_until

real = pytest.mark.real
OTHER = "0000000b"


def line(terminal: Terminal, window: str = "a") -> str:
    """The last row of the terminal."""
    return terminal.tmux("capture-pane", "-p", "-t", f"={window}:").split("\n")[-1]


def words(terminal: Terminal) -> list[str]:
    return [part.strip() for part in line(terminal).split("  ") if part.strip()]


def enter(
    backend: TmuxBackend, world: World, terminal: Terminal, title: str, jail: str = "OPEN", columns: int = 90
) -> None:
    size = (columns, 10)
    backend.spawn(sh(world, "echo agent up; exec cat", title=title, jail=jail, size=Size(*size)))
    terminal.attach("a", backend.attach_command(KEY, world.env), size)
    assert terminal.shows("a", "agent up")


@pytest.mark.parametrize(
    ("key", "said"),
    [("C-q", "ctrl-q"), ("F12", "f12"), ("M-S-Left", "alt-shift-left"), ("-", "-"), ("%", "%%")],
)
def test_the_way_back_is_said_as_people_write_keys(key: str, said: str) -> None:
    assert f"{said} back " in status_line(key)


@real
@needs_tmux
@pytest.mark.parametrize(
    "title",
    [
        "#(touch PWN)",
        "#{pid} #S",
        "#[fg=red]red #[align=right]x",
        "a ## b ### #",
        "%H:%M %%",
        "fix [/] x",
        "[link=file:///]q[/link]",
        "a, b} {c #, #}",
        "日本 é 🎉",
        "it's `id` $(id) \\ ;",
    ],
)
def test_every_title_is_shown_as_it_is(
    title: str, backend: TmuxBackend, world: World, terminal: Terminal
) -> None:
    """A30, A67."""
    enter(backend, world, terminal, title, "rw net")
    assert wait_until(lambda: line(terminal).startswith(f" {title}  rw net   ")), line(terminal)
    assert line(terminal).endswith("   ctrl-q back")
    assert not list(world.root.rglob("PWN"))


@real
@needs_tmux
def test_it_follows_a_new_title_and_who_waits(backend: TmuxBackend, world: World, terminal: Terminal) -> None:
    enter(backend, world, terminal, "old", "ro offline")
    assert words(terminal) == ["old", "ro offline", "ctrl-q back"]
    backend.rename(KEY, "new")
    assert wait_until(lambda: words(terminal) == ["new", "ro offline", "ctrl-q back"])
    for waiting, told in (
        ({OTHER}, ["1 other waits"]),
        ({OTHER, KEY}, ["1 other waits"]),
        ({OTHER, "0000000c"}, ["2 others wait"]),
        ({KEY}, []),
        (set[str](), []),
    ):
        backend.announce(waiting)
        expected = ["new", "ro offline", *told, "ctrl-q back"]
        assert wait_until(lambda expected=expected: words(terminal) == expected), waiting  # type: ignore[misc]


@real
@needs_tmux
@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        (40, " a r…  ro offline  12 wait  ctrl-q back"),
        (60, " a rather long ti…  ro offline  12 others wait  ctrl-q back"),
        (80, " a rather long title that goes on and…  ro offline  12 others wait  ctrl-q back"),
    ],
)
def test_a_narrow_terminal_loses_letters_of_the_title_alone(
    columns: int, shown: str, backend: TmuxBackend, world: World, terminal: Terminal
) -> None:
    backend.announce({f"{number:08x}" for number in range(100, 112)})
    enter(backend, world, terminal, "a rather long title that goes on and on and on", "ro offline", columns)
    backend.announce({f"{number:08x}" for number in range(100, 112)})
    assert wait_until(lambda: line(terminal) == shown), line(terminal)
    backend.announce(set())
    room = "a rather lo" if columns == 40 else "a rather long title that goes"
    assert wait_until(lambda: line(terminal).startswith(f" {room}"))
    assert words(terminal)[1:] == ["ro offline", "ctrl-q back"]


@real
@needs_tmux
def test_it_has_no_colour_of_its_own(backend: TmuxBackend, world: World, terminal: Terminal) -> None:
    """A71: readable on light and dark, in 16 colours and in none."""
    enter(backend, world, terminal, "title")
    drawn = terminal.tmux("capture-pane", "-p", "-e", "-t", "=a:").split("\n")[-1]
    assert drawn.startswith("\x1b[7m")
    assert "\x1b[3" not in drawn.removesuffix("\x1b[39m")
    assert "\x1b[4" not in drawn
