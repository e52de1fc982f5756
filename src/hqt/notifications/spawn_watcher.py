"""The watcher: one process a user that tells them of their agents, also where no terminal shows hqt."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from hqt.paths import Places, make_private
from hqt.start.caller import Caller

# the shell leaves it to init: a screen that stays open for days would keep its ended ones as zombies
_AWAY = ("/bin/sh", "-c", '"$@" &', "sh")
_LOG_MAX = 1_000_000
_WATCH = (sys.executable, "-I", "-m", "hqt", "watch")


def spawn_watcher(places: Places, caller: Caller) -> None:
    """Let the watcher run unless it does. Nothing fails with it: a session is worth more than its notices."""
    with suppress(OSError):
        if not _is_held(places):
            with _log(places.data / "watch.log") as log:
                subprocess.run(
                    [*_AWAY, *_WATCH],
                    env=_environment(caller.env),
                    cwd="/",
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=log,
                    start_new_session=True,
                    check=False,
                )


@contextmanager
def only_watcher(places: Places) -> Iterator[bool]:
    """Whether this process is the one watcher of these sessions, as long as the context lasts."""
    make_private(places.data)
    descriptor = os.open(_lock(places), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield _take(descriptor)
    finally:
        os.close(descriptor)


def _environment(env: Mapping[str, str]) -> Mapping[str, str]:
    """Without a session's mark, by which a stop finds what it is to end."""
    return {name: value for name, value in env.items() if not name.startswith("HQT_")}


def _log(file: Path) -> IO[bytes]:
    """What a watcher complains of, 0600; begun anew once it is large."""
    is_large = file.exists() and file.stat().st_size > _LOG_MAX
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.fdopen(os.open(file, flags | (os.O_TRUNC if is_large else 0), 0o600), "ab")


def _is_held(places: Places) -> bool:
    try:
        descriptor = os.open(_lock(places), os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        return not _take(descriptor)
    finally:
        os.close(descriptor)


def _take(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lock(places: Places) -> Path:
    return places.data / "watch.lock"
