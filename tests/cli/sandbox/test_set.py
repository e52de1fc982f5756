"""`hqt sandbox set`: a change of mind, asked about where it takes a jail away."""

import pytest

from hqt.db.engine import open_database
from hqt.sessions import store
from tests.backends.tmux.terminal import Terminal
from tests.cli.steps import attach, key, new, refused, screen, sees, shown
from tests.world import World, needs_bwrap, needs_tmux

pytestmark = [pytest.mark.real, needs_tmux, needs_bwrap]

HOME = "ls -A ~/.ssh 2>&1; touch made 2>&1; exec cat"


def test_a_session_starts_in_the_jail_that_it_was_given_last(world: World) -> None:
    (world.home / ".ssh").mkdir()
    (world.home / ".ssh/key").touch()
    new(world, HOME)
    world.hqt("stop", "1")
    done = world.hqt("sandbox", "set", "1", "--on", "--fs", "ro")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 proj-generic: ro net\n", "")
    assert world.hqt("resume", "1").returncode == 0
    assert "No such file or directory" in screen(world, 1)
    assert "Read-only file system" in screen(world, 1)
    world.hqt("stop", "1")
    assert world.hqt("sandbox", "set", "1", "--no-net").stdout == "1 proj-generic: ro offline\n"
    assert world.hqt("sandbox", "set", "1", "--fs", "rw").stdout == "1 proj-generic: rw offline\n"
    assert shown(world, 1)["sandbox"] == {"fs": "rw", "net": False}


def test_taking_a_jail_away_is_asked_or_forced(world: World) -> None:
    new(world, HOME, "-s")
    world.hqt("stop", "1")
    done = world.hqt("sandbox", "set", "1", "--off")
    assert refused(done, 1) == (
        "session 1: without a jail its agent can do whatever you can: remove the jail with --force"
    )
    assert shown(world, 1)["sandbox"] == {"fs": "rw", "net": True}
    done = world.hqt("sandbox", "set", "1", "--off", "--force")
    assert (done.returncode, done.stdout) == (0, "1 proj-generic: OPEN\n")
    assert world.hqt("sandbox", "set", "1", "--off").returncode == 0  # nothing is taken away


def test_of_one_that_lives_nothing_is_asked(world: World) -> None:
    new(world, HOME, "-s")
    done = world.hqt("sandbox", "set", "1", "--off")
    assert refused(done, 1) == "session 1 is alive: `hqt stop 1` before its jail is changed"


@pytest.mark.parametrize(("answer", "after"), [("y", None), ("n", {"fs": "rw", "net": True})])
def test_on_a_terminal_it_asks(world: World, terminal: Terminal, answer: str, after: object) -> None:
    new(world, HOME, "-s")
    world.hqt("stop", "1")
    attach(terminal, "w", "sandbox", "set", "1", "--off")
    assert sees(terminal, "w", "proj-generic: without a jail its agent can do")
    terminal.press("w", answer, "Enter")
    assert sees(terminal, "w", "cancelled" if after else "OPEN")
    assert shown(world, 1)["sandbox"] == after


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "give --fs, --net or --no-net, --on or --off"),
        (("--off", "--fs", "ro"), "--off removes the jail"),
        (("--fs", "wr"), "Invalid value for '--fs'"),
    ],
)
def test_wrong_usage_changes_nothing(world: World, words: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused(world.hqt("sandbox", "set", "1", *words), 2)


def test_what_cannot_be_set_is_refused_with_its_code(world: World) -> None:
    assert "no session is called 1" in refused(world.hqt("sandbox", "set", "1", "--on"), 3)
    new(world, HOME)
    assert "session 1 is alive: `hqt stop 1`" in refused(world.hqt("sandbox", "set", "1", "--on"), 1)
    world.hqt("stop", "1")
    said = refused(world.hqt("sandbox", "set", "1", "--no-net"), 1)
    assert said == "session 1 is open: add --on and the jail that you want"
    world.hqt("new", "--harness", "generic", "--", "cat", cwd=world.home)
    world.hqt("stop", "2")
    assert "can't be jailed" in refused(world.hqt("sandbox", "set", "2", "--on"), 4)


def test_a_policy_that_cannot_be_read_is_repaired(world: World) -> None:
    new(world, HOME, "-s")
    world.hqt("stop", "1")
    database = open_database(world.places)
    store.change(database, key(world, 1), {"sandbox_json": "no policy"})
    database.close()
    said = refused(world.hqt("sandbox", "set", "1", "--fs", "ro"), 1)
    assert said.startswith("session 1 has a policy that can't be read: add --on")
    done = world.hqt("sandbox", "set", "1", "--on", "--no-net")
    assert (done.returncode, done.stdout) == (0, "1 proj-generic: rw offline\n")
    assert world.hqt("resume", "1").returncode == 0
