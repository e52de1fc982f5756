"""Conversations that were started elsewhere: listed, and taken over once by one session."""

import json
import os
from pathlib import Path

import pytest

from hqt.errors import HarnessError, HqtError, ServiceError
from hqt.sandbox import SandboxPolicy
from hqt.services import adopting, rows
from hqt.services.adopting import Adoptable
from hqt.services.views import Adoption
from hqt.status import events
from tests.services.conftest import Desk

ONE, TWO = "11111111-2222-4222-8222-222222222222", "11112222-2222-4222-8222-222222222222"
CODEX = "01a2283b-a775-7780-ac16-eccdcc3a4efe"
BORN = 1795982180.0
JAIL = SandboxPolicy(fs="ro", net=False)


@pytest.fixture(autouse=True)
def _programs(desk: Desk) -> None:
    for name in ("claude", "codex"):
        desk.world.tool(name, "exec sleep 600")


def talked(desk: Desk, conversation: str = ONE, text: str = "fix it", second: int = 20) -> None:
    """A conversation of claude in the project."""
    cwd = str(desk.world.project)
    folder = desk.world.home / ".claude/projects" / "".join(c if c.isalnum() else "-" for c in cwd)
    folder.mkdir(parents=True, exist_ok=True)
    said = {"type": "user", "sessionId": conversation, "cwd": cwd, "message": {"content": text}}
    stamp = f"2026-11-29T19:56:{second}Z"
    line = json.dumps({**said, "timestamp": stamp}, separators=(",", ":"))
    (folder / f"{conversation}.jsonl").write_text(line + "\n")


def rolled(desk: Desk) -> None:
    """One of codex."""
    meta = {"id": CODEX, "cwd": str(desk.world.project), "timestamp": "2026-11-29T19:56:21Z"}
    folder = desk.world.home / ".codex/sessions/2026/11/29"
    folder.mkdir(parents=True)
    line = json.dumps({"type": "session_meta", "payload": meta})
    (folder / f"rollout-x-{CODEX}.jsonl").write_text(line + "\n")


def adoptable(desk: Desk, harness: str | None = None, directory: Path | None = None) -> list[Adoptable]:
    places, caller = desk.world.places, desk.service.caller
    return list(adopting.adoptable(directory or desk.world.project, harness, places, caller))


def wanted(desk: Desk, conversation: str, **more: object) -> Adoption:
    return Adoption(desk.world.project, conversation, **more)  # type: ignore[arg-type]


def test_the_newest_come_first_of_every_harness_or_of_one(desk: Desk) -> None:
    assert adoptable(desk) == []
    talked(desk)
    talked(desk, TWO, "and that", second=22)
    rolled(desk)
    one, two = Adoptable(ONE, "claude", BORN, "fix it"), Adoptable(TWO, "claude", BORN + 2, "and that")
    codex = Adoptable(CODEX, "codex", BORN + 1, None)
    assert adoptable(desk) == [two, codex, one]
    assert adoptable(desk, "codex") == [codex]
    assert adoptable(desk, "kiro") == []
    assert adoptable(desk, directory=desk.world.home) == []
    link = desk.world.home / "link"
    link.symlink_to(desk.world.project)
    assert adoptable(desk, directory=link) == [two, codex, one]
    with pytest.raises(ServiceError, match="can't be found: name one that is there"):
        adoptable(desk, directory=desk.world.home / "gone")
    with pytest.raises(HarnessError, match="nano"):
        adoptable(desk, "nano")


@pytest.mark.parametrize("column", ["conversation", "former", "reported"])
def test_what_a_session_has_or_had_is_not_elsewhere(desk: Desk, column: str) -> None:
    talked(desk)
    desk.service.create_session(desk.world.project, "claude")
    key = desk.row().key
    if column == "reported":
        report = desk.world.places.session(key) / events.FOLDER / events.STARTS
        report.write_text(json.dumps({"session_id": ONE}) + "\n")
    else:
        rows.change(desk.service.database, key, {column: ONE if column == "conversation" else (ONE,)})
    assert adoptable(desk) == []
    refuses(desk, wanted(desk, ONE), "session 1 proj-claude has the conversation")


@pytest.mark.parametrize("policy", [None, JAIL])
def test_one_is_taken_over_by_resume_of_exactly_that_id(desk: Desk, policy: SandboxPolicy | None) -> None:
    talked(desk)
    talked(desk, TWO)
    outcome = desk.service.adopt_session(wanted(desk, ONE[:5], sandbox=policy, name="mine"))
    row = desk.row()
    assert (outcome.view.state, outcome.view.sandbox, row.name) == ("running", policy, "mine")
    assert (row.conversation, row.conversation_source, row.harness) == (ONE, "adopted", "claude")
    argv = desk.backend.requests[-1].argv
    assert argv[argv.index("--resume") + 1] == ONE
    assert (argv[0] == "/usr/bin/bwrap", "--unshare-net" in argv) == (policy is not None, policy is not None)
    assert [each.conversation for each in adoptable(desk)] == [TWO]
    refuses(desk, wanted(desk, ONE), "session 1 mine has the conversation", rows_left=1)
    desk.service.stop_session("1")
    desk.service.resume_session("1")
    assert (desk.row().conversation, desk.row().conversation_source) == (ONE, "adopted")


def test_codex_is_resumed_by_its_subcommand(desk: Desk) -> None:
    rolled(desk)
    desk.service.adopt_session(wanted(desk, CODEX))
    argv = desk.backend.requests[-1].argv
    assert (argv[1], CODEX in argv, desk.row().name) == ("resume", True, "proj-codex")


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
    desk: Desk, conversation: str, harness: str | None, sentence: str
) -> None:
    talked(desk)
    talked(desk, TWO)
    refuses(desk, wanted(desk, conversation, harness=harness), sentence)


def test_one_that_is_open_outside_is_left_alone(desk: Desk) -> None:
    talked(desk)
    registry = desk.world.home / ".claude/sessions"
    registry.mkdir()
    (registry / f"{os.getpid()}.json").write_text(json.dumps({"sessionId": ONE}))
    refuses(desk, wanted(desk, ONE), f"is open in the process {os.getpid()}: end that first")


def test_a_start_that_never_ran_leaves_nothing(desk: Desk) -> None:
    talked(desk)
    desk.backend.fates = ["never runs"]
    with pytest.raises(HqtError, match="its last words"):
        desk.service.adopt_session(wanted(desk, ONE))
    assert (desk.rows(), desk.folders()) == ((), [])


def test_of_two_that_take_it_at_once_one_has_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    talked(desk)
    desk.service.adopt_session(wanted(desk, ONE))
    monkeypatch.setattr(adopting, "_owners", lambda _: {})  # as it was when the second one looked
    refuses(desk, wanted(desk, ONE), "another session has the conversation", rows_left=1)


def test_a_bad_name_is_told(desk: Desk) -> None:
    talked(desk)
    refuses(desk, wanted(desk, ONE, name="7"), "numbers are ids")


def refuses(desk: Desk, asked: Adoption, sentence: str, *, rows_left: int | None = None) -> None:
    """Nothing is started, and nothing is left."""
    before = len(desk.rows()) if rows_left is None else rows_left
    started = len(desk.backend.requests)
    with pytest.raises(ServiceError, match=sentence):
        desk.service.adopt_session(asked)
    assert (len(desk.rows()), len(desk.backend.requests)) == (before, started)
    assert len(desk.folders()) == before
