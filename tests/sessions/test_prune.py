"""What nobody needs is found, measured and removed; what lives, and what people look at, stays."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from hqt.backends.base import Panes
from hqt.integrity import placeholders, tripwire
from hqt.integrity.placeholders import make_placeholders, release_placeholders
from hqt.paths import make_private, project_key
from hqt.sandbox.guards import Guards
from hqt.sessions import locks, prune
from hqt.sessions.prune import Pruner
from tests.backends.fake_backend import FakeBackend
from tests.cli.steps import becomes, key, new
from tests.world import World, needs_bwrap, needs_tmux


def _pruner(world: World) -> Pruner:
    return Pruner.of(world.places, FakeBackend(), world.env)


def _found(world: World) -> set[tuple[str, str]]:
    return {(each.kind, str(each.path.relative_to(world.root))) for each in _pruner(world).find()}


def _old(path: Path) -> Path:
    os.utime(path, (1, 1), follow_symlinks=False)
    return path


def _session(world: World, key: str) -> Path:
    folder = make_private(world.places.session(key))
    (folder / "screen").write_text("its last words\n")
    return _old(folder)


def _cache(world: World, project: Path) -> Path:
    cache = world.places.project(project) / "cache"
    (cache / "npm").mkdir(parents=True)
    (cache / "npm/x").write_bytes(b"x" * 10_000)
    return cache


def _free_all(world: World) -> list[bool]:
    pruner = _pruner(world)
    return [pruner.free(each) for each in pruner.find()]


def test_nothing_is_found_where_there_is_nothing(world: World) -> None:
    assert _pruner(world).find() == ()


def test_a_folder_without_a_session_goes(world: World) -> None:
    folder = _session(world, "0123abcd")
    assert _found(world) == {("session", "home/.local/share/hqt/sessions/0123abcd")}
    assert _free_all(world) == [True]
    assert not folder.exists()


def test_a_folder_that_is_locked_or_new_or_none_of_hqts_stays(world: World) -> None:
    _session(world, "00000001")
    make_private(world.places.session("00000002"))
    _old(make_private(world.places.session("other")))
    with locks.hold(world.places.session("00000001"), limit_s=1):
        _old(world.places.session("00000001"))
        assert _found(world) == set()


def test_a_cache_without_a_session_goes_with_its_folder(world: World) -> None:
    cache = _cache(world, world.project)
    (found,) = _pruner(world).find()
    assert (found.kind, found.path, found.why) == ("cache", cache, "no session works in its project")
    assert 10_000 <= found.size < 50_000
    assert _free_all(world) == [True]
    assert not cache.parent.exists()


def test_the_cache_of_a_live_command_stays_and_that_of_a_dead_one_goes(world: World) -> None:
    _cache(world, world.project)
    make_placeholders(world.places, placeholders.command(), world.project, [])
    assert _found(world) == set()
    release_placeholders(world.places, placeholders.command(), lambda _: True)
    make_placeholders(world.places, "command-1-1", world.project, [])
    assert {kind for kind, _ in _found(world)} == {"cache", "hold"}
    assert _free_all(world) == [True, True]
    assert _found(world) == set()


def test_a_hold_that_can_not_be_read_keeps_every_cache(world: World) -> None:
    _cache(world, world.project)
    make_placeholders(world.places, placeholders.command(), world.project, [])
    placeholders.file(world.places, placeholders.command()).write_text("{")
    assert _found(world) == set()


def test_a_cache_that_came_to_be_needed_meanwhile_stays(world: World) -> None:
    cache = _cache(world, world.project)
    pruner = _pruner(world)
    (found,) = pruner.find()
    make_placeholders(world.places, placeholders.command(), world.project, [])
    assert pruner.free(found) is False
    assert cache.exists()


@pytest.mark.real
def test_a_cache_that_an_agent_made_hard_to_remove_goes_and_its_links_are_not_followed(world: World) -> None:
    cache = _cache(world, world.project)
    precious = world.home / "precious"
    precious.mkdir()
    (precious / "file").write_text("mine\n")
    (cache / "npm/link").symlink_to(precious)
    (cache / "go").symlink_to(precious)
    os.mkfifo(cache / "npm/pipe")
    deep = "import os\nfor _ in range(2100): os.mkdir('d'); os.chdir('d')\nos.chmod('.', 0)"
    subprocess.run(["python3", "-c", deep], cwd=cache, check=True)
    (cache / "closed").mkdir()
    (cache / "closed/x").write_text("x")
    (cache / "closed").chmod(0)
    assert _free_all(world) == [True]
    assert not cache.exists()
    assert (precious / "file").read_text() == "mine\n"


def test_a_link_in_the_place_of_a_cache_goes_alone(world: World) -> None:
    precious = world.home / "precious"
    precious.mkdir()
    cache = world.places.project(world.project) / "cache"
    cache.parent.mkdir(parents=True)
    cache.symlink_to(precious)
    assert _free_all(world) == [True]
    assert precious.is_dir()


def test_what_a_prune_left_half_way_goes(world: World) -> None:
    cache = _cache(world, world.project)
    cache.rename(cache.with_name("cache.gone-7"))
    assert _free_all(world) == [True]
    assert not cache.parent.exists()


def test_traces_stay_until_nothing_is_as_it_was_found(world: World) -> None:
    envrc, dot_git = world.project / ".envrc", world.project / ".git"
    make_private(world.places.session("00000001"))
    tripwire.arm(world.places, "00000001", world.project, Guards(watched=(envrc,), repositories=(dot_git,)))
    envrc.write_text("evil\n")
    traces = tripwire.compare(world.places, "00000001", world.env)
    tripwire.keep_traces(world.places, world.project, [trace for trace in traces if trace.path == envrc])
    _cache(world, world.project)
    assert {kind for kind, _ in _found(world)} == {"cache"}
    assert _free_all(world) == [True]
    assert len(tripwire.kept_traces(world.places, world.project)) == 1
    envrc.unlink()
    assert {kind for kind, _ in _found(world)} == {"notice"}
    assert _free_all(world) == [True]
    assert not world.places.project(world.project).exists()


def test_a_spec_that_no_launcher_took_goes(world: World) -> None:
    runtime = make_private(world.places.runtime)
    name = f"spec-0123abcd-{'0' * 16}.json"
    for each in (name, "spec-x.json", "tmux-1"):
        (runtime / each).touch()
        _old(runtime / each)
    (runtime / f"spec-0123abcd-{'1' * 16}.json").touch()
    assert _found(world) == {("spec", f"run/hqt/{name}")}
    assert _free_all(world) == [True]
    assert not (runtime / name).exists()


def test_where_the_server_can_not_be_reached_every_session_counts_as_live(world: World) -> None:
    _session(world, "0123abcd")
    unreachable = FakeBackend(reach="unreachable")
    assert Pruner(world.places, unreachable, Panes("unreachable"), world.env).find() == ()


def test_the_size_of_a_file_with_two_names_counts_once(world: World) -> None:
    (world.home / "s").mkdir()
    (world.home / "s/a").write_bytes(b"x" * 100_000)
    alone = prune.size(world.home / "s")
    (world.home / "s/b").hardlink_to(world.home / "s/a")
    (world.home / "s/c").symlink_to("/")
    assert prune.size(world.home / "s") == alone


@pytest.mark.real
@needs_tmux
@needs_bwrap
def test_prune_frees_what_ended_sessions_hold_and_nothing_of_live_ones(world: World) -> None:
    other = world.home / "other"
    other.mkdir()
    new(world, "mkdir -p ~/.cache/x; sleep 600", "-s", "--name", "live")
    world.json("new", str(other), "-s", "--harness", "generic", "--name", "gone", "--", "sleep", "600")
    (world.places.session(key(world, "live")) / "own").mkdir()
    (world.places.session(key(world, "gone")) / "own").mkdir()
    assert world.hqt("stop", "gone").returncode == 0
    assert becomes(world, "gone", "stopped")
    other.rmdir()
    _old(world.places.session(key(world, "gone")))
    _old(world.places.session(key(world, "live")))
    cache = f"{world.places.data}/projects/{project_key(other)}/cache"
    registry = f"{world.places.session(key(world, 'gone'))}/own"
    dry = world.json("prune", "--dry-run")
    assert dry["dry_run"] is True
    assert {item["path"] for item in dry["items"]} == {cache, registry}
    assert Path(cache).exists()
    done = json.loads(world.hqt("prune", "--json").stdout)
    assert {item["path"] for item in done["items"]} == {cache, registry}
    assert done["bytes"] == dry["bytes"] > 0
    assert not Path(cache).exists()
    assert (world.places.session(key(world, "live")) / "own").exists()
    assert (world.places.project(world.project) / "cache/cache/x").exists()
    assert (world.places.session(key(world, "gone"))).exists()
    assert world.hqt("prune").stdout == "nothing to free\n"
