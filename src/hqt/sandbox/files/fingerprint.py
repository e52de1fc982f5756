"""What lies at a path, in a line that two looks can be compared by; bounded in time, whatever lies there."""

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from hqt.sandbox.files import untrusted

_ENTRIES_MAX = 20_000  # of one folder; what is beyond counts as one
_READ_MAX = 2_000  # files of one folder that are read; of the others size and time of change count
_BYTES_MAX = 1 << 20  # of one file, likewise
_TOTAL_MAX = 32 << 20  # of one folder, likewise


def fingerprint(path: Path) -> str | None:
    """The line for `path`; None: nothing is there. Links are not followed."""
    try:
        found = path.lstat()
        if stat.S_ISDIR(found.st_mode):
            return f"folder {_digest(path)}"
        return _line(path, found, _BYTES_MAX)
    except (OSError, ValueError):
        return None


def identity(path: Path) -> tuple[int, int] | None:
    """Device and inode: a guard is lost when its path is given another by a replace on the host."""
    try:
        found = path.lstat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def _line(path: Path, found: os.stat_result, budget: int) -> str:
    if stat.S_ISLNK(found.st_mode):
        return f"link {os.fspath(path.readlink())}"
    if not stat.S_ISREG(found.st_mode):
        return f"special {oct(stat.S_IFMT(found.st_mode))}"
    content = untrusted.read(path, _BYTES_MAX) if found.st_size <= min(budget, _BYTES_MAX) else None
    # no program can set the time of change, as it can that of modification (utime(2))
    seen = f"{found.st_size} {found.st_ctime_ns}" if content is None else hashlib.sha256(content).hexdigest()
    return f"file {oct(found.st_mode & 0o111)} {seen}"


def _digest(folder: Path) -> str:
    total, left = hashlib.sha256(), _TOTAL_MAX
    for count, (name, found) in enumerate(_entries(folder)):
        if count >= _ENTRIES_MAX:
            total.update(b"and more")
            break
        path = folder / name
        try:
            line = (
                "folder"
                if stat.S_ISDIR(found.st_mode)
                else _line(path, found, left if count < _READ_MAX else -1)
            )
        except OSError:  # gone meanwhile
            line = "gone"
        left -= found.st_size if stat.S_ISREG(found.st_mode) else 0
        total.update(os.fsencode(f"{name}\0{line}\0"))
    return total.hexdigest()


def _entries(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    """All below `folder`, by relative name, in an order that stays; not recursive, as depth has no end."""
    waiting = [""]
    while waiting:
        inner = waiting.pop()
        for name in untrusted.names(folder / inner):
            relative = f"{inner}/{name}" if inner else name
            try:
                found = (folder / relative).lstat()
            except OSError:  # gone meanwhile, or too long a name
                continue
            if stat.S_ISDIR(found.st_mode):
                waiting.append(relative)
            yield relative, found
