"""Another jail for a session: only while it is not alive, and only one that it could start in."""

import signal
import subprocess
from pathlib import Path

import pytest

from hqt import sandbox
from hqt.errors import HarnessError, JailError, NoSuchSession, ServiceError
from hqt.sandbox import Availability, SandboxPolicy
from hqt.services import locks, rows
from tests.services.conftest import Desk
from tests.world import wait_until

RW, OFFLINE = SandboxPolicy(), SandboxPolicy(fs="ro", net=False)


def made(desk: Desk, policy: SandboxPolicy | None, *, stopped: bool = True) -> None:
    desk.service.create_session(desk.world.project, "generic", sandbox=policy, args=("cat",))
    if stopped:
        desk.service.stop_session("1")


@pytest.mark.parametrize("before", [None, RW, OFFLINE])
@pytest.mark.parametrize("after", [None, RW, OFFLINE])
def test_the_next_start_is_in_the_jail_that_was_set(
    desk: Desk, before: SandboxPolicy | None, after: SandboxPolicy | None
) -> None:
    made(desk, before)
    view = desk.service.set_sandbox("1", after)
    assert (view.sandbox, view.invalid, view.state) == (after, None, "stopped")
    assert desk.row().sandbox_json == (after.to_json() if after else None)
    desk.service.resume_session("1")
    words = desk.backend.requests[-1].argv
    assert (words[0] == "/usr/bin/bwrap", "--unshare-net" in words) == (after is not None, after == OFFLINE)


@pytest.mark.parametrize("policy", [None, RW])
def test_one_that_is_alive_is_left_alone(desk: Desk, policy: SandboxPolicy | None) -> None:
    made(desk, RW, stopped=False)
    with pytest.raises(ServiceError, match="session 1 is alive: `hqt stop 1` before its jail is changed"):
        desk.service.set_sandbox("1", policy)
    assert desk.row().sandbox_json == RW.to_json()


def test_one_that_lives_with_a_policy_that_cannot_be_read_is_left_alone(desk: Desk) -> None:
    made(desk, RW, stopped=False)
    rows.change(desk.service.database, desk.row().key, {"sandbox_json": "{}"})
    with pytest.raises(ServiceError, match="session 1 is alive"):
        desk.service.set_sandbox("1", RW)
    assert desk.row().sandbox_json == "{}"


def test_a_policy_that_cannot_be_read_is_repaired(desk: Desk) -> None:
    made(desk, RW)
    rows.change(desk.service.database, desk.row().key, {"sandbox_json": "{}"})
    assert desk.service.looker.one("1").state == "broken"
    assert desk.service.set_sandbox("1", OFFLINE).sandbox == OFFLINE
    assert desk.service.resume_session("1").view.state == "running"


def test_without_bubblewrap_no_jail_is_set(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    made(desk, None)
    missing = Availability(ok=False, net_off_ok=False, reason="bubblewrap is missing", remedy="install it")
    monkeypatch.setattr(sandbox, "availability", lambda *_: missing)
    with pytest.raises(JailError, match="bubblewrap is missing"):
        desk.service.set_sandbox("1", RW)
    assert desk.row().sandbox_json is None


def test_a_folder_that_would_undo_the_jail_keeps_the_session_open(desk: Desk) -> None:
    desk.service.create_session(desk.world.home, "generic", args=("cat",))
    desk.service.stop_session("1")
    with pytest.raises(JailError, match="can't be jailed: it is your home folder"):
        desk.service.set_sandbox("1", RW)
    assert desk.row().sandbox_json is None


def test_a_folder_that_is_gone_is_told(desk: Desk) -> None:
    made(desk, RW)
    desk.world.project.rename(desk.world.home / "moved")
    with pytest.raises(ServiceError, match="directory gone"):
        desk.service.set_sandbox("1", None)
    assert desk.row().sandbox_json == RW.to_json()


def test_a_harness_that_is_unknown_is_told(desk: Desk) -> None:
    made(desk, RW)
    rows.change(desk.service.database, desk.row().key, {"harness": "gone"})
    with pytest.raises(HarnessError, match="there is no harness 'gone'"):
        desk.service.set_sandbox("1", None)


def test_an_unknown_session_and_a_held_one_are_told(desk: Desk) -> None:
    with pytest.raises(NoSuchSession):
        desk.service.set_sandbox("1", RW)
    made(desk, None)
    with locks.hold(desk.world.places.session(desk.row().key), limit_s=1), pytest.raises(ServiceError):
        desk.service.set_sandbox("1", RW)


def test_what_an_open_agent_left_running_is_ended_before_it_is_jailed(desk: Desk, tmp_path: Path) -> None:
    made(desk, None, stopped=False)
    key = desk.row().key
    left = subprocess.Popen(["sleep", "600"], env={**desk.world.env, "HQT_SESSION": key}, cwd=tmp_path)
    desk.backend.lose()
    assert desk.service.looker.one("1").state == "lost"
    desk.service.set_sandbox("1", RW)
    assert wait_until(lambda: left.poll() is not None)
    assert left.returncode in (-signal.SIGTERM, -signal.SIGHUP, -signal.SIGKILL)
