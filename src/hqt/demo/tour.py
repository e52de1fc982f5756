"""The tour: an agent in a jail from start to end, each promise looked after as it goes."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from hqt.demo.commands import Commands
from hqt.demo.report import Report
from hqt.demo.screen import Screen, Word
from hqt.demo.stage import Stage
from hqt.errors import ServiceError
from hqt.launch import CANNOT_LAUNCH
from hqt.values import frozen

_REPORTED_S = 15.0


class _Attempt(NamedTuple):
    what: str  # as agent.sh says it
    expected: Word
    remark: str = ""


_WRITE = "write notes.txt in the project"
_OUTSIDE = (
    _Attempt("read ~/.ssh/id_ed25519", "refused"),
    _Attempt("read ~/other/plan.txt, another project", "refused"),
    _Attempt("read the shell's DEMO_TOKEN", "refused"),
    _Attempt("write ~/.profile", "done", ": in a home of its own that ends with it"),
    _Attempt("write in /usr", "refused"),
    _Attempt("write in /etc", "refused"),
)


@frozen
class Tour:
    """Raises ServiceError where it cannot go on; what was not as promised is in the report."""

    stage: Stage
    hqt: Commands
    report: Report

    def take(self) -> None:
        self._refuse_without_jails()
        self._start("demo", "--sandbox")
        jail = self._watch("demo", runs=1)
        self._show("list")
        self._stop()
        self._show("resume", "demo")
        again = self._watch("demo", runs=2)
        self.report.check("the jail is the one it had before", kept=again == jail)
        self._start("offline", "--sandbox", "--fs", "ro", "--no-net")
        self._watch_offline("offline", runs=2)
        self._remove("demo", "offline")

    def _refuse_without_jails(self) -> None:
        tried = self.hqt.attempt("sandbox", "exec", "--no-net", "--", "true")
        if tried.code == CANNOT_LAUNCH:
            raise ServiceError("; ".join(tried.err.splitlines()).removeprefix("hqt: "))
        if tried.code != 0:
            said = (tried.err.splitlines() or ["no word"])[-1]
            raise ServiceError(
                f"a first trial of the jail failed with {tried.code} ({said}): see `hqt doctor`"
            )

    def _start(self, name: str, *jail: str) -> None:
        told = (str(self.stage.project), "--harness", "generic", "--name", name, *jail)
        self._show("new", *told, "--", *self.stage.command)

    def _watch(self, name: str, *, runs: int) -> object:
        """Look at a read-write run, the last of `runs`; returns its policy."""
        screen = self._screen(name)
        self.report.attempt(_WRITE, "done", screen.attempts.get(_WRITE))
        self._outside(screen)
        check = self.report.check
        check("its network is the host's, as was asked for", kept=screen.network == _network())
        written = screen.run == _lines(self.stage.notes) == runs
        check(f"the host's notes.txt has a line for each run so far: {runs}", kept=written)
        session = self.hqt.session(name)
        check("it is running, its policy rw with a network", kept=_is(session, "running", fs="rw", net=True))
        return session["sandbox"]

    def _watch_offline(self, name: str, *, runs: int) -> None:
        """Look at a read-only run after `runs` that wrote."""
        screen = self._screen(name)
        self.report.attempt(_WRITE, "refused", screen.attempts.get(_WRITE))
        self._outside(screen)
        check = self.report.check
        alone = screen.network not in (None, _network()) and not screen.ways_out
        check("its network is its own: loopback, and no way out", kept=alone)
        check("the host's notes.txt is as it was", kept=screen.run == _lines(self.stage.notes) == runs)
        check(
            "it is running, its policy ro and offline",
            kept=_is(self.hqt.session(name), "running", fs="ro", net=False),
        )

    def _outside(self, screen: Screen) -> None:
        for what, expected, remark in _OUTSIDE:
            self.report.attempt(what, expected, screen.attempts.get(what), remark=remark)
        changed = self.stage.changed()
        but = f" but {', '.join(map(str, changed))}" if changed else ""
        self.report.check(f"nothing outside the project has changed on the host{but}", kept=not changed)

    def _stop(self) -> None:
        self._show("stop", "demo")
        ended = self.hqt.session("demo")
        by_itself = ended["state"] == "stopped" and ended["exit"] == {"code": 0, "signal": None}
        self.report.check("it was asked to end and ended itself, with 0", kept=by_itself)
        self.report.check("no process of it is left", kept=not _processes(self.stage.agent))

    def _remove(self, *names: str) -> None:
        self._show("rm", "--force", *names)
        left = self._show("list", "--all", "--json")
        self.report.check("no session is left", kept=left == ["[]"])
        self.report.check("no process is left", kept=not _processes(self.stage.agent))

    def _show(self, *args: str) -> list[str]:
        """Run a command in sight; returns what it said."""
        self.report.command(self.hqt.text(*args))
        lines = self.hqt.lines(*args)
        self.report.said(lines)
        return lines

    def _screen(self, name: str) -> Screen:
        """The agent's screen once it has reported; the planted secret must not be on it."""
        self.report.command(self.hqt.text("capture", name))
        lines = self._reported(name)
        hidden = self.stage.secret not in "".join(lines)
        self.report.check("the planted secret is nowhere on its screen", kept=hidden)
        return Screen.parse(lines)

    def _reported(self, name: str) -> Sequence[str]:
        limit = time.monotonic() + _REPORTED_S
        while time.monotonic() < limit:
            lines = self.hqt.lines("capture", name, "--lines", "50")
            if Screen.parse(lines).waiting:
                return lines
        raise ServiceError(f"the agent has not reported within {_REPORTED_S:.0f} s: see `hqt doctor`")


def _network() -> str:
    return str(Path("/proc/self/ns/net").readlink())


def _lines(file: Path) -> int:
    return len(file.read_text().splitlines()) if file.exists() else 0


def _is(session: Mapping[str, object], state: str, *, fs: str, net: bool) -> bool:
    return session["state"] == state and session["sandbox"] == {"fs": fs, "net": net}


def _processes(word: Path) -> list[int]:
    """The processes that were started with `word`, in a jail or not."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:  # ended meanwhile, or another user's
                continue
            if str(word).encode() in words:
                found.append(int(entry.name))
    return found
