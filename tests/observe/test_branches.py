"""Which branch a project is on, told by files that an agent may have written."""

import os
import subprocess
from pathlib import Path

import pytest

from hqt.observe.branches import Branches
from hqt.sandbox.files import untrusted
from tests.world import World


def git(world: World, *words: str, cwd: Path | None = None) -> None:
    named = ("-c", "user.name=Test", "-c", "user.email=test@example.invalid")
    subprocess.run(
        ["git", *named, *words], cwd=cwd or world.project, env=world.env, check=True, capture_output=True
    )


def test_a_branch_a_commit_and_a_worktree_are_told(world: World) -> None:
    branches = Branches()
    assert branches.of(world.project) == "main"
    git(world, "switch", "-q", "-c", "feature/x")
    assert branches.of(world.project) == "feature/x"
    git(world, "switch", "-q", "--detach")
    commit = (world.project / ".git/HEAD").read_text()[:7]
    assert branches.of(world.project) == commit

    tree = world.home / "tree"
    git(world, "worktree", "add", "-q", "-b", "other", str(tree))
    assert branches.of(tree) == "other"
    assert branches.of(world.project) == commit


def test_a_folder_inside_belongs_to_the_repository_above_it(world: World) -> None:
    inside = world.project / "src/deep"
    inside.mkdir(parents=True)
    assert Branches().of(inside) == "main"


def test_where_there_is_no_git_no_branch_is_told(world: World) -> None:
    assert Branches().of(world.home) is None
    assert Branches().of(world.home / "missing") is None


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"nonsense",
        b"ref: refs/tags/x\n",
        b"ref: refs/heads/.invalid\n",  # references in another format
        b"ref: refs/heads/" + b"x" * 300,
        b"ref: refs/heads/a\nref: refs/heads/b\n",
        b"ref: refs/heads/" + b"x" * 100_000,
        b"0123456789abcdef",
    ],
)
def test_what_is_no_branch_is_not_shown(world: World, head: bytes) -> None:
    (world.project / ".git/HEAD").write_bytes(head)
    assert Branches().of(world.project) is None


def test_a_name_in_another_encoding_is_shown_all_the_same(world: World) -> None:
    (world.project / ".git/HEAD").write_bytes(b"ref: refs/heads/caf\xe9\n")
    assert Branches().of(world.project) == "caf\\xe9"


def test_links_pipes_and_loops_hold_nothing_up(world: World) -> None:
    head = world.project / ".git/HEAD"
    head.unlink()
    head.symlink_to(world.home / "secret")
    (world.home / "secret").write_text("ref: refs/heads/secret\n")
    assert Branches().of(world.project) is None
    head.unlink()
    os.mkfifo(head)
    assert Branches().of(world.project) is None

    for text in ("gitdir: /dev/zero", "gitdir: .git", "gitdir: a\0b", "gitdir: " + "x" * 5000, "gitdir: "):
        other = world.home / f"other-{len(text)}-{ord(text[-1])}"
        other.mkdir()
        (other / ".git").write_text(text)
        assert Branches().of(other) is None, text


def test_a_head_that_did_not_change_is_not_read_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    branches = Branches()
    assert branches.of(world.project) == "main"
    read: list[Path] = []
    monkeypatch.setattr(untrusted, "read", lambda path, _: read.append(path))
    assert branches.of(world.project) == "main"
    assert world.project / ".git/HEAD" not in read
