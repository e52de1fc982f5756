"""`hqt mute`: whose notices are silent."""

import pytest

from tests.cli.steps import new, refused, shown
from tests.world import World, needs_tmux

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]


def test_each_session_is_muted_alone_and_heard_again(world: World) -> None:
    for name in ("one", "two", "three"):
        new(world, "exec cat", "--name", name)
    world.hqt("stop", "2")
    done = world.hqt("mute", "1", "two", "2")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 one: muted\n2 two: muted\n", "")
    assert [each["muted"] for each in world.json("list")] == [True, True, False]
    assert "\nnotices       muted\n" in world.hqt("show", "1").stdout
    heads, *rows = world.hqt("list").stdout.splitlines()
    state = slice(heads.index("STATE"), heads.index("HARNESS"))
    states = [row[state].rstrip() for row in rows]
    assert states == ["running, muted", "stopped (TERM), muted", "running"]
    done = world.hqt("mute", "--off", "1", "three")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 one: heard\n3 three: heard\n", "")
    assert [each["muted"] for each in world.json("list")] == [False, True, False]
    assert "notices" not in world.hqt("show", "1").stdout


def test_a_muted_session_comes_back_muted(world: World) -> None:
    new(world, "exec cat")
    world.hqt("mute", "1")
    world.hqt("stop", "1")
    assert world.hqt("resume", "1").returncode == 0
    assert shown(world, 1)["muted"] is True


def test_an_unknown_session_among_others_mutes_none(world: World) -> None:
    new(world, "exec cat")
    assert refused(world.hqt("mute", "1", "nobody"), 3).startswith("no session is called nobody")
    assert shown(world, 1)["muted"] is False
