"""`hqt` without the cost of a new interpreter: a warm process that forks one child for each command.

The child is what `python -P -m hqt` would be, with its own variables, folder, umask, streams and exit, in a
process that has run nothing but imports. What an interpreter reads at its start (locale, PYTHON…) cannot
be set anew; a command whose variables differ there runs in a new interpreter (`is_as_warm`).
"""

import array
import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

_READ_AT_START = ("LANG", "LC_", "PYTHON")
_WARM = {"LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
# what commands import; not the screen, which has its own processes
_IMPORTED = (
    "hqt.cli.main",
    "hqt.cli.observe.list",
    "hqt.cli.observe.show",
    "hqt.cli.observe.status",
    "hqt.cli.observe.capture",
    "hqt.cli.observe.wait",
    "hqt.cli.sandbox.exec",
    "hqt.cli.sandbox.explain",
    "hqt.cli.sandbox.set",
    "hqt.cli.sessions.adopt",
    "hqt.cli.sessions.new",
    "hqt.cli.sessions.send",
    "hqt.cli.doctor",
    "hqt.cli.prune",
    "hqt.db.engine",
    "hqt.sessions.service",
)


def is_as_warm(env: Mapping[str, str]) -> bool:
    """Whether a new interpreter with these variables would start as the warm one did."""
    read = {name: value for name, value in env.items() if name.startswith(_READ_AT_START)}
    return read == _WARM


def run(
    args: Sequence[str], env: Mapping[str, str], cwd: Path, text: str, timeout: float
) -> subprocess.CompletedProcess[str]:
    """What `hqt ARGS` did in a fork of the warm process; TimeoutExpired where it is killed for its time."""
    ours, theirs = socket.socketpair()
    with ours, theirs, _Streams(text) as streams:
        _control().send_message(theirs, streams.theirs)
        theirs.close()
        streams.close_theirs()
        request = {"args": list(args), "env": dict(env), "cwd": str(cwd), "umask": _umask()}
        _send(ours, request)
        pid = int(_receive(ours)["pid"])
        end = time.monotonic() + timeout
        said = streams.communicate(end)
        if said is None or not select.select([ours], [], [], max(end - time.monotonic(), 0))[0]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            raise subprocess.TimeoutExpired(["hqt", *args], timeout)
        status = int(_receive(ours)["status"])
    out, err = (_lines(each) for each in said)
    return subprocess.CompletedProcess(["hqt", *args], os.waitstatus_to_exitcode(status), out, err)


def _lines(printed: bytes) -> str:
    """As subprocess reads text: every kind of line break is one."""
    return printed.decode("utf-8", "surrogateescape").replace("\r\n", "\n").replace("\r", "\n")


class _Streams:
    """Pipes for one command: what it reads, and what it prints."""

    def __init__(self, text: str) -> None:
        self._text = text.encode("utf-8", "surrogateescape")
        (stdin, self._stdin), (self._stdout, stdout), (self._stderr, stderr) = os.pipe(), os.pipe(), os.pipe()
        self.theirs = [stdin, stdout, stderr]

    def __enter__(self) -> "_Streams":
        return self

    def __exit__(self, *_: object) -> None:
        self.close_theirs()
        for each in (self._stdin, self._stdout, self._stderr):
            with suppress(OSError):
                os.close(each)

    def close_theirs(self) -> None:
        while self.theirs:
            os.close(self.theirs.pop())

    def communicate(self, end: float) -> tuple[bytes, bytes] | None:
        """What it printed, once both ends are closed; None where the time is over."""
        writer = threading.Thread(target=self._feed, args=(self._stdin,), daemon=True)
        self._stdin = -1  # the thread's from now on
        writer.start()
        said = {self._stdout: b"", self._stderr: b""}
        left = set(said)
        while left:
            ready, _, _ = select.select(list(left), [], [], max(end - time.monotonic(), 0))
            if not ready:
                return None
            for pipe in ready:
                block = os.read(pipe, 1 << 16)
                said[pipe] += block
                if not block:
                    left.discard(pipe)
        writer.join()
        return said[self._stdout], said[self._stderr]

    def _feed(self, stdin: int) -> None:
        with open(stdin, "wb", buffering=0) as pipe, suppress(BrokenPipeError):
            view = memoryview(self._text)
            while view:
                view = view[pipe.write(view) :]


class _Control:
    """The way to the warm process, which ends with this one."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        env = {"PATH": os.defpath, "HOME": "/nonexistent", **_WARM}
        argv = [sys.executable, "-P", __file__, str(theirs.fileno())]
        self._process = subprocess.Popen(
            argv, env=env, cwd="/", stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()]
        )
        theirs.close()

    def send_message(self, reply: socket.socket, streams: Sequence[int]) -> None:
        fds = array.array("i", [reply.fileno(), *streams])
        self._socket.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)])

    def close(self) -> None:
        self._socket.close()
        self._process.wait()


_controls: list[_Control] = []


def _control() -> _Control:
    if not _controls:
        _controls.append(_Control())
        atexit.register(_controls[0].close)
    return _controls[0]


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _send(to: socket.socket, message: object) -> None:
    text = json.dumps(message).encode()
    to.sendall(len(text).to_bytes(4, "big") + text)


def _receive(source: socket.socket) -> Any:  # noqa: ANN401  # JSON of our own
    size = int.from_bytes(_exactly(source, 4), "big")
    return json.loads(_exactly(source, size))


def _exactly(source: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        block = source.recv(size - len(found))
        if not block:
            raise EOFError("the warm process is gone: see what it printed")
        found += block
    return found


def _serve(control: socket.socket) -> tuple[socket.socket, list[int]] | None:
    """In the child of a fork: its request and streams; None in the warm process once nobody asks any more."""
    running: dict[int, tuple[int, socket.socket]] = {}  # by pidfd
    while True:
        asked: list[socket.socket | int] = [control, *running]
        ready, _, _ = select.select(asked, [], [])
        for each in ready:
            if not isinstance(each, int):
                continue
            pid, reply = running.pop(each)
            os.close(each)
            _, status = os.waitpid(pid, 0)
            with suppress(OSError), reply:  # the one who asked may have given up
                _send(reply, {"status": status})
        if control in ready:
            _, ancillary, _, _ = control.recvmsg(1, socket.CMSG_SPACE(4 * 4))
            if not ancillary:
                return None
            fds = list(array.array("i", ancillary[0][2]))
            reply = socket.socket(fileno=fds[0])
            pid = os.fork()
            if pid == 0:
                for pidfd, (_, other) in running.items():
                    os.close(pidfd)
                    other.close()
                control.close()
                return reply, fds[1:]
            for fd in fds[1:]:
                os.close(fd)
            _send(reply, {"pid": pid})
            running[os.pidfd_open(pid)] = (pid, reply)


def _become(reply: socket.socket, streams: Sequence[int]) -> list[str]:
    """Be the process that was asked for; its words."""
    with reply:
        request = _receive(reply)
    for number, fd in enumerate(streams):
        os.dup2(fd, number)
        os.close(fd)
    os.environ.clear()
    os.environ.update(request["env"])
    time.tzset()
    os.umask(request["umask"])
    os.chdir(request["cwd"])
    sys.argv = [sys.argv[0], *request["args"]]
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        before = getattr(sys, name)
        number = ("stdin", "stdout", "stderr").index(name)
        stream = open(  # noqa: SIM115 - a descriptor, for the life of the process
            number, mode, encoding=before.encoding, errors=before.errors, closefd=False,
            buffering=1 if name == "stderr" else -1,
        )  # fmt: skip
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    return list(request["args"])


def _main() -> None:
    for name in _IMPORTED:
        __import__(name)
    import gc

    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as control:
        found = _serve(control)
        if found is None:
            return
    args = _become(*found)
    from hqt.cli.main import main

    main(args)


if __name__ == "__main__":
    _main()
