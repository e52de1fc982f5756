"""The schema, as the steps that lead to it; a fresh database takes them all."""

import sqlite3
from contextlib import closing
from pathlib import Path

from hqt.db.failures import foreign
from hqt.db.files import beside, connect, make
from hqt.errors import DatabaseError, NewerDatabase

_STEPS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE project (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            key TEXT NOT NULL UNIQUE,
            path TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE session (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            key TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL UNIQUE,
            project_id INTEGER NOT NULL REFERENCES project (id),
            cwd TEXT NOT NULL,
            harness TEXT NOT NULL,
            args TEXT NOT NULL,
            env_names TEXT NOT NULL,
            conversation TEXT,
            conversation_source TEXT,
            note TEXT,
            phase TEXT NOT NULL CHECK (phase IN ('starting', 'running', 'stopped', 'exited')),
            exit_code INTEGER,
            exit_signal INTEGER,
            created_at TEXT NOT NULL,
            started_at TEXT,
            ended_at TEXT
        )
        """,
    ),
    ("ALTER TABLE session ADD COLUMN sandbox_json TEXT",),
    (
        "ALTER TABLE session ADD COLUMN former TEXT NOT NULL DEFAULT '[]'",
        "ALTER TABLE session ADD COLUMN roots TEXT",
    ),
    ("ALTER TABLE session ADD COLUMN copy_of TEXT",),
    ("ALTER TABLE session ADD COLUMN muted INTEGER NOT NULL DEFAULT 0",),
)

VERSION = len(_STEPS)


def version(connection: sqlite3.Connection, path: Path) -> int:
    """The schema's version, 0 where nothing has been made yet.

    Raises DatabaseError for one that this hqt must not touch: of a newer hqt, or not of hqt at all.
    """
    found: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if found > VERSION:
        raise NewerDatabase(
            f"the database {path} is of version {found} and this hqt knows only {VERSION}: update hqt"
        )
    if found < 0 or (found == 0 and connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()):
        raise foreign(path)
    return found


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the database at `path` to VERSION; an older one is first copied to `hqt.db.v<N>-backup`.

    `connection` must not begin transactions by itself (isolation_level None): Python's own ones do not
    cover DDL. Each step is made whole or not at all, and by one process only.
    """
    found = version(connection, path)
    if 0 < found < VERSION:
        _copy(connection, beside(path, f".v{found}-backup"))
    for step in range(found, VERSION):
        _take(connection, path, step)


def _copy(connection: sqlite3.Connection, backup: Path) -> None:
    """Copy with what is only in -wal yet; the copy has its name once it is whole."""
    part = beside(backup, ".part")
    part.unlink(missing_ok=True)
    try:
        make(part)
        with closing(connect(part, "rw")) as copy:
            connection.backup(copy)
        part.replace(backup)
    except OSError as error:
        raise DatabaseError(
            f"the copy {backup} can't be made before the migration: {error.strerror}"
        ) from error
    finally:
        part.unlink(missing_ok=True)


def _take(connection: sqlite3.Connection, path: Path, step: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if version(connection, path) == step:  # another process may have been here since
            for statement in _STEPS[step]:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {step + 1}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
