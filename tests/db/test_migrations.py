"""The steps of the schema."""

import os
import signal
import sqlite3
import stat
from contextlib import closing
from itertools import chain
from pathlib import Path

import pytest

from hqt.db import files
from hqt.db.migrations import _STEPS, VERSION, _take, migrate, version
from hqt.errors import DatabaseError
from hqt.paths import Places
from tests.db.scratch import V1, V2, V3, V4, at_once, modes, raw, version_1, version_2, version_3, version_4


def _migrate(path: Path) -> None:
    with closing(files.connect(path, "rw")) as connection:
        migrate(connection, path)


def _rows(path: Path, columns: str = "*") -> list[tuple[object, ...]]:
    return raw(path, f"SELECT {columns} FROM session ORDER BY id")  # noqa: S608 - ours


def test_a_fresh_database_takes_every_step(places: Places) -> None:
    places.data.mkdir()
    files.make(places.database)
    _migrate(places.database)
    assert raw(places.database, "PRAGMA user_version") == [(VERSION,)]
    assert _rows(places.database, "sandbox_json") == []
    assert modes(places.data) == {"hqt.db": "0600"}  # nothing was there to be copied


# what version 3 adds to a session: no former conversation, and nothing known of where its files are
_GAINED_IN_3 = ("[]", None)
# and version 4: no session of before is a copy
_GAINED_IN_4 = (None,)
# and version 5: none is muted
_GAINED_IN_5 = (0,)


def test_version_1_keeps_its_rows_and_gains_an_open_jail_column(places: Places) -> None:
    path = version_1(places)
    before = _rows(path)
    _migrate(path)
    assert _rows(path) == [(*row, None, *_GAINED_IN_3, *_GAINED_IN_4, *_GAINED_IN_5) for row in before]
    assert raw(path, "PRAGMA user_version") == [(VERSION,)]


def test_version_2_keeps_its_rows_with_their_jails(places: Places) -> None:
    path = version_2(places)
    before = _rows(path)
    _migrate(path)
    assert _rows(path) == [(*row, *_GAINED_IN_3, *_GAINED_IN_4, *_GAINED_IN_5) for row in before]
    assert raw(places.data / "hqt.db.v2-backup", "PRAGMA user_version") == [(2,)]


def test_version_3_keeps_its_rows_with_all_that_is_known_of_them(places: Places) -> None:
    path = version_3(places)
    before = _rows(path)
    _migrate(path)
    assert _rows(path) == [(*row, *_GAINED_IN_4, *_GAINED_IN_5) for row in before]
    assert raw(places.data / "hqt.db.v3-backup", "PRAGMA user_version") == [(3,)]


def test_version_4_keeps_its_rows_and_none_is_muted(places: Places) -> None:
    path = version_4(places)
    before = _rows(path)
    _migrate(path)
    assert _rows(path) == [(*row, *_GAINED_IN_5) for row in before]
    assert raw(places.data / "hqt.db.v4-backup", "PRAGMA user_version") == [(4,)]


def test_an_id_of_version_1_is_not_given_again(places: Places) -> None:
    path = version_1(places)
    _migrate(path)
    raw(
        path,
        "INSERT INTO session (key, name, project_id, cwd, harness, args, env_names, phase, created_at)"
        " VALUES ('3', 'n', 1, '/', 'h', '[]', '[]', 'running', 't')",
    )
    assert _rows(path, "id") == [(1,), (2,), (4,)]


@pytest.mark.parametrize(("steps", "dump"), [(1, V1), (2, V2), (3, V3), (4, V4)])
def test_the_dump_of_a_version_is_what_its_steps_make(steps: int, dump: Path) -> None:
    made, dumped = sqlite3.connect(":memory:"), sqlite3.connect(":memory:")
    for statement in chain.from_iterable(_STEPS[:steps]):
        made.execute(statement)
    dumped.executescript(dump.read_text())
    tables = ["project", "session"]
    schemas = [
        [db.execute(f"PRAGMA table_xinfo({table})").fetchall() for table in tables] for db in (made, dumped)
    ]
    made.close()
    dumped.close()
    assert schemas[0] == schemas[1]


def test_an_older_database_is_copied_first_with_what_only_wal_holds(places: Places) -> None:
    path = version_1(places)
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("UPDATE session SET note = 'only in the WAL' WHERE id = 1")
        before = _rows(path)
        _migrate(path)
    backup = places.data / "hqt.db.v1-backup"
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert raw(backup, "PRAGMA user_version") == [(1,)]
    assert _rows(backup) == before
    assert sorted(modes(places.data)) == ["hqt.db", "hqt.db.v1-backup"]


def test_a_newer_database_is_refused_and_left_as_it_is(places: Places) -> None:
    path = version_1(places)
    raw(path, "PRAGMA user_version = 99")
    content = path.read_bytes()
    with pytest.raises(DatabaseError) as raised:
        _migrate(path)
    assert str(raised.value) == f"the database {path} is of version 99 and this hqt knows only 5: update hqt"
    assert path.read_bytes() == content


@pytest.mark.parametrize("number", [0, -1])
def test_a_database_that_is_not_hqts_is_refused(places: Places, number: int) -> None:
    path = version_1(places)
    raw(path, f"PRAGMA user_version = {number}")
    with pytest.raises(DatabaseError) as raised:
        _migrate(path)
    assert str(raised.value) == f"{path} is no database of hqt's: move it away"


def test_eight_migrators_at_once_take_each_step_once(places: Places) -> None:
    path = version_1(places)
    raw(path, "PRAGMA journal_mode = WAL")
    before = _rows(path)
    assert at_once(8, lambda _number: _take_steps(path)) == [0] * 8
    assert _rows(path) == [(*row, None) for row in before]


def _take_steps(path: Path) -> None:
    """Migrate without the copy: all of them would make the same one, which the lock of engine.py prevents."""
    with closing(files.connect(path, "rw")) as connection:
        _take(connection, path, 1)
        assert version(connection, path) == 2


@pytest.mark.parametrize("statement", ["ALTER TABLE session", "PRAGMA user_version = 2", "COMMIT"])
def test_a_kill_in_the_middle_of_a_step_leaves_the_version_before_it(places: Places, statement: str) -> None:
    path = version_1(places)
    before = _rows(path)
    assert at_once(1, lambda _number: _migrate_until(path, statement)) == [-signal.SIGKILL]
    assert raw(path, "PRAGMA user_version") == [(1,)]
    assert _rows(path) == before
    _migrate(path)
    assert _rows(path) == [(*row, None, *_GAINED_IN_3, *_GAINED_IN_4, *_GAINED_IN_5) for row in before]


def _migrate_until(path: Path, statement: str) -> None:
    """Be killed when SQLite is about to run `statement`."""

    def die(running: str) -> None:
        if running.startswith(statement):
            os.kill(os.getpid(), signal.SIGKILL)

    with closing(files.connect(path, "rw")) as connection:
        connection.set_trace_callback(die)
        migrate(connection, path)
