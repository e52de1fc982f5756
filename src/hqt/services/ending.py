"""How an agent is asked to end, and what is done when it does not."""

import signal
import time
from collections.abc import Callable, Iterable, Mapping, Set
from pathlib import Path

from hqt.backends import processes
from hqt.backends.base import Backend, Pane
from hqt.backends.processes import Held
from hqt.launch import STATUS_FD
from hqt.services.status import Words

PATIENCE_S = 5.0
_GONE_S = 2.0
_KNOWN_S = 1.0
_LOOK_S = 0.01
_LOOKS = 20  # what forks faster than it is killed is left to its user


def end(pane: Pane, key: str, status: Path, *, jailed: bool) -> None:
    """End the pane's agent and all that it started; returns when nothing of it is left."""
    with Held() as held:
        if jailed:
            _end_jail(pane, Words.read(status).reaper, held)
        else:
            _end_open(pane, key, held)


def dead_pane(backend: Backend, key: str) -> Pane | None:
    """The pane of an agent that has ended, once tmux knows how: it sees the terminal close first."""
    limit = time.monotonic() + _KNOWN_S
    pane = backend.panes().of(key)
    while pane is not None and not _is_known(pane) and time.monotonic() < limit:
        time.sleep(_LOOK_S)
        pane = backend.panes().of(key)
    return pane


def server_elsewhere(key: str, status: Path, *, jailed: bool) -> int | None:
    """The tmux server that has the agent where the caller's own has not: one of another runtime folder."""
    return _server_of(_jail_of(status) if jailed else processes.marked(key))


def servers_elsewhere(statuses: Mapping[str, Path], jailed: Set[str]) -> Mapping[str, int]:
    """The same of several sessions, by key, without those that live nowhere; `jailed`: which are jails."""
    is_open = statuses.keys() - jailed
    pids = processes.marks(is_open) if is_open else {}
    pids |= {key: _jail_of(status) for key, status in statuses.items() if key in jailed}
    found = {key: _server_of(each) for key, each in pids.items()}
    return {key: server for key, server in found.items() if server is not None}


def said_elsewhere(server: int, socket: Path) -> str:
    """What is said of a session that has such a server, after its name."""
    return (
        f"lives in another tmux server (pid {server}) than that of {socket}: set XDG_RUNTIME_DIR as it was"
        " when the session was started"
    )


def end_leftovers(key: str) -> None:
    """End what an open session's agent left running after its own end."""
    with Held() as held:
        _kill_all(held, lambda: processes.marked(key))


def _server_of(pids: Iterable[int]) -> int | None:
    servers = (processes.ancestor(pid, "tmux: server") for pid in pids)
    return next((server for server in servers if server is not None), None)


def _jail_of(status: Path) -> set[int]:
    """The jail whose words `status` holds; a number that another process has by now is none."""
    reaper = Words.read(status).reaper
    outer = processes.parent(reaper) if reaper else None
    return {outer} if outer and processes.has_open(outer, STATUS_FD, status) else set()


def _is_known(pane: Pane) -> bool:
    return pane.dead and (pane.status is not None or pane.signal is not None)


def _end_jail(pane: Pane, reaper: int | None, held: Held) -> None:
    # TERM to the outer bwrap would kill all without the agent's own handler; the reaper ignores it.
    # A stale number is no reaper of ours: it must be below the pane's process
    inside = reaper if reaper in processes.descendants(pane.pid) else None
    agent = processes.agent_in_jail(inside) if inside else None
    held.add(pid for pid in (pane.pid, inside, agent) if pid is not None)
    _ask(held, agent)
    if not held.wait(PATIENCE_S if agent else 0, pane.pid):
        held.send(signal.SIGKILL)
        held.wait(_GONE_S)


def _end_open(pane: Pane, key: str, held: Held) -> None:
    # the tree before the end: afterwards its members belong to init
    held.add(_open_processes(pane, key))
    _ask(held, pane.pid)
    held.wait(PATIENCE_S, pane.pid)
    _kill_all(held, lambda: _open_processes(pane, key))


def _open_processes(pane: Pane, key: str) -> set[int]:
    return (set() if pane.dead else processes.descendants(pane.pid)) | processes.marked(key)


def _ask(held: Held, agent: int | None) -> None:
    if agent is not None:
        # an interactive shell ignores TERM and takes a hang-up for its end
        asks = signal.SIGHUP if processes.ignores(agent, signal.SIGTERM) else signal.SIGTERM
        held.send(asks, agent)
        held.send(signal.SIGCONT, agent)  # one that is stopped would not hear it


def _kill_all(held: Held, found: Callable[[], set[int]]) -> None:
    """Kill what is held and what is `found`, until a look finds nothing new: some fork after the look."""
    known: set[int] | None = None
    for _ in range(_LOOKS):
        held.add(found())
        if held.pids.keys() == known:
            return
        held.send(signal.SIGKILL)
        held.wait(_GONE_S)
        known = set(held.pids)
