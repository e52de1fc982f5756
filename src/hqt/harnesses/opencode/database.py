"""OpenCode's conversations: rows of a SQLite database, which a jail has for itself and writes as it likes."""

import re
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from hqt.harnesses import transcripts
from hqt.harnesses.base import Found

_ID = re.compile(r"ses_[0-9A-Za-z]{8,60}")
_COPY_MAX = 1 << 29  # bytes; one session's texts and what its tools said
# a jail may have made `session` a view: one without an end, or of values that fill the memory
_LIMIT_S = 2.0
_VALUE_MAX = 1 << 24  # bytes of a row, or of what a view makes on the way to one
_STEPS = 100  # of SQLite's machine between two looks at the clock; each may make a value
# a subagent has a session of its own, with a parent
_QUESTION = (
    "SELECT id, time_created FROM session WHERE directory = ? AND parent_id IS NULL"
    " AND length(id) <= 64 AND typeof(time_created) = 'integer'"
    " ORDER BY time_created DESC LIMIT 500"
)


def of(database: Path, cwd: Path) -> tuple[Found, ...]:
    """The user's conversations in `cwd`, newest first; none where the database can't be read."""
    return tuple(_found(_rows(database, cwd), database, exclusive=False))


def of_jail(database: Path, cwd: Path) -> tuple[Found, ...]:
    """The same of a database that one jail writes: of a copy, as its name may lead elsewhere at any time."""
    from tempfile import TemporaryDirectory  # here, as below

    with TemporaryDirectory(prefix="hqt-") as folder:
        for name in (database.name, f"{database.name}-wal"):
            transcripts.copy(database.with_name(name), Path(folder, name), limit=_COPY_MAX)
        return tuple(_found(_rows(Path(folder, database.name), cwd), database, exclusive=True))


def _rows(database: Path, cwd: Path) -> list[tuple[object, object]]:
    import sqlite3  # here: 3 ms that starts of other harnesses need not spend

    try:
        # read-only, and no lock that an agent at work would wait for: it is in WAL mode
        with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True, timeout=1)) as connection:
            end = time.monotonic() + _LIMIT_S
            connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _VALUE_MAX)
            connection.execute("PRAGMA trusted_schema = OFF")
            return connection.execute(_QUESTION, (str(cwd),)).fetchall()
    except (sqlite3.Error, UnicodeError, OverflowError):
        return []


def _found(rows: list[tuple[object, object]], database: Path, *, exclusive: bool) -> Iterator[Found]:
    for conversation, created in rows:
        if isinstance(conversation, str) and _ID.fullmatch(conversation) and isinstance(created, int):
            yield Found(conversation, born=created / 1000, path=database, exclusive=exclusive)
