"""A way that notices take: its runs of a program follow each other, and a slow one holds nobody up."""

import os
import signal
import subprocess
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import IO

from hqt.formatting import literal
from hqt.logs import log
from hqt.values import frozen

LIMIT_S = 10.0
_MOST = 100  # that wait behind a slow one: a person reads no more of them
_SAID_MAX = 300


@frozen
class Run:
    """One run of a program, outside of every jail."""

    argv: tuple[str, ...]  # the first is a path
    said: str = ""  # on its standard input


class ProgramQueue:
    """Runs runs one after the other; each way to fail is told in the log once."""

    def __init__(self, env: Mapping[str, str], limit_s: float = LIMIT_S) -> None:
        self._env = env
        self._limit_s = limit_s
        self._thread = ThreadPoolExecutor(1, "courier")
        self._pending: list[Future[None]] = []
        self._told: set[str] = set()

    def take(self, errand: Run) -> None:
        """Run it once all before it are over; returns at once."""
        self._pending = [each for each in self._pending if not each.done()]
        if len(self._pending) < _MOST:
            self._pending.append(self._thread.submit(self._run, errand))
        else:
            self.complain(f"{errand.argv[0]} takes too long: notices are left out")

    def finish(self, limit_s: float) -> None:
        """Let what was taken be run, for so long."""
        wait(self._pending, limit_s)
        self._thread.shutdown(wait=False, cancel_futures=True)

    def complain(self, sentence: str) -> None:
        if sentence not in self._told:
            self._told.add(sentence)
            log.error("%s", literal(sentence))

    def _run(self, errand: Run) -> None:
        # files, as a pipe would stay open in what the program leaves in the background, such as a sound;
        # in memory, as a disk may be full
        try:
            with _file() as stdin, _file() as stderr:
                stdin.write(errand.said.encode())
                stdin.seek(0)
                failure = self._failure(errand, stdin, stderr)
        except OSError as error:
            failure = error.strerror or str(error)
        if failure is not None:
            self.complain(f"{errand.argv[0]}: {failure}")

    def _failure(self, errand: Run, stdin: IO[bytes], stderr: IO[bytes]) -> str | None:
        with subprocess.Popen(
            errand.argv,
            env=dict(self._env),
            cwd="/",
            stdin=stdin,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            start_new_session=True,
        ) as process:
            try:
                code = process.wait(self._limit_s)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return f"ended after {self._limit_s:g} s"
        if code == 0:
            return None
        stderr.seek(0)
        said = stderr.read(_SAID_MAX).decode(errors="replace").strip()
        return f"failed ({code}): {said}" if said else f"failed ({code})"


def _file() -> IO[bytes]:
    return os.fdopen(os.memfd_create("notice"), "w+b")
