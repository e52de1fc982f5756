"""Looking into folders that an agent may write: bounded, regular files only, no link followed."""

import errno
import os
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

_ENTRIES_MAX = 20_000  # of one folder; an agent can make any number
_LINES_MAX = 2000  # of one file: each is parsed, and a million empty ones fit in a megabyte
_TEXT_MAX = 1 << 14  # characters of a text whose first line is looked for
_LINE_MAX = 500


def folders(parent: Path) -> Iterator[Path]:
    """The real folders in `parent`, last name first; none where it can't be read."""
    return (Path(entry) for entry in _entries(parent) if entry.is_dir(follow_symlinks=False))


def files(parent: Path) -> Iterator[Path]:
    """The regular files in `parent`, last name first; none where it can't be read."""
    return (Path(entry) for entry in _entries(parent) if entry.is_file(follow_symlinks=False))


def _changed(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0


def _entries(parent: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(parent) as found:
            return sorted(islice(found, _ENTRIES_MAX), key=lambda entry: entry.name, reverse=True)
    except OSError:
        return []


def is_file(path: Path) -> bool:
    """Whether `path` itself is a regular file."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def head(path: Path, limit: int) -> bytes:
    """The first `limit` bytes of a regular file; empty for anything else, and where it can't be read."""
    try:
        with _opened(path) as file:
            return file.read(limit)
    except OSError:
        return b""


def newest(parent: Path, most: int) -> list[Path]:
    """The regular files in `parent` that changed last, the latest first, at most so many."""
    changed = [(_changed(path), path) for path in files(parent)]
    return [path for _, path in sorted(changed, reverse=True)[:most]]


def first_line(text: str) -> str:
    """The first line of `text` that says anything, cut to what a line may show."""
    said = next((line.strip() for line in text[:_TEXT_MAX].splitlines() if line.strip()), "")
    return said[:_LINE_MAX]


def parted(start: bytes) -> list[bytes]:
    """The first lines of what begins a file."""
    return start.split(b"\n", _LINES_MAX)[:_LINES_MAX]


def copy(source: Path, into: Path, *, limit: int) -> None:
    """Copy the first `limit` bytes of a regular file to a new one; nothing where it can't be read."""
    try:
        old = _opened(source)
    except OSError:
        return
    with old, into.open("xb") as new:
        while limit > 0 and (block := old.read(min(limit, 1 << 20))):
            limit -= new.write(block)


def duplicate(source: Path, folder: Path, *, first_line: bytes | None = None) -> None:
    """Copy a transcript into `folder`, made 0700 where missing; one that is there already is kept.

    `first_line`: what the copy begins with in place of the first line. Raises OSError; a copy that failed
    half-way is not left behind.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    # by descriptor: the folder's name may be swapped for a link by a jail while this runs
    into = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        _copy(source, into, first_line)
    finally:
        os.close(into)


def _copy(source: Path, into: int, first_line: bytes | None) -> None:
    half = f"{source.name}.{os.getpid()}.part"
    with _opened(source) as old:
        writing = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=into)
        try:
            with open(writing, "wb") as new:  # noqa: PTH123 - an open descriptor, not a path
                if first_line is not None:
                    old.readline()
                    new.write(first_line)
                while block := old.read(1 << 20):
                    new.write(block)
            # link(2) fails where the name is taken, rename(2) would replace a conversation
            os.link(half, source.name, src_dir_fd=into, dst_dir_fd=into)
        except FileExistsError:
            return
        finally:
            os.unlink(half, dir_fd=into)


def _opened(path: Path) -> BinaryIO:
    # O_NONBLOCK: opening a pipe would wait for its writer for ever (open(2))
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return open(descriptor, "rb")  # noqa: PTH123 - an open descriptor, not a path
