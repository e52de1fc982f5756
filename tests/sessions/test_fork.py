"""A copy of a session: its conversation, its folder, its jail; the first one stays as it is."""

import json
from pathlib import Path

import pytest

from hqt.db.reader import SessionRow
from hqt.errors import HqtError, JailError, NoSuchSession, ServiceError
from hqt.sandbox import SandboxPolicy
from hqt.sessions import store
from tests.sessions.rig import Rig
from tests.world import LIVES

RW, OFFLINE = SandboxPolicy(), SandboxPolicy(fs="ro", net=False)


@pytest.fixture(autouse=True)
def _programs(rig: Rig) -> None:
    for name in ("claude", "codex", "opencode", "kiro-cli"):
        rig.world.tool(name, LIVES)


def begun(rig: Rig, policy: SandboxPolicy | None = None, *, said: bool = True) -> SessionRow:
    """A session of claude, in which something was said."""
    rig.service.create_session(rig.world.project, "claude", sandbox=policy, args=("--verbose",))
    if said:
        transcript(rig.world.home, rig.row().conversation)
    return rig.row()


def transcript(home: Path, conversation: str | None) -> None:
    folder = home / ".claude/projects/any"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{conversation}.jsonl").write_text('{"type":"user","message":"hi"}\n')


def rollout(rig: Rig, conversation: str) -> None:
    meta = {"id": conversation, "cwd": str(rig.world.project), "timestamp": "2026-01-01T00:00:00Z"}
    folder = rig.world.home / ".codex/sessions/2026/01/01"
    folder.mkdir(parents=True, exist_ok=True)
    line = json.dumps({"type": "session_meta", "payload": meta})
    (folder / f"rollout-x-{conversation}.jsonl").write_text(line + "\n")


def test_a_copy_of_a_muted_session_is_heard(rig: Rig) -> None:
    begun(rig)
    rig.service.mute_session("1", muted=True)
    assert rig.service.fork_session("1").view.muted is False
    assert rig.service.looker.one("1").muted is True


@pytest.mark.parametrize("policy", [None, RW, OFFLINE])
def test_a_copy_has_the_folder_the_arguments_and_the_jail_of_the_first(
    rig: Rig, policy: SandboxPolicy | None
) -> None:
    first = begun(rig, policy)
    outcome = rig.service.fork_session("1", prompt="go on")
    second = rig.row(2)
    assert (outcome.view.id, outcome.view.state, outcome.view.sandbox) == (2, "running", policy)
    assert (second.name, second.cwd, second.args) == ("proj-claude-2", first.cwd, first.args)
    assert (second.sandbox_json, second.conversation_source) == (first.sandbox_json, "minted")
    argv = rig.backend.requests[-1].argv
    at = argv.index("--resume")
    copied = ("--resume", first.conversation, "--fork-session", "--session-id", second.conversation)
    assert argv[at : at + 5] == copied
    assert argv[-2:] == ("--", "go on")
    assert (argv[0] == "/usr/bin/bwrap", "--unshare-net" in argv) == (policy is not None, policy == OFFLINE)


@pytest.mark.parametrize("is_stopped", [False, True])
def test_the_first_one_stays_as_it_is(rig: Rig, is_stopped: bool) -> None:
    begun(rig)
    if is_stopped:
        rig.service.stop_session("1")
    before = rig.row(), rig.service.looker.one("1").state
    rig.service.fork_session("1", name="other")
    assert (rig.row(), rig.service.looker.one("1").state) == before
    assert rig.row(2).name == "other"
    assert rig.backend.titles[rig.row(2).key] == "other"


@pytest.mark.parametrize("policy", [None, OFFLINE])
def test_a_copy_in_which_nothing_was_said_is_made_again(rig: Rig, policy: SandboxPolicy | None) -> None:
    first = begun(rig, policy)
    rig.service.fork_session("1", prompt="once")
    second = rig.row(2)
    rig.service.stop_session("2")
    rig.service.delete_session("1")
    outcome = rig.service.resume_session("2")
    assert (outcome.view.state, outcome.view.note) == ("running", second.note)
    argv = rig.backend.requests[-1].argv
    at = argv.index("--resume")
    copied = ("--resume", first.conversation, "--fork-session", "--session-id", second.conversation)
    assert argv[at : at + 5] == copied
    assert "once" not in argv


def test_a_copy_that_was_used_goes_on_with_its_own(rig: Rig) -> None:
    begun(rig)
    rig.service.fork_session("1")
    rig.service.stop_session("2")
    transcript(rig.world.home, rig.row(2).conversation)
    rig.service.resume_session("2")
    assert "--fork-session" not in rig.backend.requests[-1].argv
    assert rig.row(2).copy_of == rig.row().conversation


def test_a_fresh_start_is_a_copy_no_more(rig: Rig) -> None:
    begun(rig)
    rig.service.fork_session("1")
    rig.service.stop_session("2")
    rig.service.resume_session("2", fresh=True)
    assert "--fork-session" not in rig.backend.requests[-1].argv
    rig.service.stop_session("2")
    rig.service.resume_session("2")
    assert ("--fork-session" in rig.backend.requests[-1].argv, rig.row(2).copy_of) == (False, None)


def test_a_copy_whose_id_only_the_harness_makes_has_none_yet(rig: Rig) -> None:
    rig.service.create_session(rig.world.project, "codex")
    conversation = "01a2283b-a775-7780-ac16-eccdcc3a4efe"
    store.change(rig.service.database, rig.row().key, {"conversation": conversation})
    rollout(rig, conversation)
    rig.service.fork_session("1")
    assert (rig.row(2).conversation, rig.row(2).conversation_source) == (None, None)
    argv = rig.backend.requests[-1].argv
    assert (argv[1], conversation in argv) == ("fork", True)
    assert rig.row().conversation == conversation


def test_a_variable_that_this_shell_has_not_is_told(rig: Rig) -> None:
    rig.service.caller.env["FLAVOUR"] = "x"  # type: ignore[index]
    rig.service.create_session(rig.world.project, "claude", sandbox=RW, env_names=("FLAVOUR",))
    transcript(rig.world.home, rig.row().conversation)
    del rig.service.caller.env["FLAVOUR"]  # type: ignore[attr-defined]
    outcome = rig.service.fork_session("1")
    assert "FLAVOUR is not set in this shell and not passed on" in outcome.notes
    assert rig.row(2).env_names == ("FLAVOUR",)


@pytest.mark.parametrize(
    ("harness", "sentence"),
    [
        ("generic", "can't copy a conversation: begin another with `hqt new --harness generic`"),
        ("kiro", "can't copy a conversation: begin another with `hqt new --harness kiro`"),
    ],
)
def test_a_harness_that_cannot_says_so(rig: Rig, harness: str, sentence: str) -> None:
    rig.service.create_session(rig.world.project, harness)
    refuses(rig, ServiceError, sentence)


def test_without_a_conversation_there_is_nothing_to_copy(rig: Rig) -> None:
    begun(rig, said=False)
    refuses(rig, ServiceError, "session 1 has no conversation on disk yet that could be copied")


def test_a_folder_that_is_gone_is_told(rig: Rig) -> None:
    begun(rig)
    rig.world.project.rename(rig.world.home / "moved")
    refuses(rig, ServiceError, "directory gone")


@pytest.mark.parametrize("policy", ["{}", '{"fs":"rw","net":"yes"}'])
def test_a_policy_that_cannot_be_read_is_never_left_out(rig: Rig, policy: str) -> None:
    begun(rig, RW)
    store.change(rig.service.database, rig.row().key, {"sandbox_json": policy})
    refuses(rig, JailError, "session 1 is not started")


def test_a_jail_that_keeps_the_conversation_to_itself_is_told(rig: Rig) -> None:
    rig.service.create_session(rig.world.project, "opencode", sandbox=RW)
    refuses(rig, ServiceError, "no conversation on disk")


def test_arguments_that_choose_a_conversation_are_told(rig: Rig) -> None:
    rig.service.create_session(rig.world.project, "claude", args=("-c",))
    transcript(rig.world.home, rig.row().conversation)
    refuses(rig, ServiceError, "its own arguments choose a conversation")


def test_an_unknown_session_and_a_bad_name_are_told(rig: Rig) -> None:
    with pytest.raises(NoSuchSession):
        rig.service.fork_session("1")
    begun(rig)
    refuses(rig, ServiceError, "numbers are ids", name="7")
    refuses(rig, ServiceError, "is taken", name="proj-claude")
    refuses(rig, ServiceError, "the prompt has", prompt="x" * 200_000)


@pytest.mark.parametrize("policy", [None, RW])
def test_a_copy_that_never_ran_leaves_nothing(rig: Rig, policy: SandboxPolicy | None) -> None:
    begun(rig, policy)
    rig.backend.fates = ["never runs"]
    with pytest.raises(HqtError, match="its last words"):
        rig.service.fork_session("1")
    assert ([row.id for row in rig.rows()], rig.folders()) == ([1], [rig.row().key])


def refuses(
    rig: Rig, error: type[HqtError], sentence: str, *, name: str | None = None, prompt: str | None = None
) -> None:
    """Nothing but the first session is there then."""
    started = len(rig.backend.requests)
    with pytest.raises(error, match=sentence):
        rig.service.fork_session("1", name, prompt)
    assert ([row.id for row in rig.rows()], len(rig.backend.requests)) == ([1], started)
    assert rig.folders() == [rig.row().key]
