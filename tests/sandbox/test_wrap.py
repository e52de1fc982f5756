"""The first design's `hqt.sandbox.wrap`, for the machine as it is."""

import subprocess
from pathlib import Path

import pytest

from hqt import sandbox
from hqt.errors import JailError
from hqt.sandbox import Bind, SandboxPolicy
from tests.world import World, needs_bwrap


@pytest.fixture
def here(world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    for name, value in world.env.items():
        monkeypatch.setenv(name, value)
    return world


def run(argv: list[str], here: World) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        argv, env=here.env, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr
    return done


def test_without_bwrap_nothing_is_wrapped(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(JailError, match=r"bubblewrap \(bwrap\) is not on PATH: install bubblewrap"):
        sandbox.wrap(["true"], here.project, SandboxPolicy(), [])


def test_the_home_is_not_wrapped(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    found = sandbox.Availability(ok=True, net_off_ok=True, bwrap=Path("/usr/bin/bwrap"))
    monkeypatch.setattr(sandbox, "availability", lambda *_: found)
    with pytest.raises(JailError, match="is your home folder"):
        sandbox.wrap(["true"], here.home, SandboxPolicy(), [])


@pytest.mark.real
@needs_bwrap
def test_what_is_wrapped_runs_and_sees_the_project_and_its_binds_only(here: World) -> None:
    state, project = here.home / "state", here.home / "plain"
    state.mkdir()
    project.mkdir()
    command = ["sh", "-c", "echo made > made; echo kept > ~/state/kept; ls -A ~"]
    argv = sandbox.wrap(command, project, SandboxPolicy(net=False), [Bind(state, writable=True)])
    done = run(argv, here)
    assert (project / "made").read_text() == "made\n"
    assert (state / "kept").read_text() == "kept\n"
    assert set(done.stdout.split()) == {"plain", "state", ".local"}  # .local/bin is a tool root


@pytest.mark.real
@needs_bwrap
@pytest.mark.parametrize("fs", ["rw", "ro"])
@pytest.mark.parametrize("net", [True, False])
def test_the_command_stands_last_whatever_the_policy(here: World, fs: sandbox.policy.Fs, net: bool) -> None:
    argv = sandbox.wrap(["sh", "-c", "a b"], here.project, SandboxPolicy(fs=fs, net=net), [])
    assert argv[-4:] == ["--default-signal=INT", "sh", "-c", "a b"]
    assert ("--unshare-net" in argv) is not net
    bind = "--bind" if fs == "rw" else "--ro-bind"
    at = argv.index(str(here.project))
    assert argv[at - 1 : at + 2] == [bind, str(here.project), str(here.project)]
