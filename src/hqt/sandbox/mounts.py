"""The mounts of a jail, read back from the argv that makes it; pure."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from hqt.errors import JailError
from hqt.values import frozen, replace

# what each of bwrap's options that a jail uses is followed by (bwrap(1))
_WORDS = {
    "--unshare-user": 0, "--unshare-pid": 0, "--unshare-ipc": 0, "--unshare-uts": 0, "--unshare-net": 0,
    "--unshare-cgroup-try": 0, "--die-with-parent": 0, "--disable-userns": 0, "--new-session": 0,
    "--cap-drop": 1, "--hostname": 1, "--seccomp": 1, "--json-status-fd": 1, "--size": 1, "--perms": 1,
    "--proc": 1, "--dev": 1, "--tmpfs": 1, "--dir": 1, "--remount-ro": 1, "--chdir": 1,
    "--bind": 2, "--ro-bind": 2, "--symlink": 2, "--file": 2,
}  # fmt: skip
_DEVICES = "null zero full random urandom tty".split()
_DEVICE_LINKS = {
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
    "fd": "/proc/self/fd",
    "core": "/proc/kcore",
    "ptmx": "pts/ptmx",
}

Kind = Literal["bind", "fresh", "folder", "proc", "device", "link", "file"]


@frozen
class Mount:
    """One thing that bwrap puts at a place of the jail."""

    kind: Kind  # fresh: an empty file system; folder: one on what is below; file: a private copy
    dst: Path
    src: Path | None = None  # of a bind the host's path, of a link what it holds
    writable: bool = False

    def covers(self, path: Path) -> bool:
        return path == self.dst or self.dst in path.parents


def mounts(argv: Sequence[str]) -> tuple[Mount, ...]:
    """What `argv` puts where, in its order: later ones cover earlier ones. The first is the jail's root.

    Raises JailError for an option that is not known here, as the answer would be wrong.
    """
    found = [Mount("fresh", Path("/"), writable=True)]
    for option, words in _options(argv):
        if option == "--remount-ro":
            place = Path(words[0])
            last = max(number for number, mount in enumerate(found) if mount.dst == place)
            found[last] = replace(found[last], writable=False)
        else:
            found += _made(option, words)
    return tuple(_as_below(mount, found[:number]) for number, mount in enumerate(found))


def seen(mounts: Sequence[Mount], path: Path) -> Mount | None:
    """The mount that `path`, an absolute path without links, is seen on: the last one that covers it."""
    return next((mount for mount in reversed(mounts) if mount.covers(path)), None)


def has(argv: Sequence[str], *option: str) -> bool:
    """Whether bwrap is given that option, with those words if any."""
    return any((name, *words)[: len(option)] == option for name, words in _options(argv))


def _as_below(mount: Mount, before: Sequence[Mount]) -> Mount:
    """A folder is no mount of its own: it can be written where what it lies on can be."""
    below = seen(before, mount.dst) if mount.kind == "folder" else None
    return replace(mount, writable=below.writable) if below is not None else mount


def _options(argv: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    place = 1
    while argv[place] != "--":
        option = argv[place]
        if option not in _WORDS:
            raise JailError(f"the jail has an option {option} that can't be explained: report this as a bug")
        end = place + 1 + _WORDS[option]
        yield option, tuple(argv[place + 1 : end])
        place = end


def _made(option: str, words: tuple[str, ...]) -> Iterator[Mount]:
    if option in ("--bind", "--ro-bind"):
        yield Mount("bind", Path(words[1]), Path(words[0]), writable=option == "--bind")
    elif option == "--symlink":
        yield Mount("link", Path(words[1]), Path(words[0]))
    elif option == "--file":
        yield Mount("file", Path(words[1]), writable=True)
    elif option == "--tmpfs":
        yield Mount("fresh", Path(words[0]), writable=True)
    elif option == "--dir":
        yield Mount("folder", Path(words[0]))
    elif option == "--proc":
        yield Mount("proc", Path(words[0]), Path("/proc"), writable=True)
    elif option == "--dev":
        yield from _devices(Path(words[0]))


def _devices(root: Path) -> Iterator[Mount]:
    yield Mount("fresh", root, writable=True)
    for name in _DEVICES:
        yield Mount("device", root / name, Path("/dev") / name, writable=True)
    for name, target in _DEVICE_LINKS.items():
        yield Mount("link", root / name, Path(target))
    for name in ("pts", "shm"):
        yield Mount("folder", root / name)
