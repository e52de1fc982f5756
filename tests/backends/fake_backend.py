"""A backend in memory: each pane is a process that sleeps, whatever was asked for."""

import json
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Literal

from hqt.backends.base import Attach, Attended, Face, Pane, Panes, Reach, SpawnRequest
from hqt.errors import BackendError

Fate = Literal["lives", "ends", "never runs"]


@dataclass(slots=True)
class FakeBackend:
    """Obeys `Backend`. `fates`: what becomes of the next starts, in turn; then each lives."""

    fates: list[Fate] = field(default_factory=list)
    requests: list[SpawnRequest] = field(default_factory=list)
    reach: Reach = "up"
    code: int = 3  # with which a program ends that ends; below 0 it is a signal's number
    screen: list[str] = field(default_factory=lambda: ["its last words"])
    titles: dict[str, str] = field(default_factory=dict)
    attended: Attended = field(default_factory=lambda: Attended(0))  # how every terminal comes home
    announced: list[Set[str]] = field(default_factory=list)
    switched: list[tuple[str, str]] = field(default_factory=list)  # clients and the keys that they show now
    typed: list[str] = field(default_factory=list)
    told: list[tuple[str, str]] = field(default_factory=list)
    _running: "dict[str, subprocess.Popen[bytes]]" = field(default_factory=dict)

    def spawn(self, request: SpawnRequest) -> None:
        if request.key in self._running:
            raise BackendError(f"session {request.key} has a pane already")
        fate = self.fates.pop(0) if self.fates else "lives"
        self.requests.append(request)
        self.titles[request.key] = request.title
        ends = f"exit {self.code}" if self.code >= 0 else f"kill {self.code} $$"
        script = "exec sleep 600" if fate == "lives" else ends
        process = subprocess.Popen(["/bin/sh", "-c", script], env=dict(request.env))
        self._running[request.key] = process
        if fate != "lives":
            process.wait()
        if fate != "never runs":
            _tell(request, process.pid, self.code if fate == "ends" else None)

    def panes(self) -> Panes:
        if self.reach != "up":
            return Panes(self.reach, server=7 if self.reach == "unreachable" else None)
        return Panes("up", tuple(self._pane(key) for key in self._running), server=7)

    def kill(self, key: str) -> None:
        process = self._running.pop(key, None)
        if process is not None:
            process.kill()
            process.wait()

    def rename(self, key: str, title: str) -> None:
        self.titles[key] = title

    def attach_command(self, key: str, env: Mapping[str, str]) -> Attach:
        return Attach(("enter", key), env)

    def attend(self, command: Attach, tick: Callable[[], None]) -> Attended:
        tick()
        return self.attended

    def switch(self, client: str, key: str) -> None:
        self.switched.append((client, key))

    def tell(self, client: str, sentence: str) -> None:
        self.told.append((client, sentence))

    def announce(self, waiting: Set[str]) -> None:
        self.announced.append(waiting)

    def screens(self, panes: Sequence[Pane]) -> Mapping[str, list[str]]:
        return {pane.key: self.screen for pane in panes if pane.key in self._running}

    def capture(self, key: str, *, lines: int | None, ansi: bool) -> list[str]:
        if key not in self._running:
            raise BackendError(f"session {key} has no pane")
        return self.screen[-lines:] if lines else self.screen

    def face(self, pane: Pane) -> Face:
        return Face(tuple(self.screen))

    def send(self, key: str, text: str, *, enter: bool) -> None:
        """Its screen shows what is typed; on Enter that is gone."""
        self.typed.append(f"{text}\r" if enter else text)
        self.screen = [] if enter else [*self.screen, text]

    def end(self, key: str, number: int = signal.SIGKILL) -> None:
        """Let the agent of `key` end by itself; its pane stays."""
        self._running[key].send_signal(number)
        self._running[key].wait()

    def lose(self) -> None:
        """All panes go, as with their server."""
        for key in list(self._running):
            self.kill(key)

    def _pane(self, key: str) -> Pane:
        process = self._running[key]
        code = process.poll()
        return Pane(
            key=key,
            pane="%1",
            pid=process.pid,
            dead=code is not None,
            status=code if code is not None and code >= 0 else None,
            signal=-code if code is not None and code < 0 else None,
            title=self.titles[key],
        )


def _tell(request: SpawnRequest, pid: int, code: int | None) -> None:
    words: list[dict[str, object]] = [{"launch": "exec"}]
    if os.path.basename(request.argv[0]) == "bwrap":  # noqa: PTH119
        words.append({"child-pid": pid})
        words += [{"exit-code": code}] if code is not None else []
    assert request.status is not None
    request.status.write_text("".join(json.dumps(each) + "\n" for each in words))
