"""Tests of looking at what an agent may have put there."""

from pathlib import Path

import pytest

from hqt.sandbox.files import untrusted
from tests.world import World, needs_bwrap, needs_tmux


def _planted(folder: Path, name: str, trace: Path) -> Path:
    """A program of an agent's that leaves a trace where it runs outside."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\ntouch {trace}\nexit 1\n")
    file.chmod(0o755)
    return file


def test_a_program_of_the_project_is_passed_over_for_the_next(tmp_path: Path) -> None:
    project, tools = tmp_path / "project", tmp_path / "tools"
    _planted(project / "bin", "git", tmp_path / "ran")
    own = _planted(tools, "git", tmp_path / "ran")
    env = {"PATH": f"{project}/bin:{tools}"}
    assert untrusted.program("git", env, project) == own
    assert untrusted.program("git", env) == project / "bin" / "git"


def test_a_link_out_of_and_a_link_into_the_project_are_passed_over(tmp_path: Path) -> None:
    project, tools = tmp_path / "project", tmp_path / "tools"
    planted = _planted(project / "bin", "git", tmp_path / "ran")
    tools.mkdir()
    (tools / "git").symlink_to(planted)
    (project / "out").symlink_to(tools)
    assert untrusted.program("git", {"PATH": f"{tools}:{project}/out"}, project) is None


@pytest.mark.real
@needs_tmux
@needs_bwrap
def test_nothing_that_lies_in_the_project_is_run_by_hqt(world: World) -> None:
    trace = world.root / "ran"
    for name in ("bwrap", "git", "tmux", "env", "python3"):
        _planted(world.project / "bin", name, trace)
    env = world.env | {"PATH": f"{world.project}/bin:{world.env['PATH']}"}
    done = world.hqt("sandbox", "exec", "-C", str(world.project), "--", "/bin/true", env=env)
    assert (done.stderr, done.returncode, trace.exists()) == ("", 0, False)
    made = world.hqt("new", str(world.project), "-s", "--harness", "generic", "--", "sleep", "60")
    assert made.returncode == 0
    for words in (["list"], ["show", "1"], ["stop", "1"], ["resume", "1"], ["rm", "1", "--force"]):
        assert world.hqt(*words, env=env).returncode == 0
    assert not trace.exists()
