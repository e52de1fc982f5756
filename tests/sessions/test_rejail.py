"""Another jail for a session: only while it is not alive, and only one that it could start in."""

import signal
import subprocess
from pathlib import Path

import pytest

from hqt import sandbox
from hqt.errors import HarnessError, JailError, NoSuchSession, ServiceError
from hqt.sandbox import Availability, SandboxPolicy
from hqt.sessions import locks, store
from tests.sessions.rig import Rig
from tests.world import wait_until

RW, OFFLINE = SandboxPolicy(), SandboxPolicy(fs="ro", net=False)


def made(rig: Rig, policy: SandboxPolicy | None, *, stopped: bool = True) -> None:
    rig.service.create_session(rig.world.project, "generic", sandbox=policy, args=("cat",))
    if stopped:
        rig.service.stop_session("1")


@pytest.mark.parametrize("before", [None, RW, OFFLINE])
@pytest.mark.parametrize("after", [None, RW, OFFLINE])
def test_the_next_start_is_in_the_jail_that_was_set(
    rig: Rig, before: SandboxPolicy | None, after: SandboxPolicy | None
) -> None:
    made(rig, before)
    view = rig.service.set_sandbox("1", after)
    assert (view.sandbox, view.invalid, view.state) == (after, None, "stopped")
    assert rig.row().sandbox_json == (after.to_json() if after else None)
    rig.service.resume_session("1")
    words = rig.backend.requests[-1].argv
    assert (words[0] == "/usr/bin/bwrap", "--unshare-net" in words) == (after is not None, after == OFFLINE)


@pytest.mark.parametrize("policy", [None, RW])
def test_one_that_is_alive_is_left_alone(rig: Rig, policy: SandboxPolicy | None) -> None:
    made(rig, RW, stopped=False)
    with pytest.raises(ServiceError, match="session 1 is alive: `hqt stop 1` before its jail is changed"):
        rig.service.set_sandbox("1", policy)
    assert rig.row().sandbox_json == RW.to_json()


def test_one_that_lives_with_a_policy_that_cannot_be_read_is_left_alone(rig: Rig) -> None:
    made(rig, RW, stopped=False)
    store.change(rig.service.database, rig.row().key, {"sandbox_json": "{}"})
    with pytest.raises(ServiceError, match="session 1 is alive"):
        rig.service.set_sandbox("1", RW)
    assert rig.row().sandbox_json == "{}"


def test_a_policy_that_cannot_be_read_is_repaired(rig: Rig) -> None:
    made(rig, RW)
    store.change(rig.service.database, rig.row().key, {"sandbox_json": "{}"})
    assert rig.service.looker.one("1").state == "broken"
    assert rig.service.set_sandbox("1", OFFLINE).sandbox == OFFLINE
    assert rig.service.resume_session("1").view.state == "running"


def test_without_bubblewrap_no_jail_is_set(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    made(rig, None)
    missing = Availability(ok=False, net_off_ok=False, reason="bubblewrap is missing", remedy="install it")
    monkeypatch.setattr(sandbox, "availability", lambda *_: missing)
    with pytest.raises(JailError, match="bubblewrap is missing"):
        rig.service.set_sandbox("1", RW)
    assert rig.row().sandbox_json is None


def test_a_folder_that_would_undo_the_jail_keeps_the_session_open(rig: Rig) -> None:
    rig.service.create_session(rig.world.home, "generic", args=("cat",))
    rig.service.stop_session("1")
    with pytest.raises(JailError, match="can't be jailed: it is your home folder"):
        rig.service.set_sandbox("1", RW)
    assert rig.row().sandbox_json is None


def test_a_folder_that_is_gone_is_told(rig: Rig) -> None:
    made(rig, RW)
    rig.world.project.rename(rig.world.home / "moved")
    with pytest.raises(ServiceError, match="directory gone"):
        rig.service.set_sandbox("1", None)
    assert rig.row().sandbox_json == RW.to_json()


def test_a_harness_that_is_unknown_is_told(rig: Rig) -> None:
    made(rig, RW)
    store.change(rig.service.database, rig.row().key, {"harness": "gone"})
    with pytest.raises(HarnessError, match="there is no harness 'gone'"):
        rig.service.set_sandbox("1", None)


def test_an_unknown_session_and_a_held_one_are_told(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "PATIENCE_S", 0.1)
    with pytest.raises(NoSuchSession):
        rig.service.set_sandbox("1", RW)
    made(rig, None)
    with locks.hold(rig.world.places.session(rig.row().key), limit_s=1), pytest.raises(ServiceError):
        rig.service.set_sandbox("1", RW)


def test_what_an_open_agent_left_running_is_ended_before_it_is_jailed(rig: Rig, tmp_path: Path) -> None:
    made(rig, None, stopped=False)
    key = rig.row().key
    left = subprocess.Popen(["sleep", "600"], env={**rig.world.env, "HQT_SESSION": key}, cwd=tmp_path)
    rig.backend.lose()
    assert rig.service.looker.one("1").state == "lost"
    rig.service.set_sandbox("1", RW)
    assert wait_until(lambda: left.poll() is not None)
    assert left.returncode in (-signal.SIGTERM, -signal.SIGHUP, -signal.SIGKILL)
