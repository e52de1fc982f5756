"""Conversations that were started elsewhere: listed, and taken over once by one session."""

import json
import os
from pathlib import Path

import pytest

from hqt.conversations import adopt
from hqt.conversations.adopt import Adoptable
from hqt.errors import HarnessError, HqtError, ServiceError
from hqt.observe.views import Adoption
from hqt.sandbox import SandboxPolicy
from hqt.sessions import store
from hqt.status import events
from tests.sessions.rig import Rig
from tests.world import LIVES

ONE, TWO = "11111111-2222-4222-8222-222222222222", "11112222-2222-4222-8222-222222222222"
CODEX = "01a2283b-a775-7780-ac16-eccdcc3a4efe"
BORN = 1795982180.0
JAIL = SandboxPolicy(fs="ro", net=False)


@pytest.fixture(autouse=True)
def _programs(rig: Rig) -> None:
    for name in ("claude", "codex"):
        rig.world.tool(name, LIVES)


def talked(rig: Rig, conversation: str = ONE, text: str = "fix it", second: int = 20) -> None:
    """A conversation of claude in the project."""
    cwd = str(rig.world.project)
    folder = rig.world.home / ".claude/projects" / "".join(c if c.isalnum() else "-" for c in cwd)
    folder.mkdir(parents=True, exist_ok=True)
    said = {"type": "user", "sessionId": conversation, "cwd": cwd, "message": {"content": text}}
    stamp = f"2026-11-29T19:56:{second}Z"
    line = json.dumps({**said, "timestamp": stamp}, separators=(",", ":"))
    (folder / f"{conversation}.jsonl").write_text(line + "\n")


def rolled(rig: Rig) -> None:
    """One of codex."""
    meta = {"id": CODEX, "cwd": str(rig.world.project), "timestamp": "2026-11-29T19:56:21Z"}
    folder = rig.world.home / ".codex/sessions/2026/11/29"
    folder.mkdir(parents=True)
    line = json.dumps({"type": "session_meta", "payload": meta})
    (folder / f"rollout-x-{CODEX}.jsonl").write_text(line + "\n")


def adoptable(rig: Rig, harness: str | None = None, directory: Path | None = None) -> list[Adoptable]:
    places, caller = rig.world.places, rig.service.caller
    return list(adopt.adoptable(directory or rig.world.project, harness, places, caller))


def wanted(rig: Rig, conversation: str, **more: object) -> Adoption:
    return Adoption(rig.world.project, conversation, **more)  # type: ignore[arg-type]


def test_the_newest_come_first_of_every_harness_or_of_one(rig: Rig) -> None:
    assert adoptable(rig) == []
    talked(rig)
    talked(rig, TWO, "and that", second=22)
    rolled(rig)
    one, two = Adoptable(ONE, "claude", BORN, "fix it"), Adoptable(TWO, "claude", BORN + 2, "and that")
    codex = Adoptable(CODEX, "codex", BORN + 1, None)
    assert adoptable(rig) == [two, codex, one]
    assert adoptable(rig, "codex") == [codex]
    assert adoptable(rig, "kiro") == []
    assert adoptable(rig, directory=rig.world.home) == []
    link = rig.world.home / "link"
    link.symlink_to(rig.world.project)
    assert adoptable(rig, directory=link) == [two, codex, one]
    with pytest.raises(ServiceError, match="can't be found: name one that is there"):
        adoptable(rig, directory=rig.world.home / "gone")
    with pytest.raises(HarnessError, match="nano"):
        adoptable(rig, "nano")


@pytest.mark.parametrize("column", ["conversation", "former", "reported"])
def test_what_a_session_has_or_had_is_not_elsewhere(rig: Rig, column: str) -> None:
    talked(rig)
    rig.service.create_session(rig.world.project, "claude")
    key = rig.row().key
    if column == "reported":
        report = rig.world.places.session(key) / events.FOLDER / events.STARTS
        report.write_text(json.dumps({"session_id": ONE}) + "\n")
    else:
        store.change(rig.service.database, key, {column: ONE if column == "conversation" else (ONE,)})
    assert adoptable(rig) == []
    refuses(rig, wanted(rig, ONE), "session 1 proj-claude has the conversation")


@pytest.mark.parametrize("policy", [None, JAIL])
def test_one_is_taken_over_by_resume_of_exactly_that_id(rig: Rig, policy: SandboxPolicy | None) -> None:
    talked(rig)
    talked(rig, TWO)
    outcome = rig.service.adopt_session(wanted(rig, ONE[:5], sandbox=policy, name="mine"))
    row = rig.row()
    assert (outcome.view.state, outcome.view.sandbox, row.name) == ("running", policy, "mine")
    assert (row.conversation, row.conversation_source, row.harness) == (ONE, "adopted", "claude")
    argv = rig.backend.requests[-1].argv
    assert argv[argv.index("--resume") + 1] == ONE
    assert (argv[0] == "/usr/bin/bwrap", "--unshare-net" in argv) == (policy is not None, policy is not None)
    assert [each.conversation for each in adoptable(rig)] == [TWO]
    refuses(rig, wanted(rig, ONE), "session 1 mine has the conversation", rows_left=1)
    rig.service.stop_session("1")
    rig.service.resume_session("1")
    assert (rig.row().conversation, rig.row().conversation_source) == (ONE, "adopted")


def test_codex_is_resumed_by_its_subcommand(rig: Rig) -> None:
    rolled(rig)
    rig.service.adopt_session(wanted(rig, CODEX))
    argv = rig.backend.requests[-1].argv
    assert (argv[1], CODEX in argv, rig.row().name) == ("resume", True, "proj-codex")


@pytest.mark.parametrize(
    ("conversation", "harness", "sentence"),
    [
        ("1111", None, "2 conversations have ids that begin with 1111: give more of the id"),
        ("99", None, "no conversation in .* has an id that begins with 99"),
        ("", None, "no conversation in"),
        ("--help", None, "no conversation in"),
        (ONE, "codex", "no conversation in"),
    ],
)
def test_what_is_not_one_conversation_is_told(
    rig: Rig, conversation: str, harness: str | None, sentence: str
) -> None:
    talked(rig)
    talked(rig, TWO)
    refuses(rig, wanted(rig, conversation, harness=harness), sentence)


def test_one_that_is_open_outside_is_left_alone(rig: Rig) -> None:
    talked(rig)
    registry = rig.world.home / ".claude/sessions"
    registry.mkdir()
    (registry / f"{os.getpid()}.json").write_text(json.dumps({"sessionId": ONE}))
    refuses(rig, wanted(rig, ONE), f"is open in the process {os.getpid()}: end that first")


def test_a_start_that_never_ran_leaves_nothing(rig: Rig) -> None:
    talked(rig)
    rig.backend.fates = ["never runs"]
    with pytest.raises(HqtError, match="its last words"):
        rig.service.adopt_session(wanted(rig, ONE))
    assert (rig.rows(), rig.folders()) == ((), [])


def test_of_two_that_take_it_at_once_one_has_it(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    talked(rig)
    rig.service.adopt_session(wanted(rig, ONE))
    monkeypatch.setattr(adopt, "_owners", lambda _: {})  # as it was when the second one looked
    refuses(rig, wanted(rig, ONE), "another session has the conversation", rows_left=1)


def test_a_bad_name_is_told(rig: Rig) -> None:
    talked(rig)
    refuses(rig, wanted(rig, ONE, name="7"), "numbers are ids")


def refuses(rig: Rig, asked: Adoption, sentence: str, *, rows_left: int | None = None) -> None:
    """Nothing is started, and nothing is left."""
    before = len(rig.rows()) if rows_left is None else rows_left
    started = len(rig.backend.requests)
    with pytest.raises(ServiceError, match=sentence):
        rig.service.adopt_session(asked)
    assert (len(rig.rows()), len(rig.backend.requests)) == (before, started)
    assert len(rig.folders()) == before
