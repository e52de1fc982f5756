"""`hqt wait`: woken by what agents tell, show and by their ends; its exit code says what came of it."""

import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.robot import begin, declare
from tests.cli.steps import command, new, press, refused, shows
from tests.world import World, needs_tmux, wait_until

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]


@pytest.fixture
def robots(world: World) -> World:
    """A world with two sessions, `one` and `two`, that work."""
    configure(world)
    for name in ("one", "two"):
        begin(world, name)
        show(world, name, "busy")
    return world


def configure(world: World) -> None:
    """Declare both harnesses, whose screens tell what they do."""
    declare(world, "robot", "worker")


def show(world: World, name: str, word: str) -> None:
    press(world, name, word, "Enter")
    assert shows(world, name, word)


@contextmanager
def waiting(world: World, *words: str) -> Iterator["subprocess.Popen[str]"]:
    """`hqt wait WORDS`, once it sleeps."""
    argv, pipe = command("wait", *words), subprocess.PIPE
    with subprocess.Popen(argv, env=world.env, cwd="/", stdout=pipe, stderr=pipe, text=True) as process:
        sleeps = wait_until(lambda: "anon_inode:inotify" in _open_files(process.pid), within_s=20)
        assert sleeps
        yield process
        process.kill()


def _open_files(pid: int) -> set[str]:
    found = set()
    for each in Path(f"/proc/{pid}/fd").iterdir():
        try:
            found.add(str(each.readlink()))
        except FileNotFoundError:
            continue
    return found


def test_each_is_printed_as_it_arrives(robots: World) -> None:
    with waiting(robots, "one", "two", "--for", "idle") as process:
        assert process.stdout is not None
        show(robots, "two", "ready")
        assert process.stdout.readline() == "2 two: done\n"
        show(robots, "one", "ask")
        show(robots, "one", "ready")
        assert process.communicate(timeout=30) == ("1 one: done\n", "")
        assert process.returncode == 0


def test_what_is_so_already_is_told_at_once_as_json_too(robots: World) -> None:
    show(robots, "one", "ask")
    done = robots.hqt("wait", "one", "two", "--for", "waiting", "--first", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    (line,) = done.stdout.splitlines()
    assert json.loads(line) == robots.json("show", "one")


def test_an_end_wakes_it(world: World) -> None:
    new(world, "read -r code; exit $code")
    with waiting(world, "1", "--for", "exited") as process:
        press(world, 1, "3", "Enter")
        assert process.communicate(timeout=30) == ("1 proj-generic: exited (3)\n", "")
        assert process.returncode == 0


def test_one_that_ends_instead_is_a_failure(robots: World) -> None:
    assert robots.hqt("stop", "one").returncode == 0
    assert refused(robots.hqt("wait", "one", "--for", "idle"), 1) == (
        "session 1 is stopped and will not be idle: see `hqt show 1`"
    )


def test_the_time_is_over(robots: World) -> None:
    begun = time.monotonic()
    assert refused(robots.hqt("wait", "one", "--timeout", "0.5"), 5) == (
        "session 1 is working after 0.5 s: wait longer, or look with `hqt capture 1`"
    )
    assert time.monotonic() - begun >= 0.5


def test_one_that_is_not_there_is_unknown(world: World) -> None:
    assert refused(world.hqt("wait", "7"), 3).startswith("no session is called 7")


def test_a_mere_command_can_only_end(world: World) -> None:
    new(world, "cat")
    assert refused(world.hqt("wait", "1", "--for", "idle"), 1).startswith("session 1 runs a command that")


def test_a_start_that_waits_returns_when_the_work_is_done(world: World) -> None:
    """What stands on the screen before the work is no end of it."""
    configure(world)
    world.tool("worker", 'echo ready; sleep 2; clear; echo busy; sleep 2; clear; echo "ready: $*"; exec cat')
    done = world.hqt("new", "--harness", "worker", "--prompt", "-", "--wait", input="one\ntwo\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1:] == ["1 proj-worker: done"]
    assert "ready: one\ntwo" in world.hqt("capture", "1").stdout


def test_a_start_that_waits_too_long_says_so_and_keeps_the_session(world: World) -> None:
    configure(world)
    world.tool("worker", "echo busy; exec cat")
    done = world.hqt("new", "--harness", "worker", "--json", "--prompt", "x", "--wait", "--timeout", "0.5")
    assert done.returncode == 5
    assert done.stderr.startswith("hqt: session 1 is working after 0.5 s: ")
    assert json.loads(done.stdout) == world.json("show", "1")
