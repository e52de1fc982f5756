"""Sessions that live in the tmux server of another runtime folder, which this shell does not look at."""

from collections.abc import Iterable, Mapping, Set
from pathlib import Path

from hqt.backends import processes
from hqt.launch import STATUS_FD
from hqt.start.launch_report import LaunchReport


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


def lives_elsewhere(server: int, socket: Path) -> str:
    """What is said of a session that has such a server, after its name."""
    return (
        f"lives in another tmux server (pid {server}) than that of {socket}: set XDG_RUNTIME_DIR as it was"
        " when the session was started"
    )


def _server_of(pids: Iterable[int]) -> int | None:
    servers = (processes.ancestor(pid, "tmux: server") for pid in pids)
    return next((server for server in servers if server is not None), None)


def _jail_of(status: Path) -> set[int]:
    """The jail whose words `status` holds; a number that another process has by now is none."""
    reaper = LaunchReport.read(status).reaper
    outer = processes.parent(reaper) if reaper else None
    return {outer} if outer and processes.has_open(outer, STATUS_FD, status) else set()
