"""The tmux server as a process: found by its command line when its socket is gone."""

import os
import shlex
from itertools import pairwise
from pathlib import Path

_PROC = Path("/proc")


def find_server(socket: Path) -> int | None:
    """The pid of this user's live server that was started with `-S socket`, in this pid namespace."""
    namespace = _namespace(_PROC / "self")
    for entry in _PROC.iterdir():
        if entry.name.isdecimal() and _is_server(entry, socket) and _namespace(entry) == namespace:
            return int(entry.name)
    return None


def revive_command(socket: Path, pid: int | None) -> str:
    """What a person runs so that the server makes its socket anew (tmux(1), SIGUSR1)."""
    return f"mkdir -p -m 700 {shlex.quote(str(socket.parent))}; kill -USR1 {pid}"


def _is_server(process: Path, socket: Path) -> bool:
    try:
        if (process / "comm").read_bytes() != b"tmux: server\n" or process.stat().st_uid != os.geteuid():
            return False
        words = (process / "cmdline").read_bytes().split(b"\0")
    except OSError:  # ended meanwhile, or another user's
        return False
    return (b"-S", os.fsencode(socket)) in pairwise(words)


def _namespace(process: Path) -> str | None:
    # an agent in a jail could run something that looks like a server
    try:
        return str((process / "ns/pid").readlink())
    except OSError:
        return None
