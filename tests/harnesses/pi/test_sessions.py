import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.errors import HarnessError
from hqt.harnesses.base import Found
from hqt.harnesses.pi import sessions

CWD = Path("/home/user/proj")
ID = "01a228e1-03bf-77c2-90fe-4870721eb380"
BORN = 1795982164.928
REST = '{"type":"message","message":{"role":"assistant"}}\n'


def conversation(
    folder: Path, name: str = f"hqt_{ID}.jsonl", header: Mapping[str, object] | None = None
) -> Path:
    first = {"type": "session", "version": 3, "id": "another", "timestamp": "2026-11-29T19:56:04.928Z"}
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(json.dumps({**first, "cwd": str(CWD), **(header or {})}) + "\n" + REST)
    return path


# as pi 0.73.1 made them
@pytest.mark.parametrize(
    ("folder", "name"),
    [("/tmp/r/pi/proj", "--tmp-r-pi-proj--"), ("/", "----"), ("/a b/ü.x:y\\z", "--a b-ü.x-y-z--")],
)
def test_the_folder_of_a_project_is_named_as_by_pi(folder: str, name: str) -> None:
    assert sessions.slug(Path(folder)) == name


@given(st.lists(st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1)))
def test_any_project_gets_a_name_that_a_folder_can_have(parts: list[str]) -> None:
    name = sessions.slug(Path("/", *parts))
    assert "/" not in name
    assert len(name.encode()) <= 255


def test_long_names_that_begin_alike_stay_apart() -> None:
    one, other = (sessions.slug(Path("/", "x" * 250, end)) for end in ("one", "other"))
    assert one != other


def test_a_conversation_is_found_by_the_id_in_its_name(tmp_path: Path) -> None:
    mine = conversation(tmp_path)
    other = conversation(tmp_path, f"2026-11-29T19-56-04-928Z_{ID.replace('0', '1')}.jsonl")
    (tmp_path / f"link_{ID.replace('0', '2')}.jsonl").symlink_to(mine)
    assert sessions.named(tmp_path, ID) == mine
    assert sessions.named(tmp_path, ID.replace("0", "2")) is None
    assert sessions.named(tmp_path / "missing", ID) is None
    assert list(sessions.of(tmp_path, CWD)) == [
        Found(ID, BORN, mine),
        Found(ID.replace("0", "1"), BORN, other),
    ]


@pytest.mark.parametrize(
    "header",
    [{"cwd": "/home/user"}, {"cwd": None}, {"type": "message"}, {"timestamp": 1}, {"timestamp": "soon"}],
)
def test_one_of_another_folder_or_shape_is_passed_over(tmp_path: Path, header: dict[str, object]) -> None:
    conversation(tmp_path, header=header)
    assert list(sessions.of(tmp_path, CWD)) == []


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "[]", '"x"', "\udcff"])
def test_what_is_no_conversation_is_passed_over(tmp_path: Path, text: str) -> None:
    path = tmp_path / f"hqt_{ID}.jsonl"
    path.write_text(text, errors="surrogateescape")
    assert list(sessions.of(tmp_path, CWD)) == []
    sessions.follow(path, tmp_path / "into", CWD)
    assert not (tmp_path / "into").exists()


def test_a_conversation_that_moves_names_its_new_folder_and_stays_in_the_old(tmp_path: Path) -> None:
    source, new = conversation(tmp_path / "old"), Path("/home/user/neu ü")
    before = source.read_text()
    sessions.follow(source, tmp_path / "new", new)
    (found,) = sessions.of(tmp_path / "new", new)
    assert found == Found(ID, BORN, tmp_path / "new" / source.name)
    header, rest = found.path.read_text().split("\n", 1)
    assert json.loads(header) == json.loads(before.split("\n", 1)[0]) | {"cwd": str(new)}
    assert (rest, source.read_text()) == (REST, before)


def test_a_copy_that_fails_is_told(tmp_path: Path) -> None:
    source = conversation(tmp_path / "old")
    (tmp_path / "new").touch()
    with pytest.raises(HarnessError, match=r"can't be copied to .*: copy it there"):
        sessions.follow(source, tmp_path / "new", CWD)
