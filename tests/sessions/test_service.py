"""What the service promises: nothing half done, never bare, never twice."""

import os
import signal
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hqt import sandbox
from hqt.db.reader import SessionRow
from hqt.errors import BackendError, DatabaseError, HarnessError, HqtError, JailError, ServiceError
from hqt.observe.views import Exit
from hqt.sandbox import Availability, SandboxPolicy
from hqt.sessions import locks, store
from hqt.sessions.service import SessionService
from hqt.values import replace
from tests.backends.fake_backend import FakeBackend, Fate
from tests.sessions.rig import Rig
from tests.world import LIVES

_JAIL = SandboxPolicy()
_TRANSCRIPT = '{"type":"user","message":"hi"}\n'


def _claude(rig: Rig) -> None:
    rig.world.tool("claude", LIVES)


def _talk(rig: Rig, conversation: str | None) -> Path:
    folder = rig.world.home / ".claude/projects/any"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{conversation}.jsonl"
    file.write_text(_TRANSCRIPT)
    return file


def test_a_start_is_remembered_and_shown(rig: Rig) -> None:
    outcome = rig.service.create_session(rig.world.project, "generic", args=("cat", "-u"))
    assert (outcome.view.state, outcome.lines, outcome.notes) == ("running", (), ())
    row = rig.row()
    assert (row.name, row.phase, row.args, row.sandbox_json) == (
        "proj-generic",
        "running",
        ("cat", "-u"),
        None,
    )
    request = rig.backend.requests[0]
    said = (request.argv, request.cwd, request.title, request.jail)
    assert said == (("cat", "-u"), rig.world.project, "proj-generic", "OPEN")
    assert request.env["HQT_SESSION"] == row.key


def test_a_jailed_start_wraps_the_command_in_bwrap(rig: Rig) -> None:
    outcome = rig.service.create_session(rig.world.project, "generic", sandbox=_JAIL, args=("cat",))
    assert outcome.view.sandbox == _JAIL
    assert rig.row().sandbox_json == _JAIL.to_json()
    argv = rig.backend.requests[0].argv
    assert argv[0] == "/usr/bin/bwrap"
    assert argv[-4:] == ("--", "/usr/bin/env", "--default-signal=INT", "cat")
    assert "HQT_SESSION" not in rig.backend.requests[0].env


_MISSING = Availability(ok=False, net_off_ok=False, reason="bubblewrap is missing", remedy="install it")
_NO_OFFLINE = replace(
    _MISSING, ok=True, bwrap=Path("/usr/bin/bwrap"), reason="loopback: Failed RTM_NEWADDR", remedy="ask root"
)


@pytest.mark.parametrize(
    ("found", "policy", "sentence"),
    [
        (_MISSING, _JAIL, "a jail can't be made here: bubblewrap is missing: install it"),
        (
            _NO_OFFLINE,
            SandboxPolicy(net=False),
            "an offline jail can't be made here: loopback: Failed RTM_NEWADDR: ask root",
        ),
    ],
)
def test_without_bwrap_a_jail_is_refused_with_no_row_no_pane_no_folder(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, found: Availability, policy: SandboxPolicy, sentence: str
) -> None:
    monkeypatch.setattr(sandbox, "availability", lambda *_: found)
    with pytest.raises(JailError) as refused:
        rig.service.create_session(rig.world.project, "generic", sandbox=policy, args=("cat",))
    assert str(refused.value) == sentence
    assert (rig.rows(), rig.backend.requests, rig.folders()) == ((), [], [])


def test_where_only_offline_jails_fail_the_others_start(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "availability", lambda *_: _NO_OFFLINE)
    outcome = rig.service.create_session(rig.world.project, "generic", sandbox=_JAIL, args=("cat",))
    assert outcome.view.state == "running"


@pytest.mark.parametrize("jail", [None, _JAIL])
def test_a_start_that_never_ran_leaves_nothing(rig: Rig, jail: SandboxPolicy | None) -> None:
    rig.backend.fates = ["never runs"]
    with pytest.raises(JailError if jail else ServiceError, match="its last words"):
        rig.service.create_session(rig.world.project, "generic", sandbox=jail, args=("cat",))
    assert (rig.rows(), rig.backend.panes().panes, rig.folders()) == ((), (), [])


@pytest.mark.parametrize("jail", [None, _JAIL])
def test_a_program_that_ran_and_ended_keeps_its_row_and_words(rig: Rig, jail: SandboxPolicy | None) -> None:
    rig.backend.fates = ["ends"]
    outcome = rig.service.create_session(rig.world.project, "generic", sandbox=jail, args=("cat",))
    assert (outcome.view.state, outcome.view.exit) == ("exited", Exit(code=3))
    assert outcome.lines == ("its last words",)
    assert outcome.view.ended_at is not None


@pytest.mark.parametrize(
    ("chosen", "error"),
    [
        ({"name": "7"}, ServiceError),
        ({"name": "a\nb"}, ServiceError),
        ({"name": "taken"}, ServiceError),
        ({"harness": "nano"}, HarnessError),
        ({"harness": "claude"}, HarnessError),  # not installed
        ({"prompt": "hi"}, HarnessError),  # a plain command takes none
        ({"prompt": "x" * (100 * 1024 + 1)}, ServiceError),
        ({"args": ("cat", "x" * 131_072)}, ServiceError),
        ({"args": ("no-such-program",)}, HarnessError),
        ({"env_names": ("NOT_SET",)}, ServiceError),
        ({"directory": Path("/no/such/folder")}, ServiceError),
        ({"directory": Path("/etc/passwd")}, ServiceError),
        ({"sandbox": _JAIL, "directory": Path("/")}, JailError),
        ({"sandbox": _JAIL, "directory": Path("/no/such/folder")}, JailError),
        ({"sandbox": _JAIL, "env_names": ("XDG_RUNTIME_DIR",)}, JailError),
        ({"sandbox": _JAIL, "args": ("A=B",)}, HqtError),
    ],
)
def test_what_is_refused_leaves_no_row_no_pane_and_no_folder(
    rig: Rig, chosen: dict[str, Any], error: type[HqtError]
) -> None:
    taken = rig.service.create_session(rig.world.project, "generic", name="taken", args=("cat",)).view
    before = rig.rows()
    wanted: dict[str, Any] = {"directory": rig.world.project, "harness": "generic", "args": ("cat",)}
    with pytest.raises(error):
        rig.service.create_session(**{**wanted, **chosen})
    assert rig.rows() == before
    assert len(rig.backend.requests) == 1
    assert rig.folders() == [taken.key]


def test_a_folder_whose_name_cannot_be_stored_leaves_nothing(rig: Rig) -> None:
    folder = Path(os.fsdecode(os.fsencode(rig.world.home) + b"/\xff"))
    folder.mkdir()
    with pytest.raises(DatabaseError, match="is not UTF-8"):
        rig.service.create_session(folder, "generic", args=("cat",))
    assert (rig.rows(), rig.backend.requests, rig.folders()) == ((), [], [])


def test_a_backend_that_refuses_leaves_nothing(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise BackendError("tmux refused")

    monkeypatch.setattr(FakeBackend, "spawn", refuse)
    with pytest.raises(BackendError, match="tmux refused"):
        rig.service.create_session(rig.world.project, "generic", args=("cat",))
    assert (rig.rows(), rig.folders()) == ((), [])


def test_ctrl_c_during_a_start_leaves_nothing(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(FakeBackend, "spawn", interrupt)
    with pytest.raises(KeyboardInterrupt):
        rig.service.create_session(rig.world.project, "generic", args=("cat",))
    assert (rig.rows(), rig.folders()) == ((), [])


def _stopped_jail(rig: Rig) -> SessionRow:
    rig.service.create_session(rig.world.project, "generic", sandbox=_JAIL, args=("cat",))
    rig.service.stop_session("1")
    return rig.row()


@pytest.mark.parametrize(
    "stored", ["", "{", "null", "{}", '{"fs": "rw", "net": 1}', '{"fs": "rw", "net": true, "x": 1}']
)
def test_a_stored_policy_that_cannot_be_read_stops_every_respawn(rig: Rig, stored: str) -> None:
    _stopped_jail(rig)
    store.change(rig.service.database, rig.row().key, {"sandbox_json": stored})
    before = rig.row()
    for respawn in (
        lambda: rig.service.resume_session("1"),
        lambda: rig.service.resume_session("1", fresh=True),
        lambda: rig.service.resume_session("1", fallback=False),
        lambda: rig.service.attach_session("1"),
    ):
        with pytest.raises(JailError, match="session 1 is not started: the stored jail policy"):
            respawn()
    assert rig.row() == before
    assert (len(rig.backend.requests), rig.backend.panes().panes) == (1, ())


def test_a_stored_policy_that_cannot_be_honoured_stops_every_respawn(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _stopped_jail(rig)
    monkeypatch.setattr(sandbox, "availability", lambda *_: _MISSING)
    for respawn in (
        lambda: rig.service.resume_session("1"),
        lambda: rig.service.resume_session("1", fresh=True),
        lambda: rig.service.attach_session("1"),
    ):
        with pytest.raises(JailError, match="bubblewrap is missing"):
            respawn()
    assert rig.row() == before
    assert (len(rig.backend.requests), rig.backend.panes().panes) == (1, ())


def test_a_row_whose_arguments_cannot_be_read_is_not_started_and_can_be_removed(rig: Rig) -> None:
    _stopped_jail(rig)
    with rig.service.database.transaction() as session:
        session.connection().exec_driver_sql("UPDATE session SET args = '{'")
    with pytest.raises(ServiceError, match="can't be read: `hqt rm 1`"):
        rig.service.resume_session("1")
    rig.service.delete_session("1")
    assert (rig.rows(), rig.folders(), len(rig.backend.requests)) == ((), [], 1)


def test_both_rungs_of_a_respawn_run_in_the_rows_own_jail(rig: Rig) -> None:
    _claude(rig)
    policy = SandboxPolicy("ro", net=False)
    created = rig.service.create_session(rig.world.project, "claude", sandbox=policy, args=("--model", "m"))
    transcript = _talk(rig, created.view.conversation)
    rig.service.stop_session("1")
    rig.backend.fates = ["ends", "lives"]
    outcome = rig.service.resume_session("1")
    _, resumed, fresh = (request.argv for request in rig.backend.requests)
    for argv in (resumed, fresh):
        assert argv[0] == "/usr/bin/bwrap"
        assert "--unshare-net" in argv
        assert ("--ro-bind", str(rig.world.project)) in pairwise(argv)
        assert argv[-2:] == ("--model", "m")
    assert ("--resume", str(created.view.conversation)) in pairwise(resumed)
    assert ("--session-id", str(outcome.view.conversation)) in pairwise(fresh)
    assert outcome.view.conversation != created.view.conversation
    assert outcome.view.note == (
        "started fresh as it could not be resumed (its last words); the previous conversation is "
        f"{created.view.conversation}"
    )
    assert transcript.exists()


def test_without_fallback_a_resume_that_ends_stays_ended_with_its_conversation(rig: Rig) -> None:
    _claude(rig)
    created = rig.service.create_session(rig.world.project, "claude").view
    _talk(rig, created.conversation)
    rig.service.stop_session("1")
    rig.backend.fates = ["ends"]
    outcome = rig.service.resume_session("1", fallback=False)
    assert (outcome.view.state, outcome.view.conversation) == ("exited", created.conversation)
    assert (outcome.lines, len(rig.backend.requests)) == (("its last words",), 2)


def test_a_resume_that_somebody_ended_takes_no_conversation_from_its_session(rig: Rig) -> None:
    """Who runs out of memory, or is hung up on, has not said that it does not know its conversation."""
    _claude(rig)
    created = rig.service.create_session(rig.world.project, "claude").view
    _talk(rig, created.conversation)
    rig.service.stop_session("1")
    rig.backend.fates, rig.backend.code = ["ends"], -signal.SIGKILL
    outcome = rig.service.resume_session("1")
    assert (outcome.view.state, outcome.view.exit) == ("exited", Exit(signal=signal.SIGKILL))
    assert (outcome.view.conversation, outcome.view.note) == (created.conversation, None)
    assert (outcome.lines, len(rig.backend.requests)) == (("its last words",), 2)


def test_a_conversation_without_a_word_starts_fresh_under_its_own_id(rig: Rig) -> None:
    _claude(rig)
    created = rig.service.create_session(rig.world.project, "claude").view
    rig.service.stop_session("1")
    resumed = rig.service.resume_session("1").view
    assert (resumed.conversation, resumed.note) == (created.conversation, None)
    assert rig.backend.requests[1].argv[1:3] == ("--session-id", created.conversation)


def test_fresh_on_request_keeps_the_old_id_in_the_note(rig: Rig) -> None:
    _claude(rig)
    created = rig.service.create_session(rig.world.project, "claude").view
    _talk(rig, created.conversation)
    rig.service.stop_session("1")
    fresh = rig.service.resume_session("1", fresh=True).view
    assert fresh.conversation != created.conversation
    assert fresh.note == f"started fresh; the previous conversation is {created.conversation}"


def test_a_respawn_that_never_ran_leaves_the_row_as_it_was(rig: Rig) -> None:
    before = _stopped_jail(rig)
    rig.backend.fates = ["never runs"]
    with pytest.raises(JailError):
        rig.service.resume_session("1")
    assert (rig.row(), rig.backend.panes().panes) == (before, ())


def test_a_live_session_is_not_started_again(rig: Rig) -> None:
    rig.service.create_session(rig.world.project, "generic", args=("cat",))
    assert rig.service.resume_session("1").view.state == "running"
    command, outcome = rig.service.attach_session("1")
    assert (command.argv, outcome.view.state) == (("enter", rig.row().key), "running")
    assert len(rig.backend.requests) == 1


def test_an_unreachable_session_is_left_alone(rig: Rig) -> None:
    rig.service.create_session(rig.world.project, "generic", args=("cat",))
    before = rig.row()
    rig.backend.reach = "unreachable"
    for change in (
        lambda: rig.service.resume_session("1"),
        lambda: rig.service.stop_session("1"),
        lambda: rig.service.delete_session("1"),
        lambda: rig.service.rename_session("1", "other"),
        lambda: rig.service.attach_session("1"),
    ):
        with pytest.raises(
            ServiceError, match="session 1 is alive, but its tmux lost its socket: `kill -USR1 7`"
        ):
            change()
    with pytest.raises(ServiceError, match="is unreachable: stop it before it is moved"):
        rig.service.move_session("1", rig.world.home)
    assert (rig.row(), len(rig.backend.requests)) == (before, 1)


def test_a_variable_that_this_shell_lacks_is_said_at_a_resume(rig: Rig) -> None:
    caller = replace(rig.service.caller, env={**rig.world.env, "TOKEN": "t-1"})
    service = replace(rig.service, caller=caller)
    service.create_session(rig.world.project, "generic", sandbox=_JAIL, args=("cat",), env_names=("TOKEN",))
    assert rig.backend.requests[0].env.get("TOKEN") == "t-1"
    rig.service.stop_session("1")
    outcome = rig.service.resume_session("1")
    assert outcome.view.note == "TOKEN is not set in this shell and not passed on"
    assert "TOKEN" not in rig.backend.requests[1].env


def test_a_folder_that_became_a_link_elsewhere_is_not_entered(rig: Rig) -> None:
    link, real, other = (rig.world.home / name for name in ("link", "real", "other"))
    real.mkdir()
    other.mkdir()
    link.symlink_to(real)
    rig.service.create_session(link, "generic", args=("cat",))
    rig.service.stop_session("1")
    link.unlink()
    link.symlink_to(other)
    with pytest.raises(ServiceError, match=f"{link} leads to {other} now and led to {real}"):
        rig.service.resume_session("1")
    assert len(rig.backend.requests) == 1


def test_a_moved_project_takes_its_conversation_along(rig: Rig) -> None:
    _claude(rig)
    created = rig.service.create_session(rig.world.project, "claude").view
    transcript = _talk(rig, created.conversation)
    rig.service.stop_session("1")
    moved = rig.world.home / "moved"
    rig.world.project.rename(moved)
    with pytest.raises(
        ServiceError, match=f"directory gone: {rig.world.project}: `hqt move 1 DIR` or `hqt rm 1`"
    ):
        rig.service.resume_session("1")
    view = rig.service.move_session("1", moved)
    assert (view.cwd, view.project_name, view.conversation) == (moved, "moved", created.conversation)
    assert transcript.exists()
    rig.service.resume_session("1")
    request = rig.backend.requests[1]
    assert (request.cwd, request.argv[1:3]) == (moved, ("--resume", created.conversation))


def test_a_live_session_is_not_moved(rig: Rig) -> None:
    rig.service.create_session(rig.world.project, "generic", args=("cat",))
    with pytest.raises(ServiceError, match="session 1 is running: stop it before it is moved"):
        rig.service.move_session("1", rig.world.home)
    assert rig.row().project == str(rig.world.project)


def test_a_jailed_session_is_not_moved_where_no_jail_may_be(rig: Rig) -> None:
    before = _stopped_jail(rig)
    with pytest.raises(JailError, match="is your home folder"):
        rig.service.move_session("1", rig.world.home)
    assert rig.row() == before


@pytest.mark.parametrize("name", ["taken", "7", "", "a\nb"])
def test_a_refused_name_changes_neither_row_nor_title(rig: Rig, name: str) -> None:
    rig.service.create_session(rig.world.project, "generic", name="taken", args=("cat",))
    key = rig.service.create_session(rig.world.project, "generic", name="mine", args=("cat",)).view.key
    with pytest.raises(ServiceError):
        rig.service.rename_session("mine", name)
    assert (rig.row(2).name, rig.backend.titles[key]) == ("mine", "mine")


def test_a_running_session_takes_another_name_and_may_keep_its_own(rig: Rig) -> None:
    key = rig.service.create_session(rig.world.project, "generic", name="mine", args=("cat",)).view.key
    assert rig.service.rename_session("mine", "mine").name == "mine"
    assert rig.service.rename_session("1", "other").name == "other"
    assert rig.backend.titles[key] == "other"


@pytest.mark.parametrize("values", [{"phase": "running"}, {"phase": "starting"}, {"sandbox_json": "{}"}])
def test_a_session_is_muted_and_heard_again_in_whatever_state(rig: Rig, values: dict[str, object]) -> None:
    rig.service.create_session(rig.world.project, "generic", name="mine", args=("cat",))
    store.change(rig.service.database, rig.row().key, values)
    before = rig.service.looker.one("1")
    for muted in (True, True, False, False):
        assert rig.service.mute_session("mine", muted=muted) == replace(before, muted=muted)


def test_muting_one_leaves_the_others_heard(rig: Rig) -> None:
    for name in ("one", "two"):
        rig.service.create_session(rig.world.project, "generic", name=name, args=("cat",))
    rig.service.mute_session("one", muted=True)
    rig.service.rename_session("one", "other")
    assert [view.muted for view in rig.service.looker.all()] == [True, False]


def test_what_ended_unseen_is_written_down(rig: Rig) -> None:
    key = rig.service.create_session(rig.world.project, "generic", args=("cat",)).view.key
    rig.backend.end(key, signal.SIGTERM)
    rig.service.heal()
    row = rig.row()
    assert (row.phase, row.exit_code, row.exit_signal) == ("exited", None, signal.SIGTERM)
    assert row.ended_at is not None
    assert rig.service.looker.screen(rig.service.looker.one("1"), lines=None) == ["its last words"]


def _crash_at_first_start(rig: Rig, *fates: Fate) -> SessionRow:
    """What a killed hqt leaves behind: the row as it was written before the start."""
    rig.backend.fates = list(fates)
    rig.service.create_session(rig.world.project, "generic", args=("cat",))
    values = {"phase": "starting", "started_at": None, "ended_at": None, "exit_code": None}
    store.change(rig.service.database, rig.row().key, values)
    return rig.row()


def test_a_first_start_cut_short_whose_agent_lives_is_running(rig: Rig) -> None:
    left = _crash_at_first_start(rig)
    rig.service.heal()
    assert rig.row() == replace(left, phase="running", started_at=left.created_at)


def test_a_first_start_cut_short_before_anything_ran_never_was(rig: Rig) -> None:
    key = _crash_at_first_start(rig).key
    rig.backend.kill(key)
    (rig.world.places.session(key) / "status").unlink()
    rig.service.heal()
    assert (rig.rows(), rig.folders()) == ((), [])


def test_a_first_start_cut_short_whose_agent_ran_and_ended_is_exited(rig: Rig) -> None:
    _crash_at_first_start(rig, "ends")
    rig.service.heal()
    row = rig.row()
    assert (row.phase, row.exit_code) == ("exited", 3)
    assert row.ended_at is not None


def test_a_first_start_cut_short_whose_agent_went_with_its_server_keeps_its_row(rig: Rig) -> None:
    key = _crash_at_first_start(rig).key
    rig.backend.kill(key)
    rig.service.heal()
    assert rig.row().phase == "exited"


def test_a_respawn_cut_short_keeps_its_row(rig: Rig) -> None:
    key = _stopped_jail(rig).key
    store.change(rig.service.database, key, {"phase": "starting", "ended_at": None})
    rig.service.heal()
    assert rig.row().phase == "exited"


def test_a_stop_cut_short_is_taken_up_again(rig: Rig) -> None:
    key = rig.service.create_session(rig.world.project, "generic", args=("cat",)).view.key
    store.change(rig.service.database, key, {"phase": "stopped"})
    assert rig.service.looker.one("1").state == "running"
    rig.service.heal()
    assert rig.row().phase == "running"
    assert rig.service.stop_session("1").state == "stopped"


@pytest.mark.parametrize("phase", ["stopped", "starting"])
def test_what_a_cut_short_command_left_running_is_ended_with_its_session(rig: Rig, phase: str) -> None:
    """Its state would say that it ended, and a resume would open its conversation twice."""
    key = rig.service.create_session(rig.world.project, "generic", args=("cat",)).view.key
    left = subprocess.Popen(["sleep", "600"], env={**rig.world.env, "HQT_SESSION": key}, cwd="/")
    store.change(rig.service.database, key, {"phase": phase})
    rig.backend.lose()
    rig.service.heal()
    assert left.wait(5) == -signal.SIGKILL
    assert rig.row().phase == ("stopped" if phase == "stopped" else "exited")


def test_what_a_stop_that_was_cut_short_left_running_is_ended_after_its_agent(rig: Rig) -> None:
    key = rig.service.create_session(rig.world.project, "generic", args=("cat",)).view.key
    left = subprocess.Popen(["sleep", "600"], env={**rig.world.env, "HQT_SESSION": key}, cwd="/")
    store.change(rig.service.database, key, {"phase": "stopped"})
    rig.backend.end(key)
    rig.service.heal()
    assert left.wait(5) == -signal.SIGKILL
    assert rig.service.looker.one("1").state == "stopped"


def test_a_session_that_another_hqt_is_starting_is_not_healed(rig: Rig) -> None:
    left = _crash_at_first_start(rig)
    with locks.hold(rig.world.places.session(left.key), limit_s=0):
        rig.service.heal()
    assert rig.row() == left


def test_the_end_of_a_removed_session_makes_no_folder(rig: Rig) -> None:
    key = rig.service.create_session(rig.world.project, "generic", args=("cat",)).view.key
    rig.service.delete_session("1")
    rig.service.record_end(key)
    assert (rig.rows(), rig.folders()) == ((), [])


def test_a_variable_that_names_no_folder_of_a_harness_stops_no_other_command(rig: Rig) -> None:
    rig.world.tool("codex", LIVES)
    rig.service.create_session(rig.world.project, "codex")
    shell = replace(rig.service.caller, env={**rig.world.env, "CODEX_HOME": "relative"})
    service: SessionService = replace(rig.service, caller=shell)
    service.heal()
    assert service.stop_session("1").state == "stopped"


def test_stopping_twice_is_no_error(rig: Rig) -> None:
    rig.service.create_session(rig.world.project, "generic", args=("cat",))
    first = rig.service.stop_session("1")
    assert (first.state, first.exit) == ("stopped", Exit(signal=signal.SIGTERM))
    assert rig.service.stop_session("1") == first


def test_stopping_what_ended_by_itself_leaves_it_exited(rig: Rig) -> None:
    key = rig.service.create_session(rig.world.project, "generic", args=("cat",)).view.key
    rig.backend.end(key)
    view = rig.service.stop_session("1")
    assert (view.state, view.exit) == ("exited", Exit(signal=signal.SIGKILL))
    assert rig.backend.panes().panes == ()


def test_what_went_with_its_server_stays_lost_when_stopped_and_comes_back(rig: Rig) -> None:
    rig.service.create_session(rig.world.project, "generic", args=("cat",))
    rig.backend.lose()
    assert rig.service.stop_session("1").state == "lost"
    assert rig.service.resume_session("1").view.state == "running"


def test_a_screen_that_goes_while_it_is_looked_at_is_the_kept_one(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.service.create_session(rig.world.project, "generic", args=("cat",))
    view = rig.service.looker.one("1")
    capture = FakeBackend.capture

    def stopped_meanwhile(backend: FakeBackend, key: str, *, lines: int | None, ansi: bool) -> list[str]:
        monkeypatch.setattr(FakeBackend, "capture", capture)
        rig.service.stop_session("1")
        return capture(backend, key, lines=lines, ansi=ansi)

    monkeypatch.setattr(FakeBackend, "capture", stopped_meanwhile)
    assert rig.service.looker.screen(view, lines=None) == ["its last words"]
