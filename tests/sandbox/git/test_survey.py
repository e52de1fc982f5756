"""The survey of a repository: its laws over trees of files, folders and links, and its exact answers."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hqt.errors import JailError
from hqt.sandbox import guards
from hqt.sandbox.files.private import Private
from hqt.sandbox.git import survey
from hqt.sandbox.git.survey import Git, Made
from hqt.sandbox.policy import Bind, SandboxPolicy
from hqt.sandbox.read_only import read_only_binds
from tests.sandbox.jailed import on_host
from tests.world import World

RW, RO = SandboxPolicy(), SandboxPolicy(fs="ro")


def _surveyed(world: World, policy: SandboxPolicy = RW, project: Path | None = None) -> Git:
    private = Private.of(world.home, world.places.own())
    return survey.survey(project or world.project, policy, private, world.env)


def _sealed(path: Path) -> Bind:
    return Bind(path, dst=path)


def _writable(path: Path) -> Bind:
    return Bind(path, writable=True, dst=path)


def test_a_main_checkout_is_writable_but_for_what_git_is_led_by(world: World) -> None:
    dot_git = world.project / ".git"
    found = _surveyed(world)
    assert (found.kind, found.folder) == ("main", dot_git)
    assert found.mounts == (
        _writable(dot_git),
        _sealed(dot_git / "commondir"),
        _sealed(dot_git / "config"),
        _sealed(dot_git / "hooks"),
    )
    assert found.makes == (Made(dot_git / "hooks", None), Made(dot_git / "commondir", b".\n"))
    assert found.notes == ()


def test_a_read_only_jail_mounts_it_read_only_and_makes_nothing(world: World) -> None:
    found = _surveyed(world, RO)
    assert found.mounts == (_sealed(world.project / ".git"),)
    assert (found.makes, found.sealed, found.index) == ((), (), b"")


def test_a_worktree_shows_the_common_folder_and_seals_the_others(world: World) -> None:
    on_host(world, "git worktree add -q ../one; git worktree add -q ../two")
    common = world.project / ".git"
    found = _surveyed(world, project=world.home / "one")
    assert (found.kind, found.folder) == ("worktree", common)
    assert found.mounts == (
        _writable(common),
        _sealed(common / "commondir"),
        _sealed(common / "config"),
        _sealed(common / "hooks"),
        _writable(common / "worktrees"),
        _writable(common / "worktrees/one"),
        _sealed(common / "worktrees/one/commondir"),
        _sealed(common / "worktrees/one/gitdir"),
        _sealed(common / "worktrees/two"),
    )
    assert found.sealed == (world.home / "one/.git",)


def test_a_repository_of_another_folder_is_not_believed(world: World) -> None:
    on_host(world, "git worktree add -q ../one; mkdir ../fake; cp ../one/.git ../fake/.git")
    found = _surveyed(world, project=world.home / "fake")
    assert (found.kind, found.folder, found.mounts) == ("none", None, ())
    assert found.notes == (
        f"git does not work in the jail: {world.home}/fake/.git leads to no repository of this folder",
    )


def test_a_repository_in_a_private_folder_is_not_shown(world: World) -> None:
    on_host(
        world,
        "mkdir ../.config; git clone -q --bare . ../.config/bare;"
        " git -C ../.config/bare worktree add -q ~/wt",
    )
    assert _surveyed(world, project=world.home / "wt").kind == "none"


def test_where_there_is_no_repository_its_beginnings_are_watched(world: World) -> None:
    plain = world.home / "plain"
    plain.mkdir()
    found = _surveyed(world, project=plain)
    assert {path.relative_to(plain).as_posix() for path in found.watched} == {
        ".git/config",
        ".git/config.worktree",
        ".git/commondir",
        ".git/hooks",
        ".git/info/attributes",
        "HEAD",
    }
    assert found.notes == ()


def test_settings_reach_git_by_its_numbered_variables() -> None:
    found = survey.environment(Git(config=(("user.name", "A"), ("a.b", "c"))))
    assert found == {
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": "user.name",
        "GIT_CONFIG_VALUE_0": "A",
        "GIT_CONFIG_KEY_1": "a.b",
        "GIT_CONFIG_VALUE_1": "c",
    }


# everything that an agent could lay out in a repository and that the next survey looks at
_PLACES = (
    ".git/hooks .git/config.worktree .git/commondir .git/info .git/info/attributes .git/modules "
    ".git/worktrees .git/worktrees/x .git/worktrees/y .git/worktrees/x/gitdir .git/own.cfg "
    ".git/packed-refs .claude "
    ".claude/settings.json .claude/hooks .vscode .vscode/a .envrc .mcp.json .husky .gitmodules sub sub/.git "
    "team.cfg dev dev/hooks"
).split()
_TARGETS = ("/etc", "../.ssh", "../../.ssh", "../../../.ssh", "loop", ".", "README", "nowhere", "sub")
_things = st.one_of(
    st.just("folder"),
    st.just("file"),
    st.just("pipe"),
    st.sampled_from(_TARGETS).map(lambda to: f"link {to}"),
)
_layouts = st.dictionaries(st.sampled_from(_PLACES), _things, max_size=9)
_configured = st.lists(
    st.sampled_from(
        (
            ("core.hooksPath", "dev/hooks"),
            ("include.path", "../team.cfg"),
            ("include.path", "own.cfg"),
            ("extensions.worktreeConfig", "true"),
            ("core.fsmonitor", "./team.cfg"),
        )
    ),
    max_size=3,
    unique=True,
)


def _lay_out(project: Path, layout: dict[str, str]) -> None:
    for name, thing in sorted(layout.items()):
        path = project / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir() and not path.is_symlink() and thing != "folder":
                path.rename(path.with_name(f"{path.name}.before"))
            if thing == "folder":
                path.mkdir(exist_ok=True)
            elif thing == "file":
                path.write_text(".\n")
            elif thing == "pipe":
                os.mkfifo(path)
            else:
                path.symlink_to(thing.removeprefix("link "))
        except OSError:  # one thing is in another's way
            continue


@contextmanager
def _project() -> Iterator[tuple[Path, dict[str, str]]]:
    with tempfile.TemporaryDirectory(prefix="hqt-law-") as made:
        home = Path(made).resolve() / "home"
        project = home / "proj"
        (home / ".ssh").mkdir(parents=True)
        (home / ".ssh/id").write_text("KEY")
        for folder in ("objects", "refs", "hooks", "info"):
            (project / ".git" / folder).mkdir(parents=True)
        (project / ".git/HEAD").write_text("ref: refs/heads/main\n")
        yield project, {"HOME": str(home), "PATH": os.environ["PATH"]}


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(layout=_layouts, configured=_configured)
def test_whatever_lies_there_no_mount_leads_elsewhere_and_none_opens_what_is_sealed(
    layout: dict[str, str], configured: list[tuple[str, str]]
) -> None:
    with _project() as (project, env):
        lines = "".join(
            f"[{key.partition('.')[0]}]\n\t{key.partition('.')[2]} = {value}\n" for key, value in configured
        )
        (project / ".git/config").write_text(
            f"[core]\n\trepositoryformatversion = 0\n\tbare = false\n{lines}"
        )
        _lay_out(project, layout)
        private = Private.of(project.parent, ())
        try:
            found = survey.survey(project, RW, private, env)
            kept = guards.survey(project, found)
        except JailError:
            return
        made = {each.path for each in found.makes}
        mounts = (*read_only_binds(project, kept.read_only), *found.mounts)
        for bind in mounts:
            assert bind.src == bind.inside
            assert project in bind.src.parents
            assert bind.src in made or bind.src.exists()
            assert bind.src.resolve() == bind.src
        for each in found.makes:
            assert project in each.path.parents
        order = [bind.inside for bind in found.mounts]
        assert all(
            order.index(above) < place
            for place, path in enumerate(order)
            for above in path.parents
            if above in order
        )
        _nothing_sealed_is_writable(project, mounts)


def _nothing_sealed_is_writable(project: Path, mounts: tuple[Bind, ...]) -> None:
    def is_writable(path: Path) -> bool:
        # a later mount covers all that was mounted below it before
        around = [bind for bind in mounts if bind.inside == path or bind.inside in path.parents]
        return around[-1].writable if around else True

    for name in ("config", "hooks", "commondir", "config.worktree", "info/attributes", "modules"):
        path = project / ".git" / name
        if os.path.lexists(path):
            assert not is_writable(path), path
    for name in (".claude/settings.json", ".claude/hooks", ".mcp.json", ".husky", "sub/.git", ".gitmodules"):
        path = project / name
        if path.exists() and path.resolve() == path and name != "sub/.git":
            assert not is_writable(path), path


@pytest.mark.parametrize("name", ["HEAD", "index", "config", "packed-refs"])
def test_a_pipe_that_git_would_open_is_refused_before_git_is_asked(name: str, world: World) -> None:
    (world.project / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(world.project / ".git" / name)
    with pytest.raises(JailError, match="is no file, git would hang or fail on it"):
        _surveyed(world)
