"""Agents that a signal has stopped, as SIGSTOP does: seen, and let go on."""

import os
import signal
import time

from hqt.backends import processes
from hqt.backends.base import Pane
from hqt.backends.processes import Held

_MOMENT_S = 0.05  # what tmux takes to let the process of a pane go on (server_child_stopped in its server.c)


def is_suspended(pane: Pane, *, jailed: bool) -> bool:
    """Whether the pane's agent is stopped, and stays so. Source: T in its stat, proc(5)."""
    agent = _agent(pane.pid, jailed=jailed)
    if agent is None or not is_stopped(agent):
        return False
    time.sleep(_MOMENT_S)
    return is_stopped(agent)


def go_on(pane: Pane, *, jailed: bool) -> None:
    """Let the pane's agent go on, and all of its group, as a shell's `fg` does; other jobs of it stay."""
    agent = _agent(pane.pid, jailed=jailed)
    group = _group(agent) if agent is not None else None
    if group is None:
        return
    with Held() as held:
        held.add(pid for pid in processes.descendants(pane.pid) if _group(pid) == group)
        held.send(signal.SIGCONT)


def is_stopped(pid: int) -> bool:
    """Whether a signal such as SIGSTOP has stopped it; a debugger's stop is none."""
    # the state stands behind the name, which may hold anything (proc(5))
    return _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[:1] == [b"T"]


def _agent(pid: int, *, jailed: bool) -> int | None:
    """The agent of a pane whose process is `pid`; below a jail's two bwraps it is the oldest child."""
    for _ in range(2 if jailed else 0):
        children = _children(pid)
        if not children:
            return None
        pid = children[0]
    return pid


def _children(pid: int) -> list[int]:
    """Oldest first; none where the kernel does not tell (CONFIG_PROC_CHILDREN)."""
    # to read all of /proc for them would take longer than the look
    return [int(each) for each in _read(f"/proc/{pid}/task/{pid}/children").split()]


def _read(path: str) -> bytes:
    """As much as is needed; each look asks of each agent, and with pathlib this takes three times as long."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(file, 4096)
    except OSError:  # it ended meanwhile
        return b""
    finally:
        os.close(file)


def _group(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return None
