"""The writing side: the database opened once, then one immediate transaction at a time."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import cast

from sqlalchemy import Connection, Engine, create_engine, event, exc, orm
from sqlalchemy.pool import QueuePool

from hqt.db import files, health, migrations
from hqt.db.failures import explain
from hqt.errors import DatabaseError
from hqt.paths import Places, make_private


class Database:
    """An open database. `moved_aside`: where a damaged one went when this one was made in its place."""

    def __init__(self, path: Path, moved_aside: Path | None) -> None:
        self.path = path
        self.moved_aside = moved_aside
        self._identity = files.identity(path)
        self._engine = _engine(path)
        # rows keep their values after the commit: the service makes views of them, outside the lock
        self._sessions = orm.sessionmaker(self._engine, expire_on_commit=False)

    @contextmanager
    def transaction(self) -> Iterator[orm.Session]:
        """Hold the write lock until the end: committed there, rolled back on any exception.

        Raises DatabaseError where SQLite cannot; an IntegrityError is left to the caller.
        """
        self._demand_the_same_file()
        try:
            with self._sessions.begin() as session:
                session.connection()  # takes the lock now: what is read from here on stays true
                yield session
        except (exc.IntegrityError, exc.ProgrammingError):
            raise
        except exc.DatabaseError as error:
            raise explain(cast(sqlite3.Error, error.orig), self.path) from error
        except UnicodeEncodeError as error:
            raise DatabaseError(f"{error.object!r} is not UTF-8 and can't be stored: rename it") from error

    def close(self) -> None:
        self._engine.dispose()

    def _demand_the_same_file(self) -> None:
        """An open connection writes on into a file that was renamed, where nobody would read it."""
        if files.identity(self.path) != self._identity:
            raise DatabaseError(
                f"the database {self.path} was removed or replaced while hqt was open: start hqt again"
            )


def open_database(places: Places) -> Database:
    """Open the database for writing, made, migrated or replaced where due, by one process at a time."""
    path = places.database
    make_private(places.data)
    with files.lock(path):
        is_damaged = files.exists(path) and health.version(path) is None
        moved_aside = files.move_aside(path) if is_damaged else None
        files.make(path)
        _prepare(path)
    return Database(path, moved_aside)


def _prepare(path: Path) -> None:
    try:
        with closing(files.connect(path, "rw")) as connection:
            # kept in the file; set under the lock, as it fails when another process sets it too
            connection.execute("PRAGMA journal_mode = WAL")
            migrations.migrate(connection, path)
    except sqlite3.DatabaseError as error:
        raise explain(error, path) from error


def _engine(path: Path) -> Engine:
    engine = create_engine("sqlite://", creator=partial(files.connect, path, "rw"), poolclass=QueuePool)
    event.listen(engine, "connect", _enforce_foreign_keys)
    event.listen(engine, "begin", _begin)
    return engine


def _enforce_foreign_keys(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute("PRAGMA foreign_keys = ON")


def _begin(connection: Connection) -> None:
    # a plain BEGIN takes the write lock too late: updates made from what was read before are lost or fail
    connection.exec_driver_sql("BEGIN IMMEDIATE")
