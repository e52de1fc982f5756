"""One session, one change at a time: whoever starts, stops or moves it holds its lock."""

import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hqt.db import reader
from hqt.db.reader import SessionRow
from hqt.errors import ServiceError
from hqt.paths import Places, make_private

PATIENCE_S = 30.0  # longer than any start or stop takes
_LOOK_S = 0.02


@contextmanager
def hold(folder: Path, *, limit_s: float) -> Iterator[None]:
    """Hold the session's lock; ServiceError where another process keeps it for longer than `limit_s`."""
    make_private(folder.parent)
    descriptor = os.open(make_private(folder) / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _take(descriptor, folder, time.monotonic() + limit_s)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def hold_row(places: Places, text: str) -> Iterator[SessionRow]:
    """The row of the session with that id or name, read under its lock."""
    key = reader.find(places, text).key
    folder = places.session(key)
    with hold(folder, limit_s=PATIENCE_S):
        row = reader.by_key(places, key)
        if row is None:
            shutil.rmtree(folder, ignore_errors=True)  # the lock has just made it anew
            raise ServiceError("the session was removed in the meantime: `hqt list` shows what is there")
        yield row


def wait_until_free(folder: Path, *, limit_s: float) -> None:
    """Return once nobody holds the lock, or after `limit_s`; nothing is made for it."""
    deadline = time.monotonic() + limit_s
    while is_held(folder) and time.monotonic() < deadline:
        time.sleep(_LOOK_S)


def is_held(folder: Path) -> bool:
    """Whether a process holds the lock now."""
    try:
        descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _take(descriptor: int, folder: Path, deadline: float) -> None:
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if time.monotonic() >= deadline:
                raise ServiceError(
                    f"another hqt is starting or stopping the session {folder.name}: try again in a moment"
                ) from error
            time.sleep(_LOOK_S)
