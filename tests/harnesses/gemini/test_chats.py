import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.errors import HarnessError
from hqt.harnesses.base import Found
from hqt.harnesses.gemini import chats as gemini_chats
from tests.harnesses.places import CWD

ID = "11111111-1111-4111-8111-111111111111"
BORN = 1795971327.866
DEEP = b"[" * 100_000
CONTEXT = {"id": "1", "type": "user", "content": [{"text": "<session_context>\nThis is the Gemini CLI."}]}
HELLO = {"id": "2", "type": "user", "content": [{"text": "hello"}]}


def conversation(
    chats: Path, *records: object, conversation: str = ID, project: Path = CWD, kind: str = "main"
) -> Path:
    """One as gemini 0.61.0 writes it: its header, what it says by itself, and `records`."""
    header = {
        "sessionId": conversation,
        "projectHash": hashlib.sha256(str(project).encode()).hexdigest(),
        "startTime": "2026-11-29T16:55:27.866Z",
        "kind": kind,
    }
    path = chats / f"session-2026-11-29T16-55-{conversation[:8]}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [header, {"$set": {"messages": [CONTEXT]}}, *records]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_a_project_that_gemini_knows_has_the_name_that_it_gave() -> None:
    registry = json.dumps({"projects": {str(CWD): "proj-2", "/other": "x"}}).encode()
    assert gemini_chats.name_of(CWD, registry) == "proj-2"
    assert json.loads(gemini_chats.registered(CWD, registry)) == {"projects": {str(CWD): "proj-2"}}


@pytest.mark.parametrize(
    "registry",
    [b"", b"[]", b'{"projects": 1}', b'{"projects": {"/home/user/proj": "../../.ssh"}}', DEEP],
    ids=["none", "a list", "a number", "a path", "deep"],
)
def test_any_other_gets_a_name_of_its_own(registry: bytes) -> None:
    assert gemini_chats.name_of(CWD, registry) == "proj-7d73bf4f"
    assert gemini_chats.name_of(Path("/elsewhere/proj"), registry) != "proj-7d73bf4f"


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/\0"), min_size=1))
def test_every_folder_gets_a_name_that_gemini_takes(name: str) -> None:
    found = gemini_chats.name_of(Path("/home") / name, b"")
    assert gemini_chats.name_of(Path("/x"), json.dumps({"projects": {"/x": found}}).encode()) == found
    assert len(found) <= 73


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([], False),
        ([{"id": "2", "type": "user", "content": "/help"}], False),
        ([{"id": "2", "type": "info", "content": "hello"}], False),
        ([{"id": "2", "type": "gemini", "content": ""}], False),
        ([HELLO], True),
        ([{"id": "2", "type": "gemini", "content": "", "toolCalls": [{}]}], True),
        ([{"$set": {"messages": [CONTEXT, HELLO]}}], True),
        ([{"$set": {"messages": 1}}, {"$set": 1}, 1], False),
    ],
)
def test_one_in_which_nothing_was_said_can_not_be_resumed(
    tmp_path: Path, records: list[object], said: bool
) -> None:
    assert gemini_chats.is_resumable(conversation(tmp_path, *records)) is said


def test_one_is_found_by_its_whole_id(tmp_path: Path) -> None:
    path = conversation(tmp_path, HELLO)
    other = ID.replace("8111", "8112")
    assert list(gemini_chats.of_id(tmp_path, ID)) == [path]
    assert list(gemini_chats.of_id(tmp_path, other)) == []
    assert list(gemini_chats.of_id(tmp_path, "")) == []


def test_those_of_the_user_in_this_folder_are_told(tmp_path: Path) -> None:
    path = conversation(tmp_path, HELLO)
    conversation(tmp_path, HELLO, conversation=ID.replace("1", "2"), project=Path("/other"))
    conversation(tmp_path, HELLO, conversation=ID.replace("1", "3"), kind="subagent")
    conversation(tmp_path, conversation=ID.replace("1", "4"))
    (tmp_path / "session-x-55555555.jsonl").write_text("{oops\n")
    assert list(gemini_chats.of(tmp_path, CWD)) == [Found(ID, BORN, path)]


def test_a_link_is_no_conversation(tmp_path: Path) -> None:
    path = conversation(tmp_path / "real", HELLO)
    (tmp_path / "chats").mkdir()
    (tmp_path / "chats" / path.name).symlink_to(path)
    assert list(gemini_chats.of_id(tmp_path / "chats", ID)) == []


def test_one_goes_along_to_a_folder_that_gemini_knows_by_its_marker(tmp_path: Path) -> None:
    new = Path("/home/user/new")
    old = conversation(gemini_chats.folder(tmp_path, CWD) / "chats", HELLO)
    for _ in range(2):
        gemini_chats.follow(tmp_path, ID, CWD, new)
    into = gemini_chats.folder(tmp_path, new)
    assert (into / ".project_root").read_text() == str(new)
    assert (into / "chats" / old.name).read_text() == old.read_text()


def test_one_that_is_not_there_makes_no_folder(tmp_path: Path) -> None:
    gemini_chats.follow(tmp_path, ID, CWD, Path("/home/user/new"))
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_copied_through_a_planted_link(tmp_path: Path) -> None:
    conversation(gemini_chats.folder(tmp_path, CWD) / "chats", HELLO)
    (tmp_path / "elsewhere").mkdir()
    into = gemini_chats.folder(tmp_path, Path("/new"))
    into.mkdir()
    (into / "chats").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(HarnessError, match="can't be copied to"):
        gemini_chats.follow(tmp_path, ID, CWD, Path("/new"))
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_of_many_files_the_last_ones_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [conversation(tmp_path, HELLO, conversation=f"{number}{ID[1:]}") for number in range(9)]
    monkeypatch.setattr(gemini_chats, "_READ_MAX", 2)
    assert [each.path for each in gemini_chats.of(tmp_path, CWD)] == made[:-3:-1]


def test_what_is_no_id_is_no_conversation(tmp_path: Path) -> None:
    path = conversation(tmp_path, HELLO)
    path.write_text(path.read_text().replace(ID, "--yolo"))
    assert list(gemini_chats.of(tmp_path, CWD)) == []
