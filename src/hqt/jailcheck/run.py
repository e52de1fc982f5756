"""Try one probe on its ground and judge what came of it."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from hqt.jailcheck.probe import Outcome, Probe
from hqt.jailcheck.processes import LIMIT_S, Asked, Processes, TooLong, said
from hqt.jailcheck.scratch import Scratch
from hqt.jailcheck.terminal import converse
from hqt.launch import CANNOT_LAUNCH

_PRELUDE = Path(__file__).with_name("inside.py")

# an open folder on the home: what a shell may hand down, and a way around every mount
_WITH_HOME_OPEN = ("sh", "-c", 'exec 9<"$HOME"; exec "$@"', "sh")


def run(probe: Probe, ground: Scratch, *, offline: bool, stop: Asked) -> Outcome:
    """Try it once; the ground is as the probe leaves it.

    `offline`: whether a jail without a network can be had; raises Stopped where `stop` says so.
    """
    needed = [*probe.needs, *(["python3"] if probe.python else [])]
    missing = [name for name in needed if shutil.which(name, path=ground.env["PATH"]) is None]
    if missing:
        return Outcome(probe.id, probe.kind, f"not tried: {' and '.join(missing)} is not here")
    if probe.net is False and not offline:
        return Outcome(probe.id, probe.kind, "not tried: a jail without a network can't be had here")
    with Processes(ground.env, ground.home, stop) as processes:
        trial = _Trial(probe, ground, processes, net=not offline if probe.net is None else probe.net)
        try:
            why = "; ".join(trial.wrong())
        except TooLong:
            why = f"it had not ended after {LIMIT_S:.0f} s"
    return Outcome(probe.id, probe.kind, why or None)


class _Trial:
    def __init__(self, probe: Probe, ground: Scratch, processes: Processes, *, net: bool) -> None:
        self.probe, self.ground, self.processes, self.net = probe, ground, processes, net

    def wrong(self) -> Iterator[str]:
        """All that is not as promised; nothing where it holds."""
        with tempfile.TemporaryFile() as out:
            if self._shell(self.probe.setup, out):
                yield f"its setup failed: {said(out)!r}"
                return
        if self.probe.first and (why := self._prepare()):
            yield why
            return
        code, heard = self._attempt()
        wrong = [*_wrong(self.probe, code, heard)]
        with tempfile.TemporaryFile() as out:
            if status := self._shell(self.probe.after, out):
                wrong.append(f"looked at afterwards it gave {status}: {said(out)!r}")
        yield from wrong
        if wrong:
            yield f"exit {code}, said {heard!r}"

    def _prepare(self) -> str | None:
        """Run the first agent; how it ends is its own affair, but it must have run."""
        with tempfile.TemporaryFile() as out:
            argv = self._argv(("sh", "-c", self.ground.filled(self.probe.first)))
            code = self.processes.wait(self.processes.start(argv, out))
            return f"there was no first jail: {said(out)!r}" if code == CANNOT_LAUNCH else None

    def _attempt(self) -> tuple[int, str]:
        if self.probe.tty is not None:
            return converse(self.processes, self._argv(self._command()), self.probe.tty)
        with tempfile.TemporaryFile() as out:
            if self.probe.host:
                return self._shell(self.probe.host, out), said(out)
            code = self._plainly(out)
            return code, said(out)

    def _plainly(self, out: IO[bytes]) -> int:
        env = {**self.ground.env, **self._filled_env()}
        process = self.processes.start(self._argv(self._command()), out, stdin=subprocess.PIPE, env=env)
        assert process.stdin is not None  # noqa: S101 - it is a pipe
        _hand(process.stdin, self.probe.stdin)
        if self.probe.meanwhile or self.probe.kill:
            code = self.processes.wait(process, until=lambda: "READY" in said(out))
            if code is not None:
                return code
            self._interfere(process)
        else:
            _hand(process.stdin, None)
        code = self.processes.wait(process)
        assert code is not None  # noqa: S101 - nothing else was waited for
        return code

    def _interfere(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None  # noqa: S101
        if self.probe.kill:
            os.kill(process.pid, signal.SIGKILL)
        with tempfile.TemporaryFile() as out:
            self._shell(self.probe.meanwhile, out)
        _hand(process.stdin, "go\n")
        _hand(process.stdin, None)

    def _filled_env(self) -> dict[str, str]:
        return {name: self.ground.filled(value) for name, value in self.probe.env.items()}

    def _shell(self, script: str, out: IO[bytes]) -> int:
        return self.processes.shell(self.ground.filled(script), out) if script else 0

    def _command(self) -> Sequence[str]:
        if self.probe.python:
            prelude = _PRELUDE.read_text(encoding="utf-8")
            return ("python3", "-c", prelude + self.ground.filled(self.probe.python))
        return self.probe.command or ("sh", "-c", self.ground.filled(self.probe.script))

    def _argv(self, inside: Sequence[str]) -> list[str]:
        probe = self.probe
        folder = self.ground.filled(probe.folder.replace("~", "@HOME", 1))
        net = "--net" if self.net else "--no-net"
        jail = ("sandbox", "exec", "--fs", probe.fs, net, "--harness", probe.harness, "-C", folder)
        return [*_WITH_HOME_OPEN, *self.ground.hqt, *jail, "--", *inside]


def _hand(stdin: IO[bytes], text: str | None) -> None:
    """Write `text`, or close for None; whoever read it may have ended."""
    with suppress(BrokenPipeError):
        if text is None:
            stdin.close()
        else:
            stdin.write(text.encode())
            stdin.flush()


def _wrong(probe: Probe, code: int, heard: str) -> Iterator[str]:
    if not probe.host and (code == CANNOT_LAUNCH) != probe.refused:
        yield "it was not refused" if probe.refused else "no jail was made"
    if probe.exit == "nonzero" and code == 0:
        yield "it succeeded"
    if isinstance(probe.exit, int) and code != probe.exit:
        yield f"it did not end with {probe.exit}"
    for words in probe.has:
        if words not in heard:
            yield f"{words!r} is missing"
    for words in probe.has_not:
        if words in heard:
            yield f"{words!r} is there"
