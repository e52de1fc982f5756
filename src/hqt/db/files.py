"""The files of the database: their kind, modes and lock, the way they are opened and moved aside."""

import fcntl
import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from typing import Literal

from hqt.db.failures import held
from hqt.errors import DatabaseError

WAIT_S = 5.0  # for another process, be it in a transaction or in the middle of opening
_POLL_S = 0.02
_COMPANIONS = ("-wal", "-shm", "-journal")


def beside(path: Path, suffix: str) -> Path:
    """The file next to `path` whose name is longer by `suffix`."""
    return path.with_name(path.name + suffix)


def exists(path: Path) -> bool:
    """Whether a database file is there; DatabaseError where something else has its name."""
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise DatabaseError(f"the database {path} can't be looked at: {error.strerror}") from error
    # no links: SQLite would keep -wal beside their target, and moving aside would move the link alone
    if not stat.S_ISREG(mode):
        raise DatabaseError(f"{path} is no ordinary file: move it away")
    return True


def identity(path: Path) -> tuple[int, int] | None:
    """What stays the same as long as the file of that name does; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def connect(path: Path, mode: Literal["ro", "rw"]) -> sqlite3.Connection:
    """A connection that begins no transaction by itself and never makes the file.

    The file is never opened in any other way: closing a descriptor of one's own would drop the locks
    of every connection of this process (sqlite.org/howtocorrupt.html, 2.2).
    """
    return sqlite3.connect(
        f"{path.as_uri()}?mode={mode}",  # quoted there, as ? # and % have a meaning in it
        uri=True,
        timeout=WAIT_S,
        isolation_level=None,
        check_same_thread=False,  # a pool hands it from thread to thread, to one at a time
    )


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that leaves no new file behind."""
    # opened for writing, SQLite takes -wal and -shm away again that it makes for reading; read-only, it
    # leaves them behind, but also leaves as it is what another process or a crash has left in them
    return connect(path, "ro" if beside(path, "-wal").exists() else "rw")


def is_whole(path: Path) -> bool:
    """Whether the file alone holds all that was ever committed, and nothing beside it has a say."""
    return _is_empty(beside(path, "-wal")) and _is_empty(beside(path, "-journal"))


def connect_as_it_is(path: Path) -> sqlite3.Connection:
    """A connection that needs no file beside the database and takes no lock: see `is_whole`."""
    return sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)


def _is_empty(file: Path) -> bool:
    try:
        return file.stat().st_size == 0
    except FileNotFoundError:
        return True
    except OSError:
        return False


def make(path: Path) -> None:
    """Make an empty file where there is none; it and what is beside it become 0600.

    -wal and -shm that SQLite makes later take the mode of the database (sqlite.org, os_unix.c).
    """
    try:
        if not exists(path):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))
        for suffix in (*_COMPANIONS, ""):
            with suppress(FileNotFoundError):  # another process may be closing, and so removing -wal
                beside(path, suffix).chmod(0o600)
    except OSError as error:
        raise DatabaseError(f"the database {path} can't be made private to you: {error.strerror}") from error


def move_aside(path: Path) -> Path:
    """Rename the database and what SQLite keeps beside it; the new name tells the time in UTC."""
    name = f"{path.name}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    names = chain((name,), (f"{name}-{n}" for n in count(2)))
    aside = next(free for free in map(path.with_name, names) if not free.exists())
    # the database last: whenever this is cut short, no file of the old one can meet a new one
    for suffix in (*_COMPANIONS, ""):
        try:
            beside(path, suffix).rename(beside(aside, suffix))
        except FileNotFoundError:
            continue
        except OSError as error:
            raise DatabaseError(
                f"the damaged database {path} can't be moved aside: {error.strerror}"
            ) from error
    return aside


@contextmanager
def lock(path: Path) -> Iterator[None]:
    """Be the only process that opens the database for writing, or DatabaseError after WAIT_S."""
    file = beside(path, ".lock")
    try:
        descriptor = os.open(file, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise DatabaseError(f"the lock {file} can't be opened: {error.strerror}") from error
    try:
        _take(descriptor, path)
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int, path: Path) -> None:
    until = time.monotonic() + WAIT_S
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if time.monotonic() > until:
                raise held(path) from error
            time.sleep(_POLL_S)
        else:
            return
