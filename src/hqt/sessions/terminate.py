"""How an agent is asked to end, and what is done when it does not."""

import signal
from collections.abc import Callable
from pathlib import Path

from hqt.backends import processes
from hqt.backends.base import Pane
from hqt.backends.processes import Held
from hqt.start.launch_report import LaunchReport

PATIENCE_S = 5.0
_GONE_S = 2.0
_LOOK_S = 0.01
_LOOKS = 20  # what forks faster than it is killed is left to its user


def end_agent(pane: Pane, key: str, status: Path, *, jailed: bool) -> None:
    """End the pane's agent and all that it started; returns when nothing of it is left."""
    with Held() as held:
        if jailed:
            _end_jail(pane, LaunchReport.read(status).reaper, held)
        else:
            _end_open(pane, key, held)


def end_leftovers(key: str) -> None:
    """End what an open session's agent left running after its own end."""
    with Held() as held:
        _kill_all(held, lambda: processes.marked(key))


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
