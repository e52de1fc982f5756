"""What is written: each function one transaction, names and conversations held by one session only."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hqt.conversations.ownership import Learned
from hqt.db import reader
from hqt.db.engine import Database, open_database
from hqt.errors import ServiceError
from hqt.sessions import store
from hqt.values import replace
from tests.world import World

_DRAFT = store.Draft(
    key="0000000a",
    name=None,
    given=Path("/home/a/link"),
    project=Path("/home/a/shop"),
    harness="codex",
    args=("-m", "x;"),
    env_names=("TOKEN",),
    conversation=None,
    sandbox_json='{"fs": "rw", "net": true}',
    note="a note",
    roots=("CODEX_HOME=/home/a/codex",),
)


@pytest.fixture
def database(world: World) -> Iterator[Database]:
    opened = open_database(world.places)
    yield opened
    opened.close()


def test_a_draft_becomes_a_starting_row(world: World, database: Database) -> None:
    row_id = store.add(database, _DRAFT)
    (row,) = reader.rows(world.places)
    assert replace(row, created_at="") == reader.SessionRow(
        id=row_id,
        key="0000000a",
        name="shop-codex",
        project="/home/a/shop",
        project_name="shop",
        cwd="/home/a/link",
        harness="codex",
        args=("-m", "x;"),
        env_names=("TOKEN",),
        conversation=None,
        conversation_source=None,
        note="a note",
        phase="starting",
        exit_code=None,
        exit_signal=None,
        created_at="",
        started_at=None,
        ended_at=None,
        sandbox_json='{"fs": "rw", "net": true}',
        roots=("CODEX_HOME=/home/a/codex",),
    )


def test_a_name_is_given_once_and_the_automatic_ones_count_on(world: World, database: Database) -> None:
    store.add(database, _DRAFT)
    store.add(database, replace(_DRAFT, key="0000000b"))
    with pytest.raises(ServiceError, match="the name shop-codex-2 is taken: choose another"):
        store.add(database, replace(_DRAFT, key="0000000c", name="shop-codex-2"))
    assert [row.name for row in reader.rows(world.places)] == ["shop-codex", "shop-codex-2"]


def test_an_id_is_never_given_again(database: Database) -> None:
    first = store.add(database, _DRAFT)
    store.remove(database, "0000000a")
    assert store.add(database, _DRAFT) == first + 1


@dataclass(frozen=True, slots=True)
class _Two:
    """Two sessions that are about to learn where they are."""

    world: World
    database: Database

    def rows(self) -> tuple[reader.SessionRow, ...]:
        return reader.rows(self.world.places)

    def claim(self, judged: reader.SessionRow, learned: Learned, told: str | None = None) -> bool:
        return store.claim(self.database, judged, learned, told, instead_of="it went on")


@pytest.fixture
def two(world: World, database: Database) -> _Two:
    for key in ("0000000a", "0000000b"):
        store.add(database, replace(_DRAFT, key=key, conversation=None, note="a note"))
    return _Two(world, database)


def test_a_conversation_is_claimed_by_one_session_and_stays_its_own(two: _Two) -> None:
    first, second = two.rows()
    assert two.claim(first, Learned("c-1", "discovered"))
    assert not two.claim(second, Learned("c-1", "hook"))
    (first, _) = two.rows()
    assert two.claim(first, Learned("c-2", "hook", left=("c-1",)), "it went on from c-1")
    (first, _) = two.rows()
    assert two.claim(first, Learned("c-3", "hook", left=("c-2",)), "it went on from c-2")
    assert not two.claim(second, Learned("c-1", "hook"))
    found = [(row.conversation, row.conversation_source, row.former) for row in two.rows()]
    assert found == [("c-3", "hook", ("c-1", "c-2")), (None, None, ())]


def test_a_row_that_changed_since_it_was_judged_is_left_alone(two: _Two) -> None:
    judged, _ = two.rows()
    assert two.claim(judged, Learned("c-1", "hook"))
    assert not two.claim(judged, Learned("c-2", "hook"))
    (now, _) = two.rows()
    store.change(two.database, now.key, {"started_at": "2026-06-10T13:00:00Z"})
    assert not two.claim(now, Learned("c-2", "hook"))
    assert two.rows()[0].conversation == "c-1"


def test_the_note_tells_of_the_last_change_alone(two: _Two) -> None:
    for now, before in (("c-1", None), ("c-2", "c-1"), ("c-3", "c-2")):
        row, _ = two.rows()
        assert two.claim(row, Learned(now, "hook"), f"it went on from {before}")
    assert [row.note for row in two.rows()] == ["a note; it went on from c-2", "a note"]


def test_a_taken_name_is_refused_and_an_own_one_kept(world: World, database: Database) -> None:
    for key, name in (("0000000a", "one"), ("0000000b", "two")):
        store.add(database, replace(_DRAFT, key=key, name=name))
    with pytest.raises(ServiceError, match="the name two is taken"):
        store.rename(database, "0000000a", "two")
    store.rename(database, "0000000a", "one")
    assert [row.name for row in reader.rows(world.places)] == ["one", "two"]


def test_a_moved_session_has_the_new_project(world: World, database: Database) -> None:
    store.add(database, _DRAFT)
    store.move(database, "0000000a", Path("/home/a/there"), Path("/home/a/real"))
    (row,) = reader.rows(world.places)
    assert (row.cwd, row.project, row.project_name) == ("/home/a/there", "/home/a/real", "real")


def test_the_root_folder_has_a_name(world: World, database: Database) -> None:
    store.add(database, replace(_DRAFT, project=Path("/")))
    assert [(row.project_name, row.name) for row in reader.rows(world.places)] == [("root", "root-codex")]
