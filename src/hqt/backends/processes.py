"""The processes of an agent, held so that none is missed and no stranger is hit."""

import os
import select
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

_PROC = "/proc"
_EXEC_S = 1.0  # many times what loading a program takes
_AGAIN_S = 0.001


class Held:
    """Processes by descriptors: a number that is given to another process meanwhile is never signalled."""

    __slots__ = ("pids",)

    def __init__(self) -> None:
        self.pids: dict[int, int] = {}  # pid -> pidfd

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for descriptor in self.pids.values():
            os.close(descriptor)
        self.pids.clear()

    def add(self, pids: Iterable[int]) -> None:
        for pid in pids:
            if pid not in self.pids and pid != os.getpid():
                try:
                    self.pids[pid] = os.pidfd_open(pid)
                except OSError:  # ended meanwhile
                    continue

    def send(self, number: int, pid: int | None = None) -> None:
        """The signal to all of them, or to `pid` alone; those that ended are no error."""
        for each, descriptor in self.pids.items():
            if pid is None or each == pid:
                try:
                    signal.pidfd_send_signal(descriptor, number)
                except (ProcessLookupError, PermissionError):
                    continue

    def wait(self, limit_s: float, pid: int | None = None) -> bool:
        """Whether all of them, or `pid` alone, ended within `limit_s`."""
        deadline = time.monotonic() + limit_s
        for each, descriptor in self.pids.items():
            if pid is None or each == pid:
                poll = select.poll()
                poll.register(descriptor, select.POLLIN)
                if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
                    return False
        return True

    def wait_any(self, limit_s: float) -> bool:
        """Whether one of them ended within `limit_s`."""
        poll = select.poll()
        for descriptor in self.pids.values():
            poll.register(descriptor, select.POLLIN)  # a pidfd can be read once its process ended
        return bool(poll.poll(limit_s * 1000))


def descendants(root: int) -> set[int]:
    """`root` and all below it now."""
    children: dict[int, list[int]] = {}
    for pid, parent in _parents():
        children.setdefault(parent, []).append(pid)
    found, todo = set(), [root]
    while todo:
        pid = todo.pop()
        if pid not in found:
            found.add(pid)
            todo += children.get(pid, [])
    return found


def marked(key: str) -> set[int]:
    """Processes that carry a session's mark in their environment, wherever they have moved in the tree."""
    return marks([key])[key]


def marks(keys: Iterable[str]) -> dict[str, set[int]]:
    """The same of several sessions, in one look at all processes."""
    found: dict[bytes, set[int]] = {os.fsencode(f"HQT_SESSION={key}"): set() for key in keys}
    for pid in _pids():
        for mark in found.keys() & set(_environ(pid).split(b"\0")):
            found[mark].add(pid)
    return {os.fsdecode(mark).removeprefix("HQT_SESSION="): pids for mark, pids in found.items()}


def agent_in_jail(reaper: int) -> int | None:
    """The agent of a jail: the oldest child of its reaper (bwrap's `child-pid`), which inherits orphans."""
    ages = {pid: _begun(pid) for pid, parent in _parents() if parent == reaper}
    # by age first, as the numbers begin anew at some point
    return min(ages, key=lambda pid: (ages[pid], pid), default=None)


def ancestor(pid: int, name: str) -> int | None:
    """The nearest process of that name above `pid`."""
    while pid := parent(pid) or 0:
        if _read(pid, "comm") == name.encode() + b"\n":
            return pid
    return None


def parent(pid: int) -> int | None:
    """What started it, or who took it over since."""
    state = _stat(pid)
    return int(state[1]) if state is not None else None


def has_open(pid: int, descriptor: int, file: Path) -> bool:
    """Whether that descriptor of it is `file`, by whatever path: a home may be reached through a link."""
    try:
        return Path(f"{_PROC}/{pid}/fd/{descriptor}").samefile(file)
    except OSError:
        return False


def ignores(pid: int, number: int) -> bool:
    """Whether that process ignores that signal, as interactive shells do with SIGTERM."""
    for line in _read(pid, "status").decode(errors="replace").splitlines():
        if line.startswith("SigIgn:"):
            return bool(int(line.split()[1], 16) >> (number - 1) & 1)
    return False


def is_alive(pid: int) -> bool:
    """Whether it runs; one that ended and was not yet waited for does not."""
    state = _stat(pid)
    return state is not None and state[0] not in ("Z", "X")


def _environ(pid: int) -> bytes:
    """Its environment. Amid an exec there is none for a moment: who was missed then would outlive a stop."""
    deadline = time.monotonic() + _EXEC_S
    while True:
        try:
            found = _bytes(pid, "environ")
        except OSError:  # another user's, or it ended meanwhile
            return b""
        if found or not _is_in_exec(pid) or time.monotonic() > deadline:
            return found
        time.sleep(_AGAIN_S)


def _is_in_exec(pid: int) -> bool:
    """Whether its environment may have read as empty only for now.

    Fields 23, 27, 50 and 51 of proc(5): what has memory gets an environment, and then code (fs/binfmt_elf.c).
    """
    state = _stat(pid)
    if state is None or state[20] == "0":  # a zombie and a thread of the kernel have no memory
        return False
    begin, end = state[47:49]
    return state[24] == "0" or begin != end


def _parents() -> Iterator[tuple[int, int]]:
    for pid in _pids():
        state = _stat(pid)
        if state is not None:
            yield pid, int(state[1])


def _begun(pid: int) -> int:
    """When it was started, in ticks since the boot: field 22 of its stat (proc(5))."""
    state = _stat(pid)
    return int(state[19]) if state is not None else sys.maxsize


def _pids() -> Iterator[int]:
    return (int(name) for name in os.listdir(_PROC) if name.isdecimal())  # noqa: PTH208 - as in _bytes


def _stat(pid: int) -> list[str] | None:
    """State and parent first; the name before them may hold anything, so the last ')' ends it (proc(5))."""
    text = _read(pid, "stat").decode(errors="replace")
    return text.rpartition(")")[2].split() or None


def _read(pid: int, name: str) -> bytes:
    try:
        return _bytes(pid, name)
    except OSError:
        return b""


def _bytes(pid: int, name: str) -> bytes:
    # a stop reads thousands of them, and the path objects and buffers were two thirds of its time
    with open(f"{_PROC}/{pid}/{name}", "rb", buffering=0) as file:  # noqa: PTH123
        return file.read()
