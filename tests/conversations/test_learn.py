"""The conversation that a session comes back with is the one that it left, whatever happened inside."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from hqt.errors import ServiceError
from hqt.sandbox import SandboxPolicy
from hqt.sessions.service import SessionService
from hqt.status import events
from hqt.values import replace
from tests.sessions import scripted
from tests.sessions.rig import Rig
from tests.sessions.scripted import Agent, Claude, Codex

_JAIL = SandboxPolicy("rw", net=True)
_BOTH = pytest.mark.parametrize("kind", scripted.KINDS, ids=lambda kind: kind.name)


@dataclass(frozen=True, slots=True)
class Stage:
    """Sessions of one harness in one folder."""

    rig: Rig
    kind: type[Agent]

    def start(self, *, jailed: bool = False) -> Agent:
        self.rig.service.create_session(
            self.rig.world.project, self.kind.name, sandbox=_JAIL if jailed else None
        )
        return self.running()

    def again(self, session: int, *, fresh: bool = False) -> Agent:
        self.rig.service.stop_session(str(session))
        self.rig.service.resume_session(str(session), fresh=fresh)
        return self.running()

    def running(self) -> Agent:
        """The agent that was asked for last."""
        return self.kind(self.rig.backend.requests[-1], self.rig.world.home)

    def events(self, session: int) -> Path:
        return self.rig.world.places.session(self.rig.row(session).key) / events.FOLDER


@pytest.fixture
def staged(rig: Rig) -> Callable[[type[Agent]], Stage]:
    def stage(kind: type[Agent]) -> Stage:
        scripted.install(rig.world, kind)
        return Stage(rig, kind)

    return stage


Staged = Callable[[type[Agent]], Stage]


@_BOTH
@pytest.mark.parametrize("jailed", [False, True])
def test_two_sessions_in_one_folder_never_swap_in_ten_turns(
    staged: Staged, kind: type[Agent], jailed: bool
) -> None:
    stage = staged(kind)
    agents = {1: stage.start(jailed=jailed), 2: stage.start(jailed=jailed)}
    said: dict[int, list[str]] = {1: [], 2: []}
    for turn in range(10):
        for session in (1, 2):
            if turn in (3, 7):
                agents[session].renew()
                said[session] = []
            words = f"turn {turn} of {session}"
            agents[session].say(words)
            said[session].append(words)
            agents[session] = stage.again(session)
        assert {session: agent.recall() for session, agent in agents.items()} == said


def test_an_id_is_learned_from_the_hook_and_resumed_by(staged: Staged) -> None:
    stage = staged(Codex)
    first, second = stage.start(), stage.start()
    second.say("of the second")
    first.say("of the first")
    for session, agent in ((1, first), (2, second)):
        view = stage.rig.service.stop_session(str(session))
        assert (view.conversation, view.conversation_source) == (agent.conversation, "hook")


def test_a_codex_that_has_no_hooks_leaves_both_unknown_rather_than_swapped(rig: Rig) -> None:
    rig.world.tool("codex", "exit 0")
    for _ in range(2):
        rig.service.create_session(rig.world.project, "codex")
    for request in rig.backend.requests:
        agent = Codex(request, rig.world.home)
        agent.reported = True
        agent.say("hello")
    assert [rig.service.stop_session(each).conversation for each in "12"] == [None, None]


@_BOTH
def test_a_rotation_inside_is_followed_and_the_old_id_named(staged: Staged, kind: type[Agent]) -> None:
    stage = staged(kind)
    agent = stage.start()
    agent.say("before")
    stage.rig.service.heal()
    before = agent.conversation
    agent.renew()
    agent.say("after")
    view = stage.rig.service.stop_session("1")
    assert (view.conversation, view.conversation_source) == (agent.conversation, "hook")
    assert view.note == f"it went on in another conversation inside, the one before is {before}"
    assert stage.rig.row().former == (before,)
    stage.rig.service.resume_session("1")
    assert stage.running().recall() == ["after"]


def test_what_was_left_before_it_was_known_is_named_too(staged: Staged) -> None:
    stage = staged(Codex)
    agent = stage.start()
    agent.say("before")
    before = agent.conversation
    agent.renew()
    agent.say("after")
    view = stage.rig.service.stop_session("1")
    assert view.note == f"it went on in another conversation inside, the one before is {before}"
    assert stage.rig.row().former == (before,)


@_BOTH
def test_a_rotation_without_a_word_leaves_the_conversation(staged: Staged, kind: type[Agent]) -> None:
    stage = staged(kind)
    agent = stage.start()
    agent.say("before")
    agent.renew()
    assert stage.again(1).recall() == ["before"]


def test_what_a_session_left_is_never_anothers(staged: Staged) -> None:
    stage = staged(Codex)
    first = stage.start()
    first.say("left behind")
    left = first.conversation
    first.renew()
    first.say("now")
    second = stage.start()
    second.report(left)
    assert stage.rig.service.stop_session("2").conversation is None
    assert stage.rig.service.stop_session("1").conversation == first.conversation


def test_after_a_reboot_the_report_is_still_there(staged: Staged) -> None:
    stage = staged(Codex)
    first, second = stage.start(), stage.start()
    first.say("of the first")
    second.say("of the second")
    stage.rig.backend.lose()
    for session, agent in ((1, first), (2, second)):
        stage.rig.service.resume_session(str(session))
        assert stage.running().conversation == agent.conversation


def test_an_end_is_recorded_where_the_session_keeps_its_files(staged: Staged) -> None:
    """The hook of tmux has the variables of the shell that started its server."""
    stage = staged(Codex)
    elsewhere = stage.rig.world.home / "work"
    theirs = _of_a_shell(stage.rig.service, CODEX_HOME=str(elsewhere))
    theirs.create_session(stage.rig.world.project, "codex")
    agent = stage.running()
    agent.say("hello")
    stage.rig.backend.end(stage.rig.row().key)
    stage.rig.service.record_end(stage.rig.row().key)
    assert stage.rig.row().conversation == agent.conversation

    for service in (stage.rig.service, _of_a_shell(stage.rig.service, CODEX_HOME="/elsewhere")):
        service.resume_session("1")
        assert stage.running().recall() == ["hello"]
        assert stage.running().request.env["CODEX_HOME"] == str(elsewhere)
        service.stop_session("1")


def test_a_fresh_start_begins_where_this_shell_says(staged: Staged) -> None:
    stage = staged(Codex)
    theirs = _of_a_shell(stage.rig.service, CODEX_HOME=str(stage.rig.world.home / "work"))
    theirs.create_session(stage.rig.world.project, "codex")
    theirs.stop_session("1")
    stage.rig.service.resume_session("1", fresh=True)
    assert "CODEX_HOME" not in stage.running().request.env
    assert stage.rig.row().roots == ()


def _of_a_shell(service: SessionService, **env: str) -> SessionService:
    return replace(service, caller=replace(service.caller, env={**service.caller.env, **env}))


def test_a_jail_that_reports_another_sessions_conversation_does_not_get_it(staged: Staged) -> None:
    stage = staged(Codex)
    honest, liar = stage.start(), stage.start(jailed=True)
    honest.say("mine")
    liar.report(honest.conversation)
    assert stage.rig.service.stop_session("2").conversation is None
    assert stage.rig.service.stop_session("1").conversation == honest.conversation


def test_a_jail_that_reports_one_from_before_its_start_does_not_get_it(staged: Staged) -> None:
    stage = staged(Codex)
    stage.start(jailed=True)
    liar = stage.running()
    liar.conversation = "01a228e0-4450-7bd2-8d72-d282144e8007"
    path = liar.transcript()
    path.write_text(path.read_text().replace(path.read_text().split('"timestamp": "')[1][:4], "2025"))
    liar.report(liar.conversation)
    assert stage.rig.service.stop_session("1").conversation is None


def _no_folder(folder: Path) -> None:
    folder.chmod(0o700)
    for each in folder.iterdir():
        each.unlink()
    folder.rmdir()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: os.mkfifo(folder / events.STARTS),
        lambda folder: (folder / events.STARTS / "x").mkdir(parents=True),
        lambda folder: (folder / events.STARTS).symlink_to("/dev/zero"),
        lambda folder: folder.chmod(0),
        _no_folder,
    ],
)
def test_a_session_whose_events_were_spoilt_stops_and_starts_as_ever(
    staged: Staged, spoil: Callable[[Path], None]
) -> None:
    stage = staged(Claude)
    stage.start(jailed=True)
    folder = stage.events(1)
    (folder / events.STARTS).unlink()
    spoil(folder)
    agent = stage.again(1)
    agent.say("hello")
    agent.renew()
    agent.say("after")
    assert stage.again(1).recall() == ["after"]


@_BOTH
def test_a_fresh_start_that_ends_too_keeps_the_conversation(staged: Staged, kind: type[Agent]) -> None:
    stage = staged(kind)
    agent = stage.start()
    agent.say("worth keeping")
    stage.rig.service.stop_session("1")
    before = stage.rig.row()
    stage.rig.backend.fates = ["ends", "ends"]
    view = stage.rig.service.resume_session("1").view
    assert (view.state, view.conversation) == ("exited", agent.conversation)
    assert view.note == f"a fresh start ended at once; the conversation is still {agent.conversation}"
    assert stage.rig.row().former == before.former
    stage.rig.service.resume_session("1")
    assert stage.running().recall() == ["worth keeping"]


def test_a_fallback_names_the_old_conversation_and_keeps_it(staged: Staged) -> None:
    stage = staged(Claude)
    agent = stage.start()
    agent.say("hello")
    stage.rig.service.stop_session("1")
    stage.rig.backend.fates = ["ends", "lives"]
    view = stage.rig.service.resume_session("1").view
    told = "started fresh as it could not be resumed (its last words); the previous conversation is "
    assert view.note == told + str(agent.conversation)
    assert stage.rig.row().former == (agent.conversation,)


def test_a_conversation_whose_transcript_is_gone_is_named(staged: Staged) -> None:
    stage = staged(Codex)
    agent = stage.start()
    agent.say("hello")
    stage.rig.service.stop_session("1")
    agent.transcript().unlink()
    view = stage.rig.service.resume_session("1").view
    told = (
        "started fresh as it could not be resumed (no transcript of it is left); the previous conversation is"
    )
    assert view.note == f"{told} {agent.conversation}"


def test_a_folder_that_a_jail_made_too_deep_does_not_stop_a_removal(staged: Staged) -> None:
    stage = staged(Claude)
    stage.start(jailed=True)
    folder = stage.events(1)
    deep = "import os\nfor _ in range(2100): os.mkdir('d'); os.chdir('d')"
    subprocess.run([sys.executable, "-c", deep], cwd=folder, check=True)
    stage.rig.service.delete_session("1")
    assert stage.rig.rows() == ()
    subprocess.run(["rm", "-rf", folder], check=True)  # as `hqt prune` does


def test_a_prompt_is_never_sent_again(staged: Staged) -> None:
    stage = staged(Claude)
    stage.rig.service.create_session(stage.rig.world.project, "claude", prompt="do it once")
    stage.running().say("do it once")
    stage.rig.service.stop_session("1")
    stage.rig.backend.fates = ["ends", "lives"]
    stage.rig.service.resume_session("1")
    stage.again(1, fresh=True)
    assert ["do it once" in request.argv for request in stage.rig.backend.requests] == [True, *[False] * 3]


def test_a_missing_program_is_a_sentence_and_no_ladder(staged: Staged) -> None:
    stage = staged(Claude)
    stage.start().say("hello")
    stage.rig.service.stop_session("1")
    before = stage.rig.row()
    (stage.rig.world.home / ".local/bin/claude").unlink()
    with pytest.raises(Exception, match="claude") as raised:
        stage.rig.service.resume_session("1")
    assert not isinstance(raised.value, ServiceError)
    assert stage.rig.row() == before
    assert len(stage.rig.backend.requests) == 1
