"""Sleeping until something is written in a folder or a process ends: inotify and pidfds, nothing is asked."""

import ctypes
import errno
import os
import select
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Self

# inotify(7): what is written, renamed into place or made; never through a link, and only folders
_MASK = 0x2 | 0x8 | 0x80 | 0x100 | 0x0100_0000 | 0x0200_0000
_READ = 1 << 16
_ABSENT = (errno.ENOENT, errno.ENOTDIR)


class Alarm:
    """Wakes who waits. What can't be watched, as the limits of inotify are reached, is in `is_deaf`."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        flags = os.O_NONBLOCK | os.O_CLOEXEC
        self._inotify: int = self._libc.inotify_init1(flags)
        self._pids: dict[int, int] = {}  # pid -> pidfd
        self.is_deaf = self._inotify < 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for descriptor in (*self._pids.values(), *([] if self._inotify < 0 else [self._inotify])):
            os.close(descriptor)
        self._pids.clear()

    def fileno(self) -> int:
        """What a loop of events can read once something was written; -1 where nothing is heard."""
        return self._inotify

    def watch(self, folder: Path) -> None:
        """Wake at what is written in it; watched already is as well. One that is not there is left out."""
        if self._inotify < 0:
            return
        added = self._libc.inotify_add_watch(self._inotify, os.fsencode(folder), _MASK)
        if added < 0 and ctypes.get_errno() not in _ABSENT:
            self.is_deaf = True

    def attend(self, pids: Iterable[int]) -> None:
        """Wake when one of them ends; those of before, and no others, are attended no more."""
        wanted = set(pids)
        for pid in self._pids.keys() - wanted:
            os.close(self._pids.pop(pid))
        for pid in wanted - self._pids.keys():
            try:
                self._pids[pid] = os.pidfd_open(pid)
            except OSError:  # ended meanwhile, as a look will find
                continue

    def sleep(self, limit_s: float) -> bool:
        """Whether something woke it within `limit_s`."""
        poll = select.poll()
        for descriptor in (*self._pids.values(), *([] if self._inotify < 0 else [self._inotify])):
            poll.register(descriptor, select.POLLIN)
        woken = bool(poll.poll(max(limit_s, 0.0) * 1000))
        self.forget()
        return woken

    def forget(self) -> None:
        """Take what came until now for one event; more than that wakes once more."""
        if self._inotify >= 0:
            with suppress(BlockingIOError):
                os.read(self._inotify, _READ)
