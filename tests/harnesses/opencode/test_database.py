import os
import sqlite3
import time
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import TypeAlias

import pytest

from hqt.harnesses.base import Found
from hqt.harnesses.opencode import database as opencode_store

Look: TypeAlias = Callable[[Path, Path], tuple[Found, ...]]

CWD = Path("/home/user/proj")
ID, OTHER, CHILD = (f"ses_dd72095a2ffenL4tV6j7NFMvv{end}" for end in "ijk")
TABLE = "CREATE TABLE session (id, parent_id, directory, time_created)"
ENDLESS = (
    "CREATE VIEW session AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    " SELECT 'ses_' || i AS id, NULL AS parent_id, '/home/user/proj' AS directory, i AS time_created FROM n"
)


def row(conversation: str, cwd: Path = CWD, parent: str = "NULL", created: str = "1795982060125") -> str:
    return f"INSERT INTO session VALUES ('{conversation}', {parent}, '{cwd}', {created})"  # noqa: S608


def database(path: Path, *statements: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        for statement in statements or (TABLE, row(ID)):
            connection.execute(statement)
    return path


both = pytest.mark.parametrize(
    "look", [opencode_store.of, opencode_store.of_jail], ids=["of the host", "of a jail"]
)


@both
def test_conversations_of_the_folder_are_found_newest_first(tmp_path: Path, look: Look) -> None:
    elsewhere, child = row("ses_elsewhere", CWD / "sub"), row(CHILD, parent=f"'{ID}'")
    path = database(
        tmp_path / "ü #?.db", TABLE, row(ID), row(OTHER, created="1795982060126"), child, elsewhere
    )
    own = look is opencode_store.of_jail
    assert look(path, CWD) == (
        Found(OTHER, 1795982060.126, path, exclusive=own),
        Found(ID, 1795982060.125, path, exclusive=own),
    )


@both
def test_a_look_at_one_in_use_sees_its_log_and_changes_nothing(tmp_path: Path, look: Look) -> None:
    path = database(tmp_path / "opencode.db", TABLE)
    with closing(sqlite3.connect(path, isolation_level=None)) as agent:
        agent.execute(row(ID))
        before = {each.name: each.stat().st_mtime_ns for each in tmp_path.iterdir()}
        assert [each.conversation for each in look(path, CWD)] == [ID]
        assert {each.name: each.stat().st_mtime_ns for each in tmp_path.iterdir()} == before


@both
@pytest.mark.parametrize(
    "rows", [(TABLE,), (TABLE, row("--auto")), (TABLE, row(f"{ID} x")), (TABLE, row(ID, created="'soon'"))]
)
def test_what_is_no_conversation_is_passed_over(tmp_path: Path, look: Look, rows: tuple[str, ...]) -> None:
    assert look(database(tmp_path / "opencode.db", *rows), CWD) == ()


@both
@pytest.mark.parametrize("content", [None, b"", b"x" * 5000, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_database_that_cannot_be_read_holds_nothing(
    tmp_path: Path, look: Look, content: bytes | None
) -> None:
    path = tmp_path / "opencode.db"
    if content is not None:
        path.write_bytes(content)
    assert look(path, CWD) == ()


@both
def test_an_endless_view_ends(tmp_path: Path, look: Look) -> None:
    assert look(database(tmp_path / "opencode.db", "CREATE TABLE x (y)", ENDLESS), CWD) == ()


@both
@pytest.mark.parametrize("value", ["hex(zeroblob(90000000)) || i", "length(hex(zeroblob(90000000)) || i)"])
def test_a_view_of_huge_values_is_given_up(tmp_path: Path, look: Look, value: str) -> None:
    huge = ENDLESS.replace("'ses_' || i AS id", f"{value} AS id").replace("FROM n)", "FROM n LIMIT 40)")
    path = database(tmp_path / "opencode.db", "CREATE TABLE x (y)", huge)
    tracemalloc.start()
    try:
        assert look(path, CWD) == ()
        used = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert used < 1 << 26


@both
def test_a_view_that_takes_its_time_is_given_up(
    tmp_path: Path, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = count()
    monkeypatch.setattr(time, "monotonic", lambda: float(next(seconds)))
    slow = ENDLESS.replace("'ses_' || i AS id", "hex(randomblob(8000000)) || i AS id")
    assert look(database(tmp_path / "opencode.db", "CREATE TABLE x (y)", slow), CWD) == ()


def test_a_jail_leads_the_look_nowhere_else(tmp_path: Path) -> None:
    theirs = database(tmp_path / "host/opencode.db")
    own = tmp_path / "own"
    own.mkdir()
    (own / "link.db").symlink_to(theirs)
    os.mkfifo(own / "pipe.db")
    (own / "folder.db").mkdir()
    assert [opencode_store.of_jail(own / f"{kind}.db", CWD) for kind in ("link", "pipe", "folder")] == [
        ()
    ] * 3


def test_no_more_than_a_bounded_part_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = database(tmp_path / "opencode.db", TABLE, *(row(f"ses_{number:08}") for number in range(500)))
    monkeypatch.setattr(opencode_store, "_COPY_MAX", 4096)
    assert opencode_store.of_jail(path, CWD) == ()
