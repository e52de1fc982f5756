"""What is written: each function one transaction, names and conversations held by one session only."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hqt.db import reader
from hqt.db.engine import Database, open_database
from hqt.errors import ServiceError
from hqt.services import rows
from tests.world import World

_DRAFT = rows.Draft(
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
)


@pytest.fixture
def database(world: World) -> Iterator[Database]:
    opened = open_database(world.places)
    yield opened
    opened.close()


def test_a_draft_becomes_a_starting_row(world: World, database: Database) -> None:
    row_id = rows.add(database, _DRAFT)
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
    )


def test_a_name_is_given_once_and_the_automatic_ones_count_on(world: World, database: Database) -> None:
    rows.add(database, _DRAFT)
    rows.add(database, replace(_DRAFT, key="0000000b"))
    with pytest.raises(ServiceError, match="the name shop-codex-2 is taken: choose another"):
        rows.add(database, replace(_DRAFT, key="0000000c", name="shop-codex-2"))
    assert [row.name for row in reader.rows(world.places)] == ["shop-codex", "shop-codex-2"]


def test_an_id_is_never_given_again(database: Database) -> None:
    first = rows.add(database, _DRAFT)
    rows.remove(database, "0000000a")
    assert rows.add(database, _DRAFT) == first + 1


def test_a_conversation_is_claimed_by_one_session_and_only_once(world: World, database: Database) -> None:
    for key in ("0000000a", "0000000b"):
        rows.add(database, replace(_DRAFT, key=key))
    assert rows.claim(database, "0000000a", "c-1", "discovered")
    assert not rows.claim(database, "0000000b", "c-1", "discovered")
    rows.claim(database, "0000000a", "c-2", "discovered")
    found = [(row.conversation, row.conversation_source) for row in reader.rows(world.places)]
    assert found == [("c-1", "discovered"), (None, None)]


def test_a_taken_name_is_refused_and_an_own_one_kept(world: World, database: Database) -> None:
    for key, name in (("0000000a", "one"), ("0000000b", "two")):
        rows.add(database, replace(_DRAFT, key=key, name=name))
    with pytest.raises(ServiceError, match="the name two is taken"):
        rows.rename(database, "0000000a", "two")
    rows.rename(database, "0000000a", "one")
    assert [row.name for row in reader.rows(world.places)] == ["one", "two"]


def test_a_moved_session_has_the_new_project(world: World, database: Database) -> None:
    rows.add(database, _DRAFT)
    rows.move(database, "0000000a", Path("/home/a/there"), Path("/home/a/real"))
    (row,) = reader.rows(world.places)
    assert (row.cwd, row.project, row.project_name) == ("/home/a/there", "/home/a/real", "real")


def test_the_root_folder_has_a_name(world: World, database: Database) -> None:
    rows.add(database, replace(_DRAFT, project=Path("/")))
    assert [(row.project_name, row.name) for row in reader.rows(world.places)] == [("root", "root-codex")]
