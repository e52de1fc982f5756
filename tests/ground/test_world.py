"""The world that every test lives in."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.world import World, needs_tmux, new_world, processes, tmux_servers, wait_until


def test_a_world_is_complete_and_its_own(world: World) -> None:
    assert world.env["HOME"] == str(world.home)
    assert set(world.places.own()) == {
        world.home / ".local/share/hqt",
        world.home / ".config/hqt",
        world.home / ".local/state/hqt",
        world.root / "run/hqt",
        world.root / f"tmp/hqt-{os.getuid()}",
    }


def test_the_project_is_a_repository_with_one_commit(world: World) -> None:
    log = subprocess.run(
        ["git", "log", "--format=%D %s"],
        cwd=world.project,
        env=world.env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert log.stdout == "HEAD -> main Begin\n"


def test_a_world_leaves_no_folder_behind_even_a_closed_one() -> None:
    with new_world() as made:
        closed = made.home / "closed"
        (closed / "inner").mkdir(parents=True)
        closed.chmod(0)
    assert not made.root.exists()


def test_a_tool_is_found_first(world: World) -> None:
    world.tool("git", "echo mine")
    done = subprocess.run(["env", "git"], env=world.env, capture_output=True, text=True, check=True)
    assert done.stdout == "mine\n"


def test_a_process_left_behind_fails_the_test_and_is_ended() -> None:
    with pytest.raises(AssertionError, match="left processes behind"), new_world() as made:
        left = subprocess.Popen(["sleep", "60"], env=made.env)
    assert left.wait(timeout=5) == -signal.SIGKILL


@pytest.mark.real
@needs_tmux
def test_a_tmux_server_of_a_world_is_ended_with_it() -> None:
    with new_world() as made:
        socket = made.places.socket
        socket.parent.mkdir(mode=0o700)
        _start_tmux(socket, made)
    assert processes(made.root) == {}


def _start_tmux(socket: Path, world: World) -> None:
    tmux = ["tmux", "-S", str(socket), "-f", "/dev/null", "new-session", "-d", "sleep 60"]
    subprocess.run(tmux, env=world.env, cwd=world.project, check=True)
    # more than one for a moment: the pane's process is a copy of the server until it runs sleep
    assert wait_until(lambda: len(tmux_servers(world.root)) == 1)
