"""What a pane runs, `python -I -S launch.py SPEC`: read the spec, become the program it names.

Standard library only and nothing of hqt: it starts in 20 ms and runs before any jail exists.
"""

import binascii
import errno
import fcntl
import json
import os
import resource
import signal
import stat
import struct
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    import ctypes

SPEC_VERSION = 1
STATUS_FD = 3  # bwrap's --json-status-fd; in an open session closed at exec
FILTER_FD = 4  # bwrap's --seccomp
FIRST_COPY = 5  # then one descriptor per copy, in the spec's order

CANNOT_LAUNCH, CANNOT_EXECUTE, NOT_FOUND = 125, 126, 127  # as env(1) and docker-run(1) use them

TMUX_SETS = ("TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION")
_SPEC_MAX = 64 << 20
_CHUNK = 1 << 20
PROCESSES_MAX = 4096  # of one jail

# the same on every architecture: calls since Linux 5.1 share their numbers
_LANDLOCK_CREATE, _LANDLOCK_RESTRICT = 444, 446
_LANDLOCK_VERSION = 1  # flag of the first: tell the version
_LANDLOCK_SCOPES = 1 | 2  # abstract sockets, signals
_NO_NEW_PRIVILEGES = 38  # prctl(2)
_THREADS_SIGNALS = (32, 33)  # glibc's own
_RT_SIGACTION = {"x86_64": 13, "aarch64": 134}


class Refused(Exception):
    """One sentence and the exit status that goes with it."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class Spec:
    """A launch, read and judged: every field is there and has its type."""

    __slots__ = ("argv", "copies", "cwd", "env", "seal", "status", "umask")

    def __init__(self, text: bytes) -> None:
        found = json.loads(text)
        if found["version"] != SPEC_VERSION:
            raise ValueError(f"version {found['version']}")
        self.argv: list[str] = [_text(word) for word in _list(found["argv"])]
        self.env: dict[str, str] = {_name(name): _text(value) for name, value in found["env"].items()}
        self.cwd: str = _text(found["cwd"])
        self.copies: list[bytes] = [_bytes(copy) for copy in _list(found["copies"])]
        self.status: str | None = None if found["status"] is None else _text(found["status"])
        self.seal: Seal | None = None if found["seal"] is None else Seal(found["seal"])
        self.umask: int = found["umask"]
        if not isinstance(self.umask, int) or not 0 <= self.umask <= 0o777:
            raise ValueError(f"umask {self.umask!r}")
        if not self.argv or not self.argv[0]:
            raise ValueError("no program")


class Seal:
    """What is done to this process before it becomes a jail."""

    __slots__ = ("filter", "scopes", "sources")

    def __init__(self, found: dict[str, object]) -> None:
        self.filter: bytes = _bytes(found["filter"])
        self.scopes: bool = found["scopes"] is True
        if not self.filter:
            raise ValueError("no filter")
        self.sources: list[tuple[str, int, int]] = [
            (_text(path), int(device), int(inode)) for path, device, inode in _list(found["sources"])
        ]


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is no list")
    return value


def _bytes(value: object) -> bytes:
    return binascii.a2b_base64(_text(value), strict_mode=True)


def _text(value: object) -> str:
    """What a path, a word or a variable can hold: no NUL, and nothing that is no bytes on this system."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    if b"\0" in os.fsencode(value):
        raise ValueError(f"a NUL in {value!r}")
    return value


def _name(value: object) -> str:
    name = _text(value)
    if not name or "=" in name:
        raise ValueError(f"{name!r} names no variable")
    return name


def main(arguments: Sequence[str] = sys.argv) -> NoReturn:
    try:
        spec = take_spec(arguments[1] if len(arguments) > 1 else "")
        spec.env.update({name: os.environ[name] for name in TMUX_SETS if name in os.environ})
        become(spec)
    except Refused as refused:
        print(f"hqt: {refused}", file=sys.stderr, flush=True)
        sys.exit(refused.code)


def take_spec(path: str) -> Spec:
    """Read the spec and delete it, whatever it holds: it carries the values of variables."""
    try:
        text = _read_private(path)
        os.unlink(path)  # noqa: PTH108 - pathlib costs 8 ms here
    except OSError as error:
        raise Refused(
            CANNOT_LAUNCH, f"the launch spec {path} can't be read ({error.strerror}): start the session again"
        ) from None
    try:
        return Spec(text)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise Refused(
            CANNOT_LAUNCH, f"the launch spec {path} is damaged ({error!r}): start the session again"
        ) from None


def _read_private(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:  # noqa: PTH123
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
            raise OSError(errno.EPERM, "not a private file of yours")
        return file.read(_SPEC_MAX)


def become(spec: Spec, status: int | None = None) -> NoReturn:
    """Turn this process into the spec's program; raises Refused where that can't be.

    `status`: an open descriptor for bwrap's words, in place of the file that the spec names.
    """
    _refuse_folders_as_standard_streams()
    try:
        os.chdir(spec.cwd)
    except OSError as error:
        raise Refused(
            CANNOT_LAUNCH, f"the folder {spec.cwd} can't be entered ({error.strerror}): see `hqt move`"
        ) from None
    if spec.seal is not None:
        _pass_input_by_a_pipe()
    kept = _place_descriptors(spec, status)
    os.umask(spec.umask)
    _restore_signals(jailed=spec.seal is not None)
    if spec.seal is not None:
        _close_up(spec.seal)
    _say(kept, {"launch": "exec"})
    try:
        os.execvpe(spec.argv[0], spec.argv, spec.env)  # noqa: S606 - becoming the program is the point
    except OSError as error:
        missing = error.errno in (errno.ENOENT, errno.ENOTDIR)
        refused = Refused(
            NOT_FOUND if missing else CANNOT_EXECUTE,
            f"{spec.argv[0]} can't be run ({error.strerror}): is it installed?",
        )
        _say(kept, {"launch": "failed", "why": str(refused)})
        raise refused from None


def _refuse_folders_as_standard_streams() -> None:
    # an open folder is a way around every mount: /proc/self/fd/0/../..
    for descriptor in (0, 1, 2):
        try:
            if stat.S_ISDIR(os.fstat(descriptor).st_mode):
                raise Refused(
                    CANNOT_LAUNCH, f"descriptor {descriptor} is an open folder: redirect it elsewhere"
                )
        except OSError:
            continue


def _pass_input_by_a_pipe() -> None:
    """A file on standard input that was opened for reading could be opened anew, for writing, by its
    descriptor (proc(5), /proc/pid/fd): a process outside of the jail reads it for the jail.
    """
    try:
        is_file = stat.S_ISREG(os.fstat(0).st_mode)
    except OSError:  # closed
        return
    if not is_file or fcntl.fcntl(0, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY:
        return
    reading, writing = os.pipe()
    if os.fork() == 0:
        _feed(writing, reading)
    os.dup2(reading, 0)
    os.close(reading)
    os.close(writing)


def _feed(writing: int, *unused: int) -> NoReturn:
    # who reads what the jail says must not wait for this process
    for descriptor in (1, 2, *unused):
        _close(descriptor)
    try:
        while os.sendfile(writing, 0, None, _CHUNK):
            continue
    except OSError:  # the jail has ended, or the file can't be read
        os._exit(1)
    os._exit(0)


def _place_descriptors(spec: Spec, status: int | None) -> int | None:
    """Close all that was inherited, then put the status file and the copies where argv names them."""
    if status is not None:
        _move(status, STATUS_FD, inheritable=spec.seal is not None)
    # tmux closes what it has, a shell does not, and an open folder of HOME would be readable in the jail
    for descriptor in sorted(int(name) for name in os.listdir("/proc/self/fd")):  # noqa: PTH208
        if descriptor > STATUS_FD or (descriptor == STATUS_FD and status is None):
            _close(descriptor)
    kept = None if status is None else STATUS_FD
    if status is None and spec.status is not None:
        kept = _move(_status_file(spec.status), STATUS_FD, inheritable=spec.seal is not None)
    if spec.seal is not None:
        _move(_memory_file(spec.seal.filter), FILTER_FD, inheritable=True)
    for number, content in enumerate(spec.copies, FIRST_COPY):
        _move(_memory_file(content), number, inheritable=True)
    return kept


def _status_file(path: str) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(path, flags, 0o600)
    except OSError as error:
        raise Refused(
            CANNOT_LAUNCH, f"{path} can't be written ({error.strerror}): start the session again"
        ) from None


def _close(descriptor: int) -> None:
    try:
        os.close(descriptor)
    except OSError:  # the listing's own descriptor is gone already
        return


def _move(descriptor: int, number: int, *, inheritable: bool) -> int:
    if descriptor == number:
        os.set_inheritable(number, inheritable)
        return number
    os.dup2(descriptor, number, inheritable=inheritable)
    os.close(descriptor)
    return number


def _memory_file(content: bytes) -> int:
    descriptor = os.memfd_create("hqt-copy", os.MFD_CLOEXEC)
    with open(descriptor, "wb", closefd=False) as file:
        file.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _restore_signals(*, jailed: bool) -> None:
    # Python ignores the first two, and the agent's own pipes rely on them; a shell has SIGINT and SIGQUIT
    # ignored in what it starts in the background
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    # a cooked terminal sends Ctrl-C to the whole group and the outer bwrap would die of it: it ignores
    # SIGINT, and `env --default-signal=INT` gives it back to the agent inside
    signal.signal(signal.SIGINT, signal.SIG_IGN if jailed else signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    restore_threads_signals()


def restore_threads_signals() -> None:
    """Let this process and its children no longer ignore the two signals that are glibc's own.

    posix_spawn(3) of glibc hands them down ignored, and so does make(1).
    """
    with open("/proc/self/status", encoding="ascii", errors="replace") as status:  # noqa: PTH123 - no pathlib here
        ignored = next((int(line[7:], 16) for line in status if line.startswith("SigIgn:")), 0)
    call = _RT_SIGACTION.get(os.uname().machine)
    for number in _THREADS_SIGNALS:
        if call is not None and ignored & 1 << (number - 1):
            # sigaction(2) refuses them; a structure of zeros is the default, without flags and mask
            _kernel().syscall(_long(call), _long(number), bytes(32), None, _long(8))


def _close_up(seal: Seal) -> None:
    for path, device, inode in seal.sources:
        _refuse_replaced(path, (device, inode))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _limit_processes()
    if seal.scopes:
        restrict_scopes()


def _refuse_replaced(path: str, known: tuple[int, int]) -> None:
    """Between the survey and now another jail on the same project may have put a link in its place."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise Refused(
            CANNOT_LAUNCH, f"{path} can't be shown in the jail ({error.strerror}): start again"
        ) from None
    found = os.fstat(descriptor)
    os.close(descriptor)
    # a link may have got the very inode that a folder had: file systems use them again
    if stat.S_ISLNK(found.st_mode) or (found.st_dev, found.st_ino) != known:
        raise Refused(
            CANNOT_LAUNCH, f"{path} was replaced while the jail was prepared: look at it, then start again"
        )


def _limit_processes() -> None:
    """Stop a fork bomb: the kernel counts all of the user's processes, so those of now come on top."""
    uid, count = os.geteuid(), 0
    for name in os.listdir("/proc"):  # noqa: PTH208
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == uid:  # noqa: PTH116
                count += len(os.listdir(f"/proc/{name}/task"))  # noqa: PTH208
        except OSError:  # ended meanwhile
            continue
    _, hard = resource.getrlimit(resource.RLIMIT_NPROC)
    limit = count + PROCESSES_MAX
    limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit))


def landlock_version() -> int:
    """The kernel's Landlock ABI, 0 where there is none; scopes begin with 6 (Linux 6.12)."""
    answer: int = _kernel().syscall(_LANDLOCK_CREATE, None, _long(0), _long(_LANDLOCK_VERSION))
    return max(answer, 0)


def restrict_scopes() -> None:
    """Keep this process and its children from abstract sockets of others, such as D-Bus and X11, and
    from signalling them. Nothing of the file system is handled, so bwrap can still mount.

    Source: landlock(7), include/uapi/linux/landlock.h.
    """
    kernel = _kernel()
    wanted = struct.pack("=QQQ", 0, 0, _LANDLOCK_SCOPES)
    ruleset = kernel.syscall(_LANDLOCK_CREATE, wanted, _long(len(wanted)), _long(0))
    kernel.prctl(_NO_NEW_PRIVILEGES, _long(1), _long(0), _long(0), _long(0))
    if ruleset < 0 or kernel.syscall(_LANDLOCK_RESTRICT, _long(ruleset), _long(0)) != 0:
        raise Refused(CANNOT_LAUNCH, "Landlock refused to close abstract sockets: run `hqt doctor`")
    os.close(ruleset)


def _kernel() -> "ctypes.CDLL":
    import ctypes  # here: an open session does without its 6 ms

    return ctypes.CDLL(None, use_errno=True)


def _long(value: int) -> "ctypes.c_long":
    import ctypes

    return ctypes.c_long(value)


def _say(descriptor: int | None, words: dict[str, str]) -> None:
    if descriptor is not None:
        os.write(descriptor, json.dumps(words).encode() + b"\n")


if __name__ == "__main__":
    main()
