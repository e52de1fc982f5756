"""A copy of a session: its conversation, its folder, its jail; the first one stays as it is."""

import json
from pathlib import Path

import pytest

from hqt.db.reader import SessionRow
from hqt.errors import HqtError, JailError, NoSuchSession, ServiceError
from hqt.sandbox import SandboxPolicy
from hqt.services import rows
from tests.services.conftest import Desk

RW, OFFLINE = SandboxPolicy(), SandboxPolicy(fs="ro", net=False)


@pytest.fixture(autouse=True)
def _programs(desk: Desk) -> None:
    for name in ("claude", "codex", "opencode", "kiro-cli"):
        desk.world.tool(name, "exec sleep 600")


def begun(desk: Desk, policy: SandboxPolicy | None = None, *, said: bool = True) -> SessionRow:
    """A session of claude, in which something was said."""
    desk.service.create_session(desk.world.project, "claude", sandbox=policy, args=("--verbose",))
    if said:
        transcript(desk.world.home, desk.row().conversation)
    return desk.row()


def transcript(home: Path, conversation: str | None) -> None:
    folder = home / ".claude/projects/any"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{conversation}.jsonl").write_text('{"type":"user","message":"hi"}\n')


def rollout(desk: Desk, conversation: str) -> None:
    meta = {"id": conversation, "cwd": str(desk.world.project), "timestamp": "2026-01-01T00:00:00Z"}
    folder = desk.world.home / ".codex/sessions/2026/01/01"
    folder.mkdir(parents=True, exist_ok=True)
    line = json.dumps({"type": "session_meta", "payload": meta})
    (folder / f"rollout-x-{conversation}.jsonl").write_text(line + "\n")


def test_a_copy_of_a_muted_session_is_heard(desk: Desk) -> None:
    begun(desk)
    desk.service.mute_session("1", muted=True)
    assert desk.service.fork_session("1").view.muted is False
    assert desk.service.looker.one("1").muted is True


@pytest.mark.parametrize("policy", [None, RW, OFFLINE])
def test_a_copy_has_the_folder_the_arguments_and_the_jail_of_the_first(
    desk: Desk, policy: SandboxPolicy | None
) -> None:
    first = begun(desk, policy)
    outcome = desk.service.fork_session("1", prompt="go on")
    second = desk.row(2)
    assert (outcome.view.id, outcome.view.state, outcome.view.sandbox) == (2, "running", policy)
    assert (second.name, second.cwd, second.args) == ("proj-claude-2", first.cwd, first.args)
    assert (second.sandbox_json, second.conversation_source) == (first.sandbox_json, "minted")
    argv = desk.backend.requests[-1].argv
    at = argv.index("--resume")
    copied = ("--resume", first.conversation, "--fork-session", "--session-id", second.conversation)
    assert argv[at : at + 5] == copied
    assert argv[-2:] == ("--", "go on")
    assert (argv[0] == "/usr/bin/bwrap", "--unshare-net" in argv) == (policy is not None, policy == OFFLINE)


@pytest.mark.parametrize("is_stopped", [False, True])
def test_the_first_one_stays_as_it_is(desk: Desk, is_stopped: bool) -> None:
    begun(desk)
    if is_stopped:
        desk.service.stop_session("1")
    before = desk.row(), desk.service.looker.one("1").state
    desk.service.fork_session("1", name="other")
    assert (desk.row(), desk.service.looker.one("1").state) == before
    assert desk.row(2).name == "other"
    assert desk.backend.titles[desk.row(2).key] == "other"


@pytest.mark.parametrize("policy", [None, OFFLINE])
def test_a_copy_in_which_nothing_was_said_is_made_again(desk: Desk, policy: SandboxPolicy | None) -> None:
    first = begun(desk, policy)
    desk.service.fork_session("1", prompt="once")
    second = desk.row(2)
    desk.service.stop_session("2")
    desk.service.delete_session("1")
    outcome = desk.service.resume_session("2")
    assert (outcome.view.state, outcome.view.note) == ("running", second.note)
    argv = desk.backend.requests[-1].argv
    at = argv.index("--resume")
    copied = ("--resume", first.conversation, "--fork-session", "--session-id", second.conversation)
    assert argv[at : at + 5] == copied
    assert "once" not in argv


def test_a_copy_that_was_used_goes_on_with_its_own(desk: Desk) -> None:
    begun(desk)
    desk.service.fork_session("1")
    desk.service.stop_session("2")
    transcript(desk.world.home, desk.row(2).conversation)
    desk.service.resume_session("2")
    assert "--fork-session" not in desk.backend.requests[-1].argv
    assert desk.row(2).copy_of == desk.row().conversation


def test_a_fresh_start_is_a_copy_no_more(desk: Desk) -> None:
    begun(desk)
    desk.service.fork_session("1")
    desk.service.stop_session("2")
    desk.service.resume_session("2", fresh=True)
    assert "--fork-session" not in desk.backend.requests[-1].argv
    desk.service.stop_session("2")
    desk.service.resume_session("2")
    assert ("--fork-session" in desk.backend.requests[-1].argv, desk.row(2).copy_of) == (False, None)


def test_a_copy_whose_id_only_the_harness_makes_has_none_yet(desk: Desk) -> None:
    desk.service.create_session(desk.world.project, "codex")
    conversation = "01a2283b-a775-7780-ac16-eccdcc3a4efe"
    rows.change(desk.service.database, desk.row().key, {"conversation": conversation})
    rollout(desk, conversation)
    desk.service.fork_session("1")
    assert (desk.row(2).conversation, desk.row(2).conversation_source) == (None, None)
    argv = desk.backend.requests[-1].argv
    assert (argv[1], conversation in argv) == ("fork", True)
    assert desk.row().conversation == conversation


def test_a_variable_that_this_shell_has_not_is_told(desk: Desk) -> None:
    desk.service.caller.env["FLAVOUR"] = "x"  # type: ignore[index]
    desk.service.create_session(desk.world.project, "claude", sandbox=RW, env_names=("FLAVOUR",))
    transcript(desk.world.home, desk.row().conversation)
    del desk.service.caller.env["FLAVOUR"]  # type: ignore[attr-defined]
    outcome = desk.service.fork_session("1")
    assert "FLAVOUR is not set in this shell and not passed on" in outcome.notes
    assert desk.row(2).env_names == ("FLAVOUR",)


@pytest.mark.parametrize(
    ("harness", "sentence"),
    [
        ("generic", "can't copy a conversation: begin another with `hqt new --harness generic`"),
        ("kiro", "can't copy a conversation: begin another with `hqt new --harness kiro`"),
    ],
)
def test_a_harness_that_cannot_says_so(desk: Desk, harness: str, sentence: str) -> None:
    desk.service.create_session(desk.world.project, harness)
    refuses(desk, ServiceError, sentence)


def test_without_a_conversation_there_is_nothing_to_copy(desk: Desk) -> None:
    begun(desk, said=False)
    refuses(desk, ServiceError, "session 1 has no conversation on disk yet that could be copied")


def test_a_folder_that_is_gone_is_told(desk: Desk) -> None:
    begun(desk)
    desk.world.project.rename(desk.world.home / "moved")
    refuses(desk, ServiceError, "directory gone")


@pytest.mark.parametrize("policy", ["{}", '{"fs":"rw","net":"yes"}'])
def test_a_policy_that_cannot_be_read_is_never_left_out(desk: Desk, policy: str) -> None:
    begun(desk, RW)
    rows.change(desk.service.database, desk.row().key, {"sandbox_json": policy})
    refuses(desk, JailError, "session 1 is not started")


def test_a_jail_that_keeps_the_conversation_to_itself_is_told(desk: Desk) -> None:
    desk.service.create_session(desk.world.project, "opencode", sandbox=RW)
    refuses(desk, ServiceError, "no conversation on disk")


def test_arguments_that_choose_a_conversation_are_told(desk: Desk) -> None:
    desk.service.create_session(desk.world.project, "claude", args=("-c",))
    transcript(desk.world.home, desk.row().conversation)
    refuses(desk, ServiceError, "its own arguments choose a conversation")


def test_an_unknown_session_and_a_bad_name_are_told(desk: Desk) -> None:
    with pytest.raises(NoSuchSession):
        desk.service.fork_session("1")
    begun(desk)
    refuses(desk, ServiceError, "numbers are ids", name="7")
    refuses(desk, ServiceError, "is taken", name="proj-claude")
    refuses(desk, ServiceError, "the prompt has", prompt="x" * 200_000)


@pytest.mark.parametrize("policy", [None, RW])
def test_a_copy_that_never_ran_leaves_nothing(desk: Desk, policy: SandboxPolicy | None) -> None:
    begun(desk, policy)
    desk.backend.fates = ["never runs"]
    with pytest.raises(HqtError, match="its last words"):
        desk.service.fork_session("1")
    assert ([row.id for row in desk.rows()], desk.folders()) == ([1], [desk.row().key])


def refuses(
    desk: Desk, error: type[HqtError], sentence: str, *, name: str | None = None, prompt: str | None = None
) -> None:
    """Nothing but the first session is there then."""
    started = len(desk.backend.requests)
    with pytest.raises(error, match=sentence):
        desk.service.fork_session("1", name, prompt)
    assert ([row.id for row in desk.rows()], len(desk.backend.requests)) == ([1], started)
    assert desk.folders() == [desk.row().key]
