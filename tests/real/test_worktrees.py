"""Claude Code and Codex at work in a linked worktree: they commit, and the main checkout stays whole."""

import subprocess

import pytest

from tests.real.agent import Agent
from tests.world import needs_bwrap, needs_tmux

pytestmark = [pytest.mark.harness, needs_tmux, needs_bwrap]

_IDENTITY = "[user]\n\tname = Own Name\n\temail = own@example.invalid\n"


def git(agent: Agent, *words: str) -> str:
    """What git says on the host, in the main checkout."""
    argv = ["git", "-C", str(agent.world.project), *words]
    done = subprocess.run(argv, env=agent.world.env, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_it_commits_in_a_worktree_and_can_plant_no_hook(agent: Agent) -> None:
    world = agent.world
    (world.home / ".gitconfig").write_text(_IDENTITY)
    worktree = world.home / "worktree"
    git(agent, "worktree", "add", "-q", "-b", "task", str(worktree))
    hooks = world.project / ".git/hooks"
    before = sorted(hooks.iterdir())

    commit = (
        f"%write {worktree}/made.txt\n%bash git add made.txt && git commit -q -m 'made inside' && echo done"
    )
    # gemini runs no command with another in it
    plant = "%bash echo evil > ../proj/.git/hooks/post-checkout; ls -A ../proj | xargs printf '[%s]'"
    agent.start(f"{commit}\n{plant}", str(worktree))
    agent.wait_for("FAKE-DONE")

    _, committed, planted = agent.talks()[-1].results
    assert committed.strip() == "done"
    assert "read-only file system" in planted.lower()
    assert "[.git]" in planted  # of the main checkout nothing else is there
    assert git(agent, "log", "-1", "--format=%s, %an <%ae>, %cn <%ce>", "task") == (
        "made inside, Own Name <own@example.invalid>, Own Name <own@example.invalid>"
    )
    assert git(agent, "show", "--name-only", "--format=", "task") == "made.txt"
    assert git(agent, "status", "--porcelain") == ""
    assert sorted(hooks.iterdir()) == before
