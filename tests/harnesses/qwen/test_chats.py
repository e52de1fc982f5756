import json
from pathlib import Path

import pytest

from hqt.errors import HarnessError
from hqt.harnesses.base import Found
from hqt.harnesses.qwen.chats import follow, found, named, of, slug
from tests.harnesses.places import CWD

ID = "11111111-1111-4111-8111-111111111111"
BORN = 1795971327.866


def conversation(chats: Path, *, conversation: str = ID, cwd: Path = CWD) -> Path:
    """One as qwen 0.15.10 writes it."""
    path = chats / f"{conversation}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    first = {"sessionId": conversation, "timestamp": "2026-11-29T16:55:27.866Z", "type": "user"}
    path.write_text(json.dumps({**first, "cwd": str(cwd)}) + '\n{"type":"assistant"}\n')
    return path


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("/tmp/r1.d/q1/proj", "-tmp-r1-d-q1-proj"),
        ("/home/u/my_ünï 日本", "-home-u-my--n----"),
        ("/home/u/sn😀w", "-home-u-sn--w"),  # two UTF-16 units, as qwen counts
    ],
)
def test_the_slug_has_a_dash_for_all_but_letters_and_digits(folder: str, name: str) -> None:
    assert slug(Path(folder)) == name


def test_one_that_was_held_here_is_found(tmp_path: Path) -> None:
    path = conversation(tmp_path)
    assert named(tmp_path, ID) == path
    assert found(path, CWD) == Found(ID, BORN, path)


def test_those_of_another_project_with_the_same_slug_are_left_out(tmp_path: Path) -> None:
    path = conversation(tmp_path)
    conversation(tmp_path, conversation=ID.replace("1", "2"), cwd=Path("/home/user-proj"))
    assert list(of(tmp_path, CWD)) == [Found(ID, BORN, path)]


@pytest.mark.parametrize(
    "text", ["", "{oops", "[]", '{"cwd": "/home/user/proj"}', '{"cwd": "/home/user/proj']
)
def test_a_file_that_tells_nothing_is_no_conversation(tmp_path: Path, text: str) -> None:
    path = conversation(tmp_path)
    path.write_text(text)
    assert found(path, CWD) is None


@pytest.mark.parametrize("name", ["../x", "", "11111111", ID.upper()])
def test_an_id_of_another_form_is_not_looked_for(tmp_path: Path, name: str) -> None:
    (tmp_path / "chats").mkdir()
    (tmp_path / "x.jsonl").touch()
    assert named(tmp_path / "chats", name) is None


def test_a_link_is_no_conversation(tmp_path: Path) -> None:
    path = conversation(tmp_path / "real")
    (tmp_path / "chats").mkdir()
    (tmp_path / "chats" / path.name).symlink_to(path)
    assert named(tmp_path / "chats", ID) is None


def test_one_goes_along_as_one_that_was_held_there(tmp_path: Path) -> None:
    source, new = conversation(tmp_path / "old"), Path("/home/user/é")
    follow(source, tmp_path / "new", new)
    copy = tmp_path / "new" / source.name
    assert found(copy, new) == Found(ID, BORN, copy)
    assert copy.read_text().splitlines()[1:] == source.read_text().splitlines()[1:]


def test_one_that_tells_nothing_stays(tmp_path: Path) -> None:
    source = conversation(tmp_path / "old")
    source.write_text("{oops\n")
    follow(source, tmp_path / "new", CWD)
    assert not (tmp_path / "new").exists()


def test_nothing_is_copied_through_a_planted_link(tmp_path: Path) -> None:
    source = conversation(tmp_path / "old")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "new").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(HarnessError, match="can't be copied to"):
        follow(source, tmp_path / "new", CWD)
    assert list((tmp_path / "elsewhere").iterdir()) == []
