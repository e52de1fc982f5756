"""Asking tmux often: over one lasting connection in control mode, where no server crashes of it."""

import os
import socket
import threading
import time
from concurrent.futures import Future
from pathlib import Path

from hqt.backends.tmux import commands, parse
from hqt.backends.tmux.client import Client, NoServer
from hqt.backends.tmux.commands import Command
from hqt.backends.tmux.connection import Broken, Connection
from hqt.backends.tmux.settings import TmuxSettings

_ANSWER_S = 2.0
_RETRY_S = 1.0  # after a failure, calls of their own do for so long
# before, a server that told anything while such a client connected crashed, and took every agent with it:
# https://github.com/tmux/tmux/pull/4980; it is the server that counts, which may be older than the program
_SOUND = (3, 7)
_VERSION: Command = ("display-message", "-p", "#{version}")
_UNSOUND_S = 60.0  # until a server that was older is asked again


class ControlClient:
    """Asks like `Client.run`, from any thread. What the connection can't answer, a call of its own does.

    A server older than `since` is asked by calls of their own alone (decision 0041).

    Of all who ask the same while an earlier question is under way, one asks for all: nothing queues up
    behind a slow tmux. No server is ever started, and while none runs nothing is.
    """

    def __init__(self, settings: TmuxSettings, *, since: tuple[int, int] = _SOUND) -> None:
        self._once = Client.of(settings)
        self._since = since
        self._connection: Connection | None = None
        self._retry_at = 0.0  # never again once closed
        self._turn = threading.Lock()  # held by whoever asks
        self._gate = threading.Lock()
        self._waiting: dict[tuple[Command, ...], Future[str]] = {}  # behind the gate

    def run(self, *asked: Command) -> str:
        """What tmux prints, without the last line break; NoServer, Refused or another BackendError."""
        with self._gate:
            is_first = asked not in self._waiting
            answer = self._waiting.setdefault(asked, Future())
        if is_first:
            self._ask(asked, answer)
        return answer.result()

    def close(self) -> None:
        """Leave no process and no session; whoever asks later does so by a call of its own."""
        with self._turn:
            self._retry_at = float("inf")
            self._drop()

    def _ask(self, asked: tuple[Command, ...], answer: "Future[str]") -> None:
        with self._turn:
            with self._gate:  # from here on the answer may be older than a question
                del self._waiting[asked]
            try:
                answer.set_result(self._answer(asked))
            except BaseException as error:  # raised again in each who waits for it
                answer.set_exception(error)

    def _answer(self, asked: tuple[Command, ...]) -> str:
        if not self._once.socket.exists():
            self._drop()  # it may work still, but no terminal could enter what it shows
        if self._connection is None and not self._may_connect():
            return self._once.run(*asked)
        try:
            blocks = self._connected().ask(commands.line(*asked), os.urandom(16).hex(), limit_s=_ANSWER_S)
        except Broken:
            self._drop()
            self._retry_at = time.monotonic() + _RETRY_S
            return self._once.run(*asked)
        if any(block.failed for block in blocks):
            return self._once.run(*asked)  # whose sentences say what failed
        return b"\n".join(row for block in blocks for row in block.rows).decode(errors="surrogateescape")

    def _may_connect(self) -> bool:
        if not _is_listening(self._once.socket):
            raise NoServer("no tmux server of hqt runs: start or resume a session")
        if time.monotonic() < self._retry_at:
            return False
        if parse.is_at_least(self._once.run(_VERSION), self._since):
            return True
        self._retry_at = time.monotonic() + _UNSOUND_S
        return False

    def _connected(self) -> Connection:
        if self._connection is None:
            tmux, *options = self._once.argv(*commands.hidden_session(os.getpid()))
            self._connection = Connection([tmux, "-C", *options], self._once.env)
        return self._connection

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _is_listening(path: Path) -> bool:
    """As a call of tmux would find out, without a process: while no server runs, this is all that is done."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)  # a server that is stopped accepts nobody
        try:
            probe.connect(os.fspath(path))
        except (FileNotFoundError, ConnectionRefusedError):
            return False
        except OSError:  # tmux itself will say what is the matter
            return True
    return True
