"""The host's side of one probe: everything it starts ends with it, whatever it left running."""

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Self

LIMIT_S = 60.0  # many times what any takes: the machine may be busy
_STEP_S = 0.1
_SAID_MAX = 1 << 20

Asked = Callable[[], bool]  # whether the check is to end early


class Stopped(Exception):
    """The check is to end early."""


class TooLong(Exception):
    """It had not ended in time."""


@dataclass(slots=True)
class Processes:
    """The processes of one probe, each the leader of a group that ends on leaving."""

    env: Mapping[str, str]
    cwd: Path
    stop: Asked
    started: list["subprocess.Popen[bytes]"] = field(default_factory=list)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.started:
            # not waited for before: as long as the leader is there its number is nobody else's
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if process.stdin is not None:
                with suppress(BrokenPipeError):
                    process.stdin.close()

    def start(
        self,
        argv: Sequence[str],
        out: IO[bytes] | int,
        *,
        stdin: int = subprocess.DEVNULL,
        env: Mapping[str, str] | None = None,
    ) -> "subprocess.Popen[bytes]":
        """Start it with both streams in `out`, in a session of its own."""
        process = subprocess.Popen(
            argv,
            env=dict(self.env if env is None else env),
            cwd=self.cwd,
            stdin=stdin,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.started.append(process)
        return process

    def ended(self, process: "subprocess.Popen[bytes]", step_s: float = _STEP_S) -> int | None:
        """Its exit status, or less than 0 for a signal; None: it runs, after a wait of `step_s`."""
        if self.stop():
            raise Stopped
        with _watched(process.pid) as found:
            found.poll(step_s * 1000)
        seen = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if seen is None:
            return None
        return seen.si_status if seen.si_code == os.CLD_EXITED else -seen.si_status

    def wait(self, process: "subprocess.Popen[bytes]", until: Callable[[], bool] | None = None) -> int | None:
        """Its exit status once it ended; None: it runs and `until` came true. Raises TooLong."""
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end:
            code = self.ended(process, 0.02 if until else _STEP_S)
            if code is not None:
                return code
            if until is not None and until():
                return None
        raise TooLong

    def shell(self, script: str, out: IO[bytes]) -> int:
        """Run sh on the host to its end; what it left in the background goes on."""
        code = self.wait(self.start(["sh", "-c", script], out))
        assert code is not None  # noqa: S101 - nothing else was waited for
        return code


@contextmanager
def _watched(pid: int) -> Iterator[select.poll]:
    """A poll that answers as soon as the process has ended."""
    descriptor = os.pidfd_open(pid)
    try:
        found = select.poll()
        found.register(descriptor, select.POLLIN)
        yield found
    finally:
        os.close(descriptor)


def said(out: IO[bytes]) -> str:
    """All that was written to `out` so far."""
    return os.pread(out.fileno(), _SAID_MAX, 0).decode(errors="replace").replace("\r\n", "\n")
