"""Looks at what an agent may have put there: no link is followed, nothing blocks, nothing is run."""

import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path


def read(path: Path, limit: int) -> bytes | None:
    """The first `limit` bytes of a regular file; None for anything else, such as a link or a FIFO."""
    try:
        # a FIFO without a writer would hold up an open that waits (fifo(7))
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(limit)
    finally:
        os.close(descriptor)


def mode(path: Path) -> int | None:
    """The mode of what lies at `path` itself; None: nothing, or nothing that can be looked at."""
    try:
        return path.lstat().st_mode
    except (OSError, ValueError):
        return None


def exists(path: Path) -> bool:
    return mode(path) is not None


def names(folder: Path) -> list[str]:
    """What lies in a folder, sorted; nothing where it is none or can't be listed."""
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - names are all that is wanted
    except (OSError, ValueError):
        return []


def real(path: Path) -> Path | None:
    """Where `path` leads; None for a loop of links or a name that is too long."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return None


def is_direct(path: Path) -> bool:
    """Whether no link is on the way to `path` nor at it: a mount there would land elsewhere."""
    return real(path) == path


def lies_in(path: Path, projects: Iterable[Path]) -> bool:
    """Whether `path`, or what it leads to, lies in one of them; so does what leads nowhere."""
    found = real(path)
    return any(found is None or project in (*found.parents, *path.parents) for project in projects)


def program(name: str, env: Mapping[str, str], *projects: Path) -> Path | None:
    """The program as this user would find it, but never one that lies in a project or is relative.

    An agent may have put it there, and hqt would run it outside of every jail.
    """
    entries = (entry for entry in env.get("PATH", "").split(":") if entry.startswith("/"))
    for entry in entries:
        found = Path(entry, name)
        if _is_program(found) and not lies_in(found, projects):
            return found
    return None


def _is_program(path: Path) -> bool:
    # shutil.which would cost each start 6 ms, for archives that it can unpack
    try:
        return path.is_file() and os.access(path, os.X_OK)
    except (OSError, ValueError):
        return False
