"""Which files of a project stay as they are, which are compared, and what is said of it."""

import os
from pathlib import Path

import pytest

from hqt.errors import JailError
from hqt.sandbox import guards
from hqt.sandbox.files.private import Private
from hqt.sandbox.git import survey
from hqt.sandbox.guards import Guards
from hqt.sandbox.policy import SandboxPolicy
from tests.sandbox.jailed import furnish, on_host
from tests.world import World


@pytest.fixture(autouse=True)
def _furnished(world: World) -> None:
    furnish(world)


def _survey(world: World) -> Guards:
    private = Private.of(world.home, world.places.own())
    return guards.survey(world.project, survey.survey(world.project, SandboxPolicy(), private, world.env))


def _read_only(world: World) -> list[str]:
    return [path.relative_to(world.project).as_posix() for path in _survey(world).read_only]


def test_what_is_missing_is_only_watched(world: World) -> None:
    found = _survey(world)
    assert (found.read_only, found.repositories, found.notes) == ((), (world.project / ".git",), ())
    watched = {path.relative_to(world.project).as_posix() for path in found.watched}
    assert {".envrc", ".mcp.json", ".claude/hooks", ".git/config", ".git/config.worktree"} <= watched
    assert ".git/modules" not in watched  # a submodule's objects are many


def test_what_a_tool_runs_unasked_is_read_only_though_git_tracks_it_and_it_is_said(world: World) -> None:
    on_host(world, "mkdir .husky; echo 1 > .husky/a; echo 1 > .husky/b; git add .; git commit -qm h")
    found = _survey(world)
    assert found.read_only == (world.project / ".husky",)
    assert found.notes == (
        "2 tracked files are read-only in the jail (.husky/a, .husky/b): git can't change them there",
    )


@pytest.mark.parametrize(
    "settings",
    [
        ".gemini/settings.json",
        ".gemini/policies/x.toml",
        ".qwen/settings.json",
        ".qwen/.env",
        ".agents/skills/x",
        "opencode.json",
        ".opencode/plugin/x.js",
        ".pi/extensions/x.ts",
    ],
)
def test_what_an_agent_outside_would_run_of_its_settings_is_read_only(world: World, settings: str) -> None:
    path = world.project / settings
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    (guarded,) = _survey(world).read_only
    assert guarded in (path, path.parent)


def test_what_asks_first_is_read_only_where_git_does_not_track_it(world: World) -> None:
    on_host(
        world,
        "touch .envrc .npmrc; mkdir -p .vscode/in .idea; touch .vscode/a .vscode/b .vscode/in/c .idea/x;"
        " git add .npmrc .vscode/a .vscode/in; touch .vscode/in/own",
    )
    found = _survey(world)
    assert _read_only(world) == [".vscode/b", ".vscode/in/own", ".idea", ".envrc"]
    assert found.notes == ()


def test_a_link_is_guarded_where_it_leads_if_that_is_in_the_project(world: World) -> None:
    on_host(
        world, "mkdir -p ai/hooks; ln -s ai .claude; echo {} > mcp; ln -s mcp .mcp.json; ln -s /etc .codex"
    )
    found = _survey(world)
    assert _read_only(world) == ["ai/hooks", "mcp"]
    assert {world.project / ".mcp.json", world.project / "mcp", world.project / ".codex"} <= set(
        found.watched
    )


def test_a_loop_of_links_and_pipes_are_no_trouble(world: World) -> None:
    on_host(world, "ln -s .envrc .envrc; mkfifo .mcp.json; mkdir .claude; ln -s hooks .claude/hooks")
    assert _read_only(world) == [".mcp.json"]


def test_a_second_name_of_a_guarded_file_is_told(world: World) -> None:
    on_host(world, "echo 1 > .envrc; ln .envrc other; ln .git/config c2")
    told = "has a second name (a hard link) by which an agent may change it: copy it anew"
    assert _survey(world).notes == tuple(
        f"{world.project}/{name} {told}" for name in (".envrc", ".git/config")
    )


def test_every_mount_that_a_replace_would_take_is_kept_in_mind(world: World) -> None:
    (world.project / ".envrc").touch()
    assert set(_survey(world).kept) == {
        world.project / name for name in (".envrc", ".git/commondir", ".git/config", ".git/hooks")
    }


def test_repositories_in_the_project_are_known_and_what_git_obeys_of_them_is_compared(world: World) -> None:
    on_host(
        world, "git init -q one; mkdir two; git init -q two/deep; git init -q a/b/c; git worktree add -q wt"
    )
    found = _survey(world)
    assert {path.relative_to(world.project).as_posix() for path in found.repositories} == {
        ".git",
        "one/.git",
        "two/deep/.git",
        "wt/.git",
    }
    assert {world.project / "one/.git/config", world.project / "two/deep/.git/hooks"} <= set(found.watched)
    assert world.project / "wt/.git" in found.read_only


def test_a_repository_that_appeared_is_told_by_what_git_obeys_of_it(world: World) -> None:
    known = _survey(world).repositories
    on_host(world, "git init -q one; echo 'gitdir: one' > x; mkdir p; mv x p/.git")
    found = guards.appeared(world.project, b"160000 aa 0\tone\x00160000 aa 0\tgone\x00", known)
    assert {path.relative_to(world.project).as_posix() for path in found} == {
        "one/.git/config",
        "one/.git/hooks",
        "p/.git",
    }


def test_more_than_a_jail_can_mount_is_refused(world: World) -> None:
    on_host(world, "mkdir .vscode; touch .vscode/a; git add .")
    for number in range(1100):
        (world.project / f".vscode/{number}").touch()
    with pytest.raises(JailError, match="paths to keep read-only and 1000 are the most"):
        _survey(world)


def test_a_closed_folder_is_no_trouble(world: World) -> None:
    on_host(world, "mkdir -p .vscode/in; touch .vscode/in/a; git add .; chmod 0 .vscode")
    if os.geteuid() == 0:
        assert _read_only(world) == []
    else:
        _survey(world)


def test_names_of_any_bytes_are_guarded(world: World) -> None:
    name = Path(os.fsdecode(b".vscode/\xff"))
    on_host(world, "mkdir .vscode; touch .vscode/a; git add .")
    (world.project / name).touch()
    assert _survey(world).read_only == (world.project / name,)
