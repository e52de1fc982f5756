"""Git does its work in a jail, wherever the repository lies, and leaves nothing of hqt's behind."""

import os
import time
from pathlib import Path

import pytest

from tests.sandbox.jailed import furnish, inside, on_host
from tests.world import World, needs_bwrap

pytestmark = [pytest.mark.real, needs_bwrap]

_WORK = """set -e
echo a > a; git add a; git commit -qm one
git checkout -qb topic; echo b > b; git add b; git commit -qm two
git checkout -q -; echo c > c; git add c; git commit -qm three
git merge -q --no-edit topic
git checkout -q topic; git rebase -q -; git checkout -q -
echo more >> a; git stash -q; test "$(cat a)" = a; git stash pop -q; git commit -qam four
git tag v1; git branch -qD topic 2>/dev/null; git branch topic2
git worktree add -q -b made made; echo w > made/w; git -C made add w; git -C made commit -qm w
git worktree remove made
git gc -q; git fsck --strict --no-dangling
git status --porcelain
git log --format=%an,%ae | sort -u
"""
_DONE = "Own Name,own@example.invalid\n"


@pytest.fixture(autouse=True)
def _furnished(world: World) -> None:
    furnish(world)


def _works(world: World, folder: Path, log: str = _DONE) -> None:
    done = inside(world, _WORK, folder=folder)
    assert (done.returncode, done.stdout) == (0, log), done
    assert on_host(world, "git log -1 --format=%s", folder).stdout == "four\n"
    assert on_host(world, "git status --porcelain", folder).stdout == ""


def _main(world: World) -> str:
    """The world's own commit, which another has made, is a part of the log."""
    return on_host(world, "git log --format=%an,%ae").stdout


def test_git_works_in_the_main_checkout_and_nothing_of_hqt_stays(world: World) -> None:
    before = _listed(world.project / ".git")
    _works(world, world.project, "".join(sorted({_main(world), _DONE})))
    assert {"commondir"}.isdisjoint(_listed(world.project / ".git") - before)
    assert list((world.places.data / "held").glob("*.json")) == []


def test_git_works_in_a_linked_worktree_and_the_main_checkout_stays_hidden(world: World) -> None:
    on_host(world, "git worktree add -q ../wt")
    _works(world, world.home / "wt", "".join(sorted({_main(world), _DONE})))
    assert inside(world, f"ls -A {world.project}", folder=world.home / "wt").stdout == ".git\n"


def test_git_works_in_a_worktree_whose_pointers_are_relative(world: World) -> None:
    on_host(
        world,
        "git worktree add -q ../wt; echo 'gitdir: ../proj/.git/worktrees/wt' > ../wt/.git;"
        " echo ../../../../wt/.git > .git/worktrees/wt/gitdir",
    )
    _works(world, world.home / "wt", "".join(sorted({_main(world), _DONE})))


def test_git_works_in_a_worktree_of_a_bare_repository(world: World) -> None:
    on_host(world, "git clone -q --bare . ../bare.git; git -C ../bare.git worktree add -q ../wt")
    _works(world, world.home / "wt", "".join(sorted({_main(world), _DONE})))


def test_git_works_where_a_bare_repository_lies_in_the_folder_of_its_worktrees(world: World) -> None:
    on_host(
        world,
        "mkdir ../all; git clone -q --bare . ../all/.bare; echo 'gitdir: ./.bare' > ../all/.git;"
        " git -C ../all worktree add -q main2",
    )
    _works(world, world.home / "all/main2", "".join(sorted({_main(world), _DONE})))
    around = inside(
        world, "git worktree add -q other && git -C main2 log -1 --format=%s", folder=world.home / "all"
    )
    assert (around.returncode, around.stdout, around.stderr) == (0, "four\n", "")


def test_git_works_beside_another_worktree_and_a_worktree_made_inside_stays(world: World) -> None:
    on_host(world, "git worktree add -q ../other")
    _works(world, world.project, "".join(sorted({_main(world), _DONE})))
    assert inside(world, "git worktree add -q mine && echo x > mine/x").returncode == 0
    again = inside(world, "git -C mine status --porcelain && git gc -q")
    assert (again.returncode, again.stdout) == (0, "?? x\n")


def _submodule(world: World) -> Path:
    on_host(
        world,
        "git clone -q . ../lib; git -c protocol.file.allow=always submodule -q add ../lib sub;"
        " git commit -qm s",
    )
    return world.project / "sub"


def test_a_superproject_knows_its_submodules(world: World) -> None:
    _submodule(world)
    done = inside(
        world, "git submodule status && echo x > sub/x && git status --porcelain && git diff --stat"
    )
    assert done.returncode == 0
    assert " sub (heads/main)\n M sub\n" in done.stdout


def test_git_works_in_a_submodule(world: World) -> None:
    _works(world, _submodule(world), "".join(sorted({_main(world).splitlines()[-1] + "\n", _DONE})))


def test_a_part_of_a_repository_says_before_the_start_that_git_is_not_seen(world: World) -> None:
    part = world.project / "part"
    part.mkdir()
    done = inside(world, "git status", folder=part)
    assert done.returncode == 128
    assert done.stderr.splitlines()[0] == (
        f"hqt: note: git does not work in the jail: this is a part of the repository {world.project}:"
        " start there for git"
    )


def test_a_read_only_jail_changes_nothing(world: World) -> None:
    on_host(world, "rm -rf .git/hooks; git worktree add -q wt; git config core.hooksPath dev/hooks")
    before = _everything(world.project)
    done = inside(
        world, "git log -1 --format=%s && git status && git diff; echo x > x; git commit -m x", "--fs", "ro"
    )
    assert done.stdout.startswith("Begin\nOn branch main\n")
    assert _everything(world.project) == before


def test_a_checkout_changes_a_tracked_file_of_the_kind_that_asks_first(world: World) -> None:
    on_host(
        world,
        "mkdir .vscode; echo 1 > .envrc; echo 1 > .vscode/t; git add .; git commit -qm 1;"
        " git checkout -qb other; echo 2 > .envrc; echo 2 > .vscode/t; echo 2 > .vscode/u; git add .;"
        " git commit -qm 2; git checkout -q main; echo own > .vscode/mine",
    )
    done = inside(
        world, "git checkout -q other && git status --porcelain && git merge -q main && echo x > .vscode/mine"
    )
    assert (done.returncode, done.stdout) == (2, "?? .vscode/mine\n"), done
    assert on_host(world, "cat .envrc .vscode/t .vscode/mine").stdout == "2\n2\nown\n"


def test_tracked_files_that_stay_read_only_are_named_before_the_start(world: World) -> None:
    on_host(
        world,
        "mkdir .claude; echo {} > .claude/settings.json; echo {} > .mcp.json; git add .; git commit -qm 1",
    )
    done = inside(world, "true")
    assert done.stderr == (
        "hqt: note: 2 tracked files are read-only in the jail (.claude/settings.json, .mcp.json):"
        " git can't change them there\n"
    )


def test_commits_carry_the_identity_that_a_conditional_include_gives(world: World) -> None:
    (world.home / "work.cfg").write_text("[user]\n\temail = work@example.invalid\n")
    with (world.home / ".gitconfig").open("a") as file:
        file.write(f'[includeIf "gitdir:{world.home}/"]\n\tpath = work.cfg\n[commit]\n\tgpgsign = true\n')
    done = inside(world, "git commit -q --allow-empty -m x && git log -1 --format=%an,%ae && cat ~/work.cfg")
    assert done.stdout == "Own Name,work@example.invalid\n"
    assert done.stderr.startswith(
        "hqt: note: commits made in the jail are unsigned: its keys are not there\n"
    )


def test_the_identity_may_lie_where_xdg_says_or_in_a_variable(world: World) -> None:
    (world.home / ".gitconfig").unlink()
    (world.home / "xdg/git").mkdir(parents=True)
    (world.home / "xdg/git/config").write_text("[user]\n\tname = Elsewhere\n\temail = x@example.invalid\n")
    env = world.env | {"XDG_CONFIG_HOME": str(world.home / "xdg"), "GIT_AUTHOR_NAME": "By Variable"}
    done = inside(world, "git commit -q --allow-empty -m x && git log -1 --format=%an,%ae,%cn", env=env)
    assert done.stdout == "By Variable,x@example.invalid,Elsewhere\n"


def test_the_users_own_list_of_ignored_files_holds_inside(world: World) -> None:
    with (world.home / ".gitconfig").open("a") as file:
        file.write("[core]\n\texcludesFile = ~/.ignored\n")
    (world.home / ".ignored").write_text("*.swp\n")
    done = inside(world, "touch a.swp b && git status --porcelain && echo x >> ~/.ignored")
    assert (done.returncode, done.stdout) == (2, "?? b\n")


@pytest.mark.parametrize(
    "forged",
    [
        "gitdir: @HOME/.ssh",
        "gitdir: ../.ssh",
        "gitdir: .",
        "gitdir: ",
        "gitdir: loop",
        "gitdir: " + "x/" * 2000,
        "gitdir: \\377",
        "gitdir: @HOME/other/.git",
        "gitdir: @HOME/other/.git/worktrees/wt",
        "\\0",
    ],
)
def test_a_forged_pointer_shows_nothing_and_says_so(forged: str, world: World) -> None:
    on_host(
        world, "mkdir ../.ssh; touch ../.ssh/HEAD; mkdir ../.ssh/objects ../.ssh/refs; echo KEY > ../.ssh/id"
    )
    on_host(world, "git clone -q . ../other; git -C ../other worktree add -q ../wt")
    forging = f"rm -rf .git; ln -s loop loop; printf '{forged.replace('@HOME', str(world.home))}\\n' > .git"
    on_host(world, forging)
    done = inside(world, "cat ~/.ssh/id ~/other/README; ls ~/other; git log")
    assert "KEY" not in done.stdout + done.stderr
    assert "a project" not in done.stdout
    assert done.stderr.startswith("hqt: note: git does not work in the jail: ")


@pytest.mark.parametrize(
    "planted",
    [
        "mkdir -p .git/worktrees; ln -s ../../../.ssh .git/worktrees/evil",
        "rm -rf .git/info; ln -s ../../.ssh .git/info",
        "rm -rf .git/branches; ln -s ../../.ssh .git/config.worktree",
        "ln -s ../../.ssh .git/modules",
        "ln -s ../.ssh .vscode; ln -s ../.ssh .claude; ln -s ../.ssh/id .envrc; ln -s ../.ssh .husky",
        "mkdir .claude; ln -s ../../.ssh .claude/hooks; ln -s ../../.ssh/id .claude/settings.json",
        "mkdir .vscode; echo x > .vscode/a; git add .; git commit -qm v; ln -s ../../.ssh .vscode/l",
    ],
)
def test_a_link_planted_where_the_next_start_looks_shows_nothing(planted: str, world: World) -> None:
    on_host(world, "mkdir ../.ssh; echo KEY > ../.ssh/id")
    assert inside(world, planted).returncode == 0
    done = inside(
        world, "find . -name id; cat ~/.ssh/id .git/*/id .git/*/*/id .vscode/id .envrc .claude/*; git status"
    )
    assert "KEY" not in done.stdout + done.stderr
    assert "On branch main" in done.stdout
    assert on_host(world, "ls ../.ssh; cat ../.ssh/id").stdout == "id\nKEY\n"


def test_a_link_planted_in_a_worktrees_own_part_makes_git_read_only(world: World) -> None:
    on_host(world, "git worktree add -q ../wt; mkdir ../.ssh; echo KEY > ../.ssh/id")
    folder = world.home / "wt"
    assert (
        inside(
            world, "ln -s ../../../../.ssh/id $(git rev-parse --git-dir)/config.worktree", folder=folder
        ).returncode
        == 0
    )
    done = inside(
        world, "cat $(git rev-parse --git-dir)/config.worktree; git commit --allow-empty -m x", folder=folder
    )
    assert "KEY" not in done.stdout
    assert done.stderr.startswith("hqt: note: git is read-only in the jail: ")


@pytest.mark.parametrize(
    ("pipe", "words"),
    [
        (".git/index", "is no file, git would hang or fail on it: look at it, then remove it"),
        (".git/HEAD", "is no file, git would hang or fail on it: look at it, then remove it"),
        (".git/config.worktree", "is no file, git would hang or fail on it: look at it, then remove it"),
        ("team.cfg", "look whether a pipe or device lies where git wants a file"),
        (".git/commondir", "is no file, git would hang or fail on it: look at it, then remove it"),
    ],
)
def test_a_pipe_where_git_wants_a_file_is_refused_in_a_sentence_and_soon(
    pipe: str, words: str, world: World
) -> None:
    on_host(world, "git config include.path ../team.cfg")
    path = world.project / pipe
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    began = time.monotonic()
    done = inside(world, "echo RAN")
    assert (done.returncode, done.stdout) == (125, "")
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert time.monotonic() - began < 8


@pytest.mark.parametrize(
    "name", [".envrc", ".mcp.json", ".gitmodules", ".codex", ".git/packed-x", "sub/.git"]
)
def test_a_pipe_elsewhere_holds_nothing_up(name: str, world: World) -> None:
    (world.project / "sub").mkdir()
    os.mkfifo(world.project / name)
    began = time.monotonic()
    done = inside(world, "echo ran")
    assert (done.returncode, done.stdout) == (0, "ran\n")
    assert time.monotonic() - began < 5


def test_a_repository_that_git_can_not_read_starts_no_jail(world: World) -> None:
    (world.project / ".git/index").write_bytes(b"DIRC no more")
    done = inside(world, "echo RAN")
    assert (done.returncode, done.stdout) == (125, "")
    assert "git can't read its index" in done.stderr


def test_a_configuration_that_git_can_not_read_starts_no_jail(world: World) -> None:
    (world.project / ".git/config").write_text("[broken\n")
    done = inside(world, "echo RAN")
    assert (done.returncode, done.stdout) == (125, "")
    assert "git can't read its configuration" in done.stderr


def test_a_git_in_the_project_is_never_the_one_that_hqt_asks(world: World) -> None:
    canary = world.root / "canary"
    tools = world.project / "bin"
    tools.mkdir()
    (tools / "git").write_text(f"#!/bin/sh\ntouch {canary}\n")
    (tools / "git").chmod(0o755)
    env = world.env | {"PATH": f"{tools}:bin:.:{world.env['PATH']}"}
    assert inside(world, "true", env=env).returncode == 0
    assert not canary.exists()


def test_more_guards_than_a_jail_can_have_are_refused_in_a_sentence(world: World) -> None:
    on_host(
        world,
        "mkdir .vscode; touch .vscode/a; git add .; git commit -qm v; cd .vscode; seq 1100 | xargs touch",
    )
    done = inside(world, "echo RAN")
    assert (done.returncode, done.stdout) == (125, "")
    assert "1000 are the most" in done.stderr


def test_names_that_are_no_utf_8_are_no_trouble(world: World) -> None:
    on_host(
        world,
        r"mkdir .vscode; touch .vscode/a $(printf '.vscode/\377') $(printf 'x\376'); git add .vscode/a 'x'*",
    )
    done = inside(world, "echo x > $(printf '.vscode/\\377'); git commit -qm x && echo done")
    assert (done.returncode, done.stdout) == (0, "done\n")


def _listed(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def _everything(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        str(path.relative_to(folder)): (path.lstat().st_ino, path.lstat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
    }
