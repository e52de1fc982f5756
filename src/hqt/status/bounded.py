"""Reading what an agent may have put in a file's place: never through a link, never waiting, never much."""

import os
import stat
from pathlib import Path

from hqt.values import frozen

HALF = 4096  # bytes read of either end


@frozen
class Ends:
    """The first and the last bytes of a small plain file of the user's own, as they were in one moment."""

    head: bytes
    tail: bytes  # what `head` does not hold; its first line may be cut where `gap`
    gap: bool
    changed_at: float  # Unix time


def ends(folder: Path, name: str) -> Ends | None:
    """Of the file `name` in `folder`; None where it may not be read."""
    try:
        within = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        # a link would lead elsewhere, and a FIFO without a writer hold up an open that waits (fifo(7))
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=within)
    except OSError:
        return None
    finally:
        os.close(within)
    try:
        return _read(file)
    except OSError:
        return None
    finally:
        os.close(file)


def _read(file: int) -> Ends | None:
    about = os.fstat(file)
    # a second name would be that of a file elsewhere
    if not stat.S_ISREG(about.st_mode) or about.st_nlink != 1 or about.st_uid != os.geteuid():
        return None
    latest = max(about.st_size - HALF, HALF)
    head, tail = os.pread(file, HALF, 0), os.pread(file, HALF, latest)
    return Ends(head, tail, gap=latest > HALF, changed_at=about.st_mtime)
