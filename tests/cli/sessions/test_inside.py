"""The way from one session to the next without leaving, as the whole program does it."""

import re
import shutil

import pytest

from hqt.status.events import FOLDER, WORDS
from tests.backends.tmux.terminal import Terminal
from tests.cli.steps import attach, becomes, key, new, sees
from tests.world import World, needs_tmux, wait_until

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]
# a harness whose hooks tell what it does; these tests tell it in their place
_AGENT = 'case " $* " in *--help*|*--version*) exit 0;; esac; echo "ready $HQT_SESSION"; exec cat'


def agents(world: World, number: int) -> None:
    world.tool("claude", _AGENT)
    for _ in range(number):
        world.json("new", "--harness", "claude")


def tells(world: World, session: int, word: str) -> None:
    """What the session's hook would leave."""
    with (world.places.session(key(world, session)) / FOLDER / WORDS).open("a") as file:
        file.write(f"{word}\n")


def line(terminal: Terminal) -> list[str]:
    """The parts of the line below the agent's screen."""
    last = terminal.tmux("capture-pane", "-p", "-t", "=w:").split("\n")[-1]
    return re.split(r"\s{2,}", last.strip())


def says(terminal: Terminal, *parts: str) -> bool:
    return wait_until(lambda: line(terminal) == list(parts), within_s=15)


def test_who_waits_is_told_inside_and_one_key_leads_there(world: World, terminal: Terminal) -> None:
    """The longest wait first; ctrl-q leads out of whichever is shown."""
    agents(world, 3)
    tells(world, 3, "waiting")
    assert becomes(world, 3, "waiting")
    attach(terminal, "w", "attach", "1")
    assert says(terminal, "proj-claude", "OPEN", "1 other waits", "ctrl-q back")
    tells(world, 2, "waiting")
    assert says(terminal, "proj-claude", "OPEN", "2 others wait", "ctrl-q back")
    terminal.press("w", "C-Space")
    assert says(terminal, "proj-claude-3", "OPEN", "1 other waits", "ctrl-q back")
    terminal.press("w", "C-Space")
    assert says(terminal, "proj-claude-2", "OPEN", "1 other waits", "ctrl-q back")
    tells(world, 3, "working")
    assert says(terminal, "proj-claude-2", "OPEN", "ctrl-q back")
    terminal.press("w", "C-Space")
    assert sees(terminal, "w", "no other session needs you")
    assert world.hqt("rename", "2", "payment bug").returncode == 0
    assert says(terminal, "payment bug", "OPEN", "ctrl-q back")
    terminal.press("w", "C-q")
    assert sees(terminal, "w", "ended 0")


def test_the_end_of_the_one_shown_last_is_told(world: World, terminal: Terminal) -> None:
    agents(world, 1)
    new(world, "echo ready; read -r x; echo bye; exit 3")
    tells(world, 1, "waiting")
    attach(terminal, "w", "attach", "2")
    assert sees(terminal, "w", "1 other waits")
    terminal.press("w", "C-Space")
    assert says(terminal, "proj-claude", "OPEN", "ctrl-q back")
    terminal.press("w", "C-d")
    assert sees(terminal, "w", "ended 0")
    assert "hqt: session 1 proj-claude exited (0), its last lines: `hqt show 1`" in terminal.screen("w")


def test_the_keys_and_the_users_file_are_what_config_toml_says(world: World, terminal: Terminal) -> None:
    world.places.config.mkdir(parents=True)
    (world.places.config / "inside.conf").write_text("set -g status-style bold\nset -g no-such-option on\n")
    text = '[keys]\nnext = "f9"\ndetach = "f12"\n[tmux]\nconfig = "inside.conf"\n'
    world.places.config_file.write_text(text)
    agents(world, 2)
    tells(world, 2, "waiting")
    attach(terminal, "w", "attach", "1")
    assert says(terminal, "proj-claude", "OPEN", "1 other waits", "f12 back"), terminal.screen("w")
    terminal.press("w", "F9")
    assert says(terminal, "proj-claude-2", "OPEN", "f12 back")
    terminal.press("w", "F12")
    assert sees(terminal, "w", "ended 0")
    path = world.places.config / "inside.conf"
    assert f"hqt: note: tmux says of {path}: invalid option: no-such-option" in terminal.screen("w").replace(
        "\n", ""
    )


def test_a_users_file_that_is_gone_stops_a_start_and_not_a_look(world: World) -> None:
    new(world, "exec cat")
    world.places.config.mkdir(parents=True)
    world.places.config_file.write_text('[tmux]\nconfig = "gone.conf"\n')
    done = world.hqt("new", "--harness", "generic", "--", "cat")
    path = world.places.config / "gone.conf"
    said = f"hqt: tmux.config = {path} can't be read (No such file or directory): correct config.toml\n"
    assert (done.returncode, done.stderr) == (1, said)
    assert [found["id"] for found in world.json("list")] == [1]
    assert world.hqt("stop", "1").returncode == 0
    shutil.rmtree(world.places.config)
