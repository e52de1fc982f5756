"""What changed while a jail ran is found, kept for the project, and no longer named once it is undone."""

import os
import stat
from pathlib import Path

from hqt.integrity import tripwire
from hqt.integrity.tripwire import Trace
from hqt.paths import make_private
from hqt.sandbox.files.fingerprint import fingerprint
from hqt.sandbox.guards import Guards
from tests.sandbox.jailed import on_host
from tests.world import World

KEY = "0123abcd"


def _arm(world: World, *names: str, kept: tuple[str, ...] = ()) -> None:
    make_private(world.places.session(KEY))
    found = Guards(
        watched=tuple(world.project / name for name in names),
        kept=tuple(world.project / name for name in kept),
        repositories=(world.project / ".git",),
    )
    tripwire.arm(world.places, KEY, world.project, found)


def _compared(world: World) -> list[tuple[str, str]]:
    found = tripwire.compare(world.places, KEY, world.env)
    return [(trace.path.relative_to(world.project).as_posix(), trace.what) for trace in found]


def test_what_appeared_changed_or_went_is_found_and_what_stayed_is_not(world: World) -> None:
    on_host(world, "echo 1 > changed; echo 1 > gone; echo 1 > same")
    _arm(world, "changed", "gone", "same", "fresh")
    on_host(world, "echo 2 > changed; rm gone; touch same; mkdir fresh")
    assert _compared(world) == [("changed", "changed"), ("gone", "is gone"), ("fresh", "appeared")]


def test_where_none_is_armed_or_nothing_is_watched_nothing_is_found(world: World) -> None:
    assert _compared(world) == []
    _arm(world, "x")
    assert tripwire.is_armed(world.places, KEY)
    tripwire.disarm(world.places, KEY)
    (world.project / "x").touch()
    assert _compared(world) == []
    _arm(world)
    assert not tripwire.is_armed(world.places, KEY)


def test_a_repository_that_the_index_names_is_found_at_any_depth(world: World) -> None:
    _arm(world, "x")
    on_host(
        world,
        "mkdir -p a/b/c; git init -q a/b/c/d; git config --global user.name a;"
        " git config --global user.email b; git -C a/b/c/d commit -q --allow-empty -m x; git add a",
    )
    assert _compared(world) == [("a/b/c/d/.git/config", "appeared"), ("a/b/c/d/.git/hooks", "appeared")]


def test_an_index_that_git_can_not_read_holds_nothing_up(world: World) -> None:
    _arm(world, ".envrc")
    (world.project / ".git/index").unlink()
    os.mkfifo(world.project / ".git/index")
    (world.project / ".envrc").touch()
    assert _compared(world) == [(".envrc", "appeared")]


def test_a_guard_is_lost_when_its_path_is_given_another_file(world: World) -> None:
    on_host(world, "echo 1 > a; echo 1 > b; echo 1 > c")
    _arm(world, "a", kept=("a", "b", "c"))
    assert tripwire.replaced(world.places, KEY) == []
    on_host(world, "echo 2 > a; echo 1 > x; mv x b; rm c")
    assert tripwire.replaced(world.places, KEY) == [world.project / "b", world.project / "c"]


def test_traces_are_named_as_long_as_they_are_as_they_were_found(world: World) -> None:
    file = world.project / "a"
    file.write_text("evil\n")
    trace = Trace(file, "appeared", fingerprint(file))
    gone = Trace(world.project / "b", "is gone", None)
    tripwire.keep_traces(world.places, world.project, [trace, gone])
    assert tripwire.kept_traces(world.places, world.project) == [trace, gone]
    (world.project / "b").touch()
    assert tripwire.kept_traces(world.places, world.project) == [trace]
    file.write_text("reviewed\n")
    assert tripwire.kept_traces(world.places, world.project) == []


def test_traces_of_several_sessions_add_up(world: World) -> None:
    found = []
    for name in "ab":
        (world.project / name).touch()
        found.append(Trace(world.project / name, "appeared", fingerprint(world.project / name)))
        tripwire.keep_traces(world.places, world.project, found[-1:])
    assert tripwire.kept_traces(world.places, world.project) == found
    assert tripwire.kept_traces(world.places, world.home) == []


def test_what_is_kept_is_private(world: World) -> None:
    _arm(world, "a")
    tripwire.keep_traces(world.places, world.project, [Trace(world.project / "a", "appeared", "x")])
    for path in (
        world.places.session(KEY) / "guards.json",
        world.places.project(world.project) / "noticed.json",
    ):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_can_not_be_read_is_nothing(world: World) -> None:
    make_private(world.places.session(KEY))
    for text in ("", "{", "[]", '{"watched": 7, "project": 7}', '{"kept": {"a": 7}, "watched": []}'):
        (world.places.session(KEY) / "guards.json").write_text(text)
        assert tripwire.compare(world.places, KEY, world.env) == []


def test_names_of_any_bytes_are_kept_and_told_in_plain_letters(world: World) -> None:
    name = os.fsdecode(b"\xff")
    _arm(world, name)
    (world.project / name).touch()
    found = tripwire.compare(world.places, KEY, world.env)
    assert tripwire.describe(found) == f"{world.project}/\\xff appeared"
    tripwire.keep_traces(world.places, world.project, found)
    assert tripwire.kept_traces(world.places, world.project) == found


def test_of_many_traces_the_first_are_told() -> None:
    traces = [Trace(Path(f"/{number}"), "appeared", "x") for number in range(11)]
    assert tripwire.describe(traces).endswith("/7 appeared and 3 more")
