"""A11: no mount point stays on the host: home and project are afterwards as they were."""

import os
from pathlib import Path

import pytest

from tests.cli.steps import becomes
from tests.sandbox.jailed import inside, on_host
from tests.world import World, needs_bwrap, needs_tmux

pytestmark = [pytest.mark.real, needs_bwrap]

# what the host has, and where in it the jail is; ~/proj is the world's repository
_LAYOUTS = {
    "a repository": ("", "~/proj"),
    "one without hooks": ("rm -rf .git/hooks .git/info", "~/proj"),
    "no repository": ("mkdir ~/plain", "~/plain"),
    "a subfolder of one": ("mkdir sub", "~/proj/sub"),
    "a linked worktree": ("git worktree add -q ../wt", "~/wt"),
    "the main checkout beside it": ("git worktree add -q ../wt", "~/proj"),
    "a worktree inside": ("git worktree add -q in/wt", "~/proj"),
    "by a link": ("ln -s ~/proj ~/link", "~/link"),
    "below a link": ("mkdir ~/real; mv ~/proj ~/real; ln -s real/proj ~/proj", "~/proj"),
    "guards of every kind": (
        "mkdir -p .claude/hooks .vscode .codex .kiro/settings; echo {} > .claude/settings.json;"
        "echo {} > .vscode/tasks.json; echo : > .envrc; echo {} > .mcp.json; touch .gitmodules",
        "~/proj",
    ),
    "a folder with one guard": ("mkdir .claude; touch .claude/settings.json", "~/proj"),
    "hooks that configuration names and nobody made": ("git config core.hooksPath x/hooks", "~/proj"),
    "an include that nobody made": ("git config include.path ../x/inc", "~/proj"),
    "programs in the project": ("mkdir -p bin node_modules/.bin; ln -s /bin/true bin/claude", "~/proj"),
    "a harness's folder with links": (
        "mkdir -p ~/.claude/agents ~/d/e; touch ~/d/e/f; ln -s ~/d/e/f ~/.claude/agents/f;"
        "ln -s ~/d/e/f ~/.claude/settings.json",
        "~/proj",
    ),
    "below a place of a cache": ("mkdir -p ~/.m2/x ~/go/src/x", "~/.m2/x"),
    "beside a place of a cache": ("mkdir -p ~/go/src/x", "~/go/src/x"),
}


@pytest.mark.parametrize("fs", ["rw", "ro"])
@pytest.mark.parametrize(("made", "folder"), _LAYOUTS.values(), ids=_LAYOUTS)
def test_after_a_command_that_does_nothing_all_is_as_it_was(
    world: World, made: str, folder: str, fs: str
) -> None:
    on_host(world, f"mkdir -p ~/.claude/projects; {made}")
    before = tree(world)
    path = Path(folder.replace("~", str(world.home)))
    env = {**world.env, "PATH": f"{world.project}/bin:{world.env['PATH']}"}
    done = inside(world, "true", "--fs", fs, "--harness", "claude", folder=path, env=env)
    assert done.returncode == 0, done
    assert tree(world) == before


def test_a_harness_whose_folder_lies_in_the_project_is_refused_and_leaves_nothing(world: World) -> None:
    before = tree(world)
    for harness, variable in (("codex", "CODEX_HOME"), ("claude", "CLAUDE_CONFIG_DIR")):
        env = {**world.env, variable: str(world.project / "state")}
        done = inside(world, "touch ran", "--harness", harness, env=env)
        assert (done.returncode, done.stdout) == (125, "")
        assert "lies in the project" in done.stderr
    assert tree(world) == before


@needs_tmux
def test_after_a_session_all_is_as_it_was(world: World) -> None:
    on_host(world, "rm -rf .git/hooks; mkdir .vscode; echo {} > .vscode/tasks.json")
    before = tree(world)
    done = world.hqt("new", "-s", "--harness", "generic", "--", "sh", "-c", "sleep 1; exit 0")
    assert done.returncode == 0, done
    assert becomes(world, 1, "exited")
    world.hqt("rm", "1")
    assert tree(world) == before


def tree(world: World) -> dict[str, tuple[int, int]]:
    """Mode and size of all in the home, but for what hqt keeps for itself."""
    own = (world.places.data, world.places.state)
    found = {}
    for path in world.home.rglob("*"):
        if not any(path == each or each in path.parents or path in each.parents for each in own):
            seen = path.lstat()
            found[os.fsdecode(path)] = (seen.st_mode, 0 if path.is_dir() else seen.st_size)
    return found
