"""A project's cache: leaves of the home, never one in which another mount is made."""

from pathlib import Path

import pytest

from hqt.sandbox import caches
from tests.sandbox.jailed import inside
from tests.world import World, needs_bwrap

_LEAVES = {".cache", ".npm", ".cargo/registry", "go/pkg", ".local/share/pnpm/store", ".m2", ".gradle"}


def _leaves(world: World, *shown: str) -> set[str]:
    binds = caches.binds(world.places, world.project, [world.home / each for each in shown])
    return {bind.inside.relative_to(world.home).as_posix() for bind in binds}


def test_every_leaf_is_writable_the_projects_own_and_made_where_missing(world: World) -> None:
    binds = caches.binds(world.places, world.project, [])
    assert _leaves(world) == _LEAVES
    assert {bind.src.parent for bind in binds} == {world.places.project(world.project) / "cache"}
    assert len({bind.src for bind in binds}) == len(binds)
    assert {(bind.writable, bind.create) for bind in binds} == {(True, "dir")}


def test_projects_do_not_share(world: World) -> None:
    one = {bind.src for bind in caches.binds(world.places, world.project, [])}
    assert one.isdisjoint(bind.src for bind in caches.binds(world.places, world.home / "other", []))


def test_a_leaf_with_a_mount_of_another_is_left_out(world: World) -> None:
    assert _leaves(world, ".cache/codex", ".cargo", "go/pkg", ".npmrc") == _LEAVES - {
        ".cache",
        ".cargo/registry",
        "go/pkg",
    }


@pytest.mark.real
@needs_bwrap
def test_jails_of_a_project_share_its_cache_and_the_host_does_not(world: World) -> None:
    other = world.home / "other"
    other.mkdir()
    assert inside(world, "for f in ~/.cache ~/.npm ~/go/pkg; do echo x > $f/kept; done").returncode == 0
    assert inside(world, "cat ~/.cache/kept ~/.npm/kept ~/go/pkg/kept").stdout == "x\nx\nx\n"
    assert inside(world, "cat ~/.cache/kept", folder=other).returncode == 1
    assert not (world.home / ".cache").exists()


@pytest.mark.real
@needs_bwrap
def test_a_link_planted_in_a_cache_leads_no_later_mount_out(world: World) -> None:
    secret = world.home / ".ssh"
    secret.mkdir()
    (secret / "id").write_text("KEY\n")
    env = world.env | {"CODEX_HOME": str(world.home / ".cache/codex")}
    (world.home / ".cache/codex/sessions").mkdir(parents=True)
    assert (
        inside(
            world, "ln -s ../../../../../../../.ssh ~/.cache/codex; ln -s ~/.ssh ~/.cache/codex2"
        ).returncode
        == 0
    )
    done = inside(world, "cat ~/.cache/codex/id ~/.ssh/id; ls -A ~/.cache", "--harness", "codex", env=env)
    assert "KEY" not in done.stdout
    assert Path(secret / "id").read_text() == "KEY\n"
    assert sorted(path.name for path in secret.iterdir()) == ["id"]
