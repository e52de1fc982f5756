"""tmux and git are there, new enough and answer."""

from pathlib import Path

import pytest

from hqt.doctor import programs
from hqt.doctor.check import Check
from hqt.sandbox.files import untrusted
from tests.world import World

INSTALL = "install tmux 3.2 or newer with your package manager"
LACKS = "agents' escape codes can pass to your terminal, and its own line stands on an ended screen"


def _tmux(state: str, detail: str, remedy: str | None = None) -> Check:
    return Check("tmux", "tmux", state, detail, remedy)  # type: ignore[arg-type]


def test_this_python_will_do() -> None:
    assert programs.python().state == "ok"


def test_no_tmux_fails() -> None:
    assert programs.tmux(None) == _tmux("failed", "tmux is not on PATH", INSTALL)


def test_no_git_is_missing_and_fails_nothing() -> None:
    missing = Check("git", "git", "missing", "git is not on PATH", "install git with your package manager")
    assert programs.git(None) == missing


@pytest.mark.parametrize(
    ("answer", "state", "detail", "remedy"),
    [
        ("tmux 3.1c", "failed", "3.1c, {}, is too old", INSTALL),
        (
            "tmux 3.2a",
            "warning",
            f"3.2a, {{}}: {LACKS}",
            "install tmux 3.3 or newer with your package manager",
        ),
        ("tmux 3.3a", "ok", "3.3a, {}", None),
        ("tmux next-3.6", "ok", "next-3.6, {}", None),
        ("tmux master", "ok", "master, {}", None),
    ],
)
def test_an_old_tmux_is_told_from_one_that_lacks_a_little(
    world: World, answer: str, state: str, detail: str, remedy: str | None
) -> None:
    tmux = world.tool("tmux", f"echo {answer}")
    assert programs.tmux(tmux) == _tmux(state, detail.format(tmux), remedy)


def test_a_tmux_that_can_not_run_fails(world: World) -> None:
    tmux = world.tool("tmux", "echo 'error while loading shared libraries' >&2; exit 127")
    remedy = "install tmux again with your package manager"
    assert programs.tmux(tmux) == _tmux("failed", f"{tmux} does not tell its version", remedy)


def test_git_tells_its_version(world: World) -> None:
    git = world.tool("git", "echo git version 2.50.1")
    assert programs.git(git) == Check("git", "git", "ok", f"2.50.1, {git}")


def test_a_version_on_standard_error_is_as_good(world: World) -> None:
    git, tmux = world.tool("git", "echo git version 2.50.1 >&2"), world.tool("tmux", "echo tmux 3.4 >&2")
    assert programs.git(git) == Check("git", "git", "ok", f"2.50.1, {git}")
    assert programs.tmux(tmux) == _tmux("ok", f"3.4, {tmux}", None)


def test_relative_entries_of_path_are_not_looked_in(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    git = world.tool("git", ":")
    monkeypatch.chdir(git.parent)
    assert untrusted.program("git", {"PATH": ":.:bin"}) is None
    assert untrusted.program("git", {"PATH": f".:{git.parent}"}) == Path(git)
    assert untrusted.program("git", {}) is None
