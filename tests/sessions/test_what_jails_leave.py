"""What a jailed session leaves: named at its end, kept for the next, and nothing of hqt's in the project."""

import json
import os
import signal
from pathlib import Path

import pytest

from tests.cli.steps import becomes, key, new, shown, shows
from tests.sandbox.jailed import furnish, inside, on_host
from tests.world import World, needs_bwrap, needs_tmux, tmux_servers, wait_until

pytestmark = [pytest.mark.real, needs_tmux, needs_bwrap]

_LOOK = "look before you let an agent without a jail use them"


@pytest.fixture(autouse=True)
def _furnished(world: World) -> None:
    furnish(world)


def _held(world: World) -> list[Path]:
    return sorted((world.places.data / "held").glob("*.json"))


def _commondir(world: World) -> bool:
    return (world.project / ".git/commondir").exists()


def test_what_appeared_is_told_at_the_end_and_at_the_next_open_start(world: World) -> None:
    on_host(world, "mkdir .vscode; echo 1 > .vscode/a; git add .; git commit -qm v")
    new(world, "echo evil > .envrc; echo 2 > .vscode/a; git init -q nested; sleep 1", "-s", "--name", "one")
    assert wait_until(lambda: shown(world, "one")["note"] is not None, within_s=10)
    note = shown(world, "one")["note"]
    names = [
        ".vscode changed",
        ".envrc appeared",
        "nested/.git/config appeared",
        "nested/.git/hooks appeared",
    ]
    named = ", ".join(f"{world.project}/{name}" for name in names)
    assert note == f"while it ran: {named}: look before you use them outside"
    open_start = world.hqt("new", "--harness", "generic", "--", "true")
    assert f"a jailed session worked here and {named}: {_LOOK}" in open_start.stderr


def test_what_was_restored_is_named_no_more_and_a_removed_session_keeps_the_rest(world: World) -> None:
    new(world, "echo evil > .envrc; echo evil > .npmrc; sleep 1", "-s", "--name", "one")
    assert becomes(world, "one", "exited")
    assert world.hqt("rm", "one").returncode == 0
    (world.project / ".envrc").unlink()
    done = world.hqt("new", "--harness", "generic", "--", "true")
    assert f"{world.project}/.npmrc appeared: {_LOOK}" in done.stderr
    assert ".envrc" not in done.stderr
    (world.project / ".npmrc").unlink()
    assert _LOOK not in world.hqt("new", "--harness", "generic", "--", "true").stderr


def test_a_session_removed_while_it_runs_leaves_its_traces(world: World) -> None:
    new(world, "echo evil > .envrc; echo ready; sleep 600", "-s", "--name", "one")
    assert shows(world, "one", "ready")
    assert world.hqt("rm", "--force", "one").returncode == 0
    assert f"{world.project}/.envrc appeared" in world.hqt("new", "--harness", "generic", "--", "true").stderr


def test_a_read_only_session_tells_nothing(world: World) -> None:
    new(world, "sleep 600", "-s", "--fs", "ro", "--name", "one")
    (world.project / ".envrc").write_text("the user's own\n")
    assert not _commondir(world)
    assert world.hqt("stop", "one").returncode == 0
    assert shown(world, "one")["note"] is None


@pytest.mark.parametrize(
    ("guard", "replaced"),
    [
        (".envrc", "echo 2 > x; mv x .envrc"),
        (".git/config", "git config a.b c"),
        (".claude/settings.json", "mv .claude c; mkdir .claude; cp c/settings.json .claude"),
    ],
)
def test_a_guard_that_a_replace_on_the_host_takes_is_told_while_it_runs(
    guard: str, replaced: str, world: World
) -> None:
    on_host(world, "echo 1 > .envrc; mkdir .claude; echo {} > .claude/settings.json")
    new(world, "sleep 600", "-s", "--name", "one")
    assert shown(world, "one")["note"] is None
    on_host(world, replaced)
    told = f"no longer read-only in the jail: {world.project / guard}: stop and resume it"
    assert shown(world, "one")["note"] == told
    assert world.json("list")[0]["note"] == told


@pytest.mark.parametrize("order", [("one", "two"), ("two", "one")])
def test_what_two_jails_need_goes_with_the_last(order: tuple[str, str], world: World) -> None:
    on_host(world, "rm -rf .git/hooks")
    for name in ("one", "two"):
        new(world, "sleep 600", "-s", "--name", name)
    assert world.hqt("stop", order[0]).returncode == 0
    assert _commondir(world)
    assert (world.project / ".git/hooks").is_dir()
    assert inside(world, "true").returncode == 0
    assert _commondir(world)
    assert world.hqt("stop", order[1]).returncode == 0
    assert not _commondir(world)
    assert not (world.project / ".git/hooks").exists()
    assert _held(world) == []


def test_what_was_killed_is_released_and_told_by_the_next_writing_command(world: World) -> None:
    new(world, "echo evil > .envrc; echo ready; sleep 600", "-s", "--name", "one")
    assert shows(world, "one", "ready")
    assert _commondir(world)
    for server in tmux_servers(world.root):
        os.kill(server, signal.SIGKILL)
    assert wait_until(lambda: shown(world, "one")["state"] == "lost")
    done = world.hqt("new", "--harness", "generic", "--", "true")
    assert f"{world.project}/.envrc appeared" in done.stderr
    assert not _commondir(world)
    assert _held(world) == []
    assert f"{world.project}/.envrc appeared" in shown(world, "one")["note"]


def test_a_killed_command_is_released_by_the_next_one(world: World) -> None:
    dead = world.places.data / "held/command-1-1.json"
    inside(world, "true")
    (world.project / ".git/commondir").write_text(".\n")
    dead.write_text(
        json.dumps({"project": str(world.project), "makes": [[str(world.project / ".git/commondir"), ".\n"]]})
    )
    assert inside(world, "true").returncode == 0
    assert not _commondir(world)
    assert _held(world) == []


def test_a_start_that_fails_leaves_nothing_in_the_git_folder(world: World) -> None:
    on_host(world, "rm -rf .git/hooks")
    world.tool("bwrap", 'case "$*" in *proj*) exit 1;; esac; exec /usr/bin/bwrap "$@"')
    done = world.hqt("new", "-s", "--harness", "generic", "--", "sleep", "600")
    assert done.returncode == 4, done
    assert not _commondir(world)
    assert not (world.project / ".git/hooks").exists()
    assert _held(world) == []


def test_a_commondir_of_somebody_elses_stays(world: World) -> None:
    (world.project / ".git/commondir").write_text(".\n")
    assert inside(world, "true").returncode == 0
    assert _commondir(world)


def test_a_session_keeps_its_key_out_of_anothers_way(world: World) -> None:
    new(world, "sleep 600", "-s", "--name", "one")
    assert [path.stem for path in _held(world)] == [key(world, "one")]
