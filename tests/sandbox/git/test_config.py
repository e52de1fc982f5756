"""What git says of a folder is read as git means it, and git runs nothing of the folder's for it."""

import os
from pathlib import Path

import pytest

from hqt.errors import JailError
from hqt.sandbox.git import config
from hqt.sandbox.git.config import Asker, Named, Setting
from tests.sandbox.jailed import on_host
from tests.world import World

PROJECT, HOME = Path("/p"), Path("/h")


def _named(key: str, value: str, origin: str | None = "/p/.git/config") -> list[Named]:
    setting = Setting(Path(origin) if origin else None, key, value)
    return list(config.named_files([setting], PROJECT, HOME))


@pytest.fixture
def asker(world: World) -> Asker:
    return Asker.of(world.env, world.project)


@pytest.mark.parametrize(
    ("key", "value", "found"),
    [
        ("core.hookspath", ".githooks", [Named(PROJECT / ".githooks", "folder")]),
        ("core.hookspath", "~/hooks", [Named(HOME / "hooks", "folder")]),
        ("core.hookspath", "/abs/../hooks", [Named(Path("/hooks"), "folder")]),
        ("include.path", "../team.cfg", [Named(PROJECT / "team.cfg", "file")]),
        ("includeif.onbranch:x.path", "own.cfg", [Named(PROJECT / ".git/own.cfg", "file")]),
        ("core.fsmonitor", "./m.sh --x", [Named(PROJECT / "m.sh", "file")]),
        ("core.fsmonitor", "true", [Named(PROJECT / "true", "word")]),
        ("filter.x.clean", "sh 'c.sh'", [Named(PROJECT / "sh", "word"), Named(PROJECT / "c.sh", "word")]),
        ("credential.helper", "!a/b", [Named(PROJECT / "a/b", "file")]),
        ("user.name", "/x/y", []),
    ],
)
def test_paths_are_found_where_git_would_look(key: str, value: str, found: list[Named]) -> None:
    assert _named(key, value) == found


def test_links_of_an_index_are_the_repositories_in_it_once_each() -> None:
    index = (
        b"100644 aa 0\tREADME\x00160000 bb 0\tsub/one\x00160000 bb 1\tsub/one\x00"
        b"100644 cc 0\t160000 dd 0 name\x00160000 ee 0\t\xff\x00"
    )
    assert config.links(index) == ("sub/one", os.fsdecode(b"\xff"))
    assert config.links(b"160000 aa 0\tfirst\x00") == ("first",)
    assert config.links(b"") == ()
    forged = b"160000 aa 0\t../x\x00160000 aa 0\ta/.GIT/b\x00160000 aa 0\t/etc\x00160000 aa 0\ta/./b\x00"
    assert config.links(forged) == ()


def test_tracked_files_are_found_by_their_first_part() -> None:
    index = b"100644 aa 0\t.envrc\x00100644 aa 0\t.vscode/a\x00100644 aa 0\tsrc/.envrc\x00"
    assert config.tracked(index, [".envrc", ".vscode"]) == {".envrc", ".vscode/a"}


@pytest.mark.parametrize(
    ("value", "true"), [("true", True), ("", True), ("ON", True), ("false", False), (None, False)]
)
def test_a_value_is_true_as_git_takes_it(value: str | None, true: bool) -> None:
    assert config.is_true(value) is true


def test_the_last_of_several_values_wins() -> None:
    found = tuple(Setting(None, "a.b", value) for value in "12")
    assert config.last(found, "a.b") == "2"
    assert config.last(found, "a.c") is None


def test_settings_are_those_of_the_folder_with_their_files(asker: Asker, world: World) -> None:
    (world.home / ".gitconfig").write_text("[user]\n\tname = A\n[include]\n\tpath = more.cfg\n")
    (world.home / "more.cfg").write_text("[user]\n\tname = B\n")
    on_host(world, "git config a.b c")
    found = {setting.key: setting for setting in asker.settings(world.project)}
    assert found["user.name"] == Setting(world.home / "more.cfg", "user.name", "B")
    assert found["a.b"] == Setting(world.project / ".git/config", "a.b", "c")
    assert "a.b" not in {setting.key for setting in asker.settings(None)}


def test_the_callers_own_git_variables_lead_nowhere(world: World) -> None:
    env = world.env | {
        "GIT_DIR": "/nowhere",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "a.b",
        "GIT_CONFIG_VALUE_0": "c",
    }
    found = Asker.of(env, world.project).settings(world.project)
    assert "core.bare" in {setting.key for setting in found}
    assert "a.b" not in {setting.key for setting in found}


def test_without_git_there_is_nothing_to_know(world: World) -> None:
    asker = Asker.of({"PATH": ""}, world.project)
    assert asker.program is None
    assert asker.settings(world.project) == ()
    assert asker.index(world.project) is None


def test_a_configuration_that_git_can_not_read_is_refused(asker: Asker, world: World) -> None:
    (world.project / ".git/config").write_text("[x\n")
    with pytest.raises(JailError, match="git can't read its configuration in"):
        asker.settings(world.project)


def test_a_pipe_that_is_included_is_not_waited_for(asker: Asker, world: World) -> None:
    on_host(world, "git config include.path ../pipe")
    os.mkfifo(world.project / "pipe")
    with pytest.raises(JailError, match="git does not answer in"):
        asker.settings(world.project)
    assert asker.index_if_any(world.project) == b""


def test_asking_runs_neither_monitors_nor_hooks_nor_filters(asker: Asker, world: World) -> None:
    canary = world.root / "canary"
    script = world.project / "run.sh"
    script.write_text(f"#!/bin/sh\ntouch {canary}\n")
    script.chmod(0o755)
    on_host(
        world,
        "for k in core.fsmonitor core.pager core.sshCommand core.alternateRefsCommand filter.x.clean"
        f" diff.external; do git config $k {script}; done; git config core.hooksPath {world.project};"
        f" cp {script} post-index-change; echo '* filter=x' > .gitattributes; echo more >> README",
    )
    asker.settings(world.project)
    asker.index(world.project)
    assert not canary.exists()
