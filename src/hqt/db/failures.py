"""SQLite's failures, each as one sentence for the user."""

import sqlite3
from pathlib import Path

from hqt.errors import DatabaseError

_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
# PROTOCOL: many processes recover the same WAL at once and SQLite gives up waiting (sqlite.org/rescode.html)
_HELD = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_REFUSED = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM}

_NO_ROOM = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}


def held(path: Path) -> DatabaseError:
    return DatabaseError(f"another hqt holds the database {path}: try again")


def foreign(path: Path) -> DatabaseError:
    return DatabaseError(f"{path} is no database of hqt's: move it away")


def means_damage(error: sqlite3.Error) -> bool:
    """Whether SQLite says that the file itself is wrong; locks, permissions and full disks are not damage."""
    return _code(error) in _DAMAGE


def means_no_room(error: sqlite3.Error) -> bool:
    """Whether SQLite may have had no room, or no right, to make what it wants beside the database."""
    return _code(error) in _NO_ROOM


def explain(error: sqlite3.Error, path: Path) -> DatabaseError:
    """The error to raise instead of SQLite's own; raise it from `error`."""
    code = _code(error)
    if code in _HELD:
        return held(path)
    if code in _DAMAGE:
        return DatabaseError(f"the database {path} is damaged: the next command that writes moves it aside")
    if code == sqlite3.SQLITE_FULL:
        return DatabaseError(
            f"the database {path} can't be written, the disk is full: make room and try again"
        )
    if code in _REFUSED:
        return DatabaseError(
            f"the database {path} can't be opened or written: see who may use it and its folder"
        )
    if code == sqlite3.SQLITE_IOERR:  # a full disk comes as this too, where the -shm file can't grow
        return DatabaseError(
            f"the database {path} can't be read or written ({error}): check the disk and its room"
        )
    return DatabaseError(f"{path} can't be used as hqt's database ({error}): move it away")


def _code(error: sqlite3.Error) -> int | None:
    code: int | None = getattr(error, "sqlite_errorcode", None)  # absent where Python itself raised
    return (
        None if code is None else code & 0xFF
    )  # the lowest byte is the primary code (sqlite.org/rescode.html)
