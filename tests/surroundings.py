"""What surrounds a run is hidden from the tests: variables, signals, umask, limits, time zone, terminal."""

import os
import resource
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

# of pytest, of the tools that start it, and of those who measure it
_KEPT = ("PATH", "HOME", "TMPDIR", "CI", "VIRTUAL_ENV")
_KEPT_BEGINNINGS = (
    "HQT_REAL_",
    "HQT_TESTS_",
    "PYTEST_",
    "TEXTUAL_SNAPSHOT_",
    "HYPOTHESIS_",
    "COVERAGE_",
    "NODE_",
    "npm_",
)
_FILES = 4096
# for the one test that needs its caller's registry, certificates and proxies
BEFORE = dict(os.environ)


def hide() -> None:
    """Give this process, and so all that tests start, plain surroundings; call it before other imports."""
    for name in os.environ.keys() - set(_KEPT):
        if not name.startswith(_KEPT_BEGINNINGS):
            del os.environ[name]
    os.environ.update({"LANG": "C.UTF-8", "TERM": "xterm-256color", "TZ": "UTC"})
    time.tzset()
    os.umask(0o022)
    for number in _ignored():
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for fd in (0, 1, 2):
        _open(fd)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (_FILES if most == -1 else min(most, _FILES), most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    if "PYTEST_XDIST_WORKER" in os.environ:
        with suppress(PermissionError):  # it leads a session already
            os.setsid()  # no terminal for any test


def without(programs: frozenset[str], path: str, links: Path) -> str:
    """`path` without `programs`: a folder that has one is replaced by links, made in `links`, to all else."""
    entries = []
    for number, entry in enumerate(path.split(":")):
        names = _names(Path(entry))
        if not names & programs:
            entries.append(entry)
            continue
        farm = links / str(number)
        farm.mkdir(parents=True)
        for name in names - programs:
            (farm / name).symlink_to(Path(entry, name))
        entries.append(str(farm))
    return ":".join(entries)


def _names(folder: Path) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder))  # noqa: PTH208 - names alone
    except OSError:
        return frozenset()


def _ignored() -> Iterator[signal.Signals]:
    # pytest and faulthandler have their own; Python ignores these two itself
    for number in signal.valid_signals() - {signal.SIGPIPE, signal.SIGXFSZ}:
        if isinstance(number, signal.Signals) and signal.getsignal(number) == signal.SIG_IGN:
            yield number


def _open(fd: int) -> None:
    try:
        os.fstat(fd)
    except OSError:
        opened = os.open(os.devnull, os.O_RDWR)
        if opened != fd:
            os.dup2(opened, fd)
            os.close(opened)
