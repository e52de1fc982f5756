"""One call of the tmux program: its own socket, configuration and environment, and its words as errors."""

import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, Self

from hqt.backends.tmux import parse
from hqt.backends.tmux.commands import Command, chain
from hqt.backends.tmux.settings import TmuxSettings
from hqt.errors import BackendError
from hqt.values import frozen

OLDEST = (3, 2)  # -N, `run-shell -C` and `copy-mode -q` came with it

_LIMIT_S = 10
_NO_SERVER = ("no server running on ", "error connecting to ")
_GONE = ("(No such file or directory)", "(Connection refused)")
_LOST = ("server exited unexpectedly", "lost server")


class NoServer(BackendError):
    """Nothing listens on the socket."""


class Refused(BackendError):
    """tmux answered with an error; `said` holds its words."""

    def __init__(self, sentence: str, said: str) -> None:
        super().__init__(sentence)
        self.said = said

    @property
    def first(self) -> str:
        """The first of its lines."""
        return self.said.partition("\n")[0]


class _Lost(BackendError):
    """The server ended while it was being asked."""


class Reader(Protocol):
    def run(self, *commands: Command) -> str:
        """What tmux prints, without the last line break; NoServer, Refused or another BackendError."""


@frozen
class Client:
    """How tmux is called; `env` is all that it, and a server that it starts, is given."""

    tmux: Path
    socket: Path
    config: Path
    env: Mapping[str, str]

    @classmethod
    def of(cls, settings: TmuxSettings) -> Self:
        return cls(settings.tmux, settings.socket, settings.config, outside_tmux(settings.server_env))

    def argv(self, *commands: Command, start: bool = False, features: str | None = None) -> list[str]:
        """The whole command line; without `start` no server is ever started by it."""
        # -f on every call: any of them may be the one that starts the server
        options = ["-u", *([] if start else ["-N"]), *(["-T", features] if features else [])]
        return [str(self.tmux), *options, "-S", str(self.socket), "-f", str(self.config), *chain(*commands)]

    def run(self, *commands: Command, start: bool = False, stdin: str = "") -> str:
        """What tmux prints, without the last line break; NoServer, Refused or another BackendError."""
        argv = self.argv(*commands, start=start)
        try:
            return self._run_once(argv, stdin)
        except _Lost:
            time.sleep(0.1)  # a server that is ending holds the socket for a moment
            return self._run_once(argv, stdin)

    def version(self) -> str:
        """What `tmux -V` prints, such as `tmux 3.3a`."""
        said = self._call([str(self.tmux), "-V"], "")
        return said.stdout.strip() or said.stderr.strip()

    def _run_once(self, argv: list[str], stdin: str) -> str:
        done = self._call(argv, stdin)
        if done.returncode == 0:
            return done.stdout.removesuffix("\n")
        # what can't be parsed of a file that it sources, tmux prints
        said = done.stderr.strip() or done.stdout.strip() or f"exit status {done.returncode}"
        if said.startswith(_NO_SERVER[0]) or (said.startswith(_NO_SERVER[1]) and said.endswith(_GONE)):
            raise NoServer(f"no tmux server of hqt runs ({said}): start or resume a session")
        if any(words in said for words in _LOST):
            raise _Lost(f"tmux's server ended while it was asked ({said}): try again")
        self._refuse_old()
        raise Refused(f"tmux refused what hqt asked ({said}): run `hqt doctor`", said)

    def _refuse_old(self) -> None:
        """Asked only after a failure: a look at the version costs as much as a call."""
        found = self.version()
        number = parse.version(found)
        if number is not None and number < OLDEST:
            raise BackendError(f"{found} is too old: install tmux {OLDEST[0]}.{OLDEST[1]} or newer")

    def _call(self, argv: list[str], stdin: str) -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run(
                argv,
                input=stdin,
                env=dict(self.env),
                cwd="/",  # the server stays in the folder that it was started in
                capture_output=True,
                encoding="utf-8",
                errors="surrogateescape",
                timeout=_LIMIT_S,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise BackendError(f"tmux gave no answer within {_LIMIT_S} s: run `hqt doctor`") from error
        except OSError as error:
            raise BackendError(f"{self.tmux} can't be run ({error.strerror}): install tmux") from error


def outside_tmux(env: Mapping[str, str]) -> dict[str, str]:
    """`env` without what says that it is of a pane: tmux then attaches where it would refuse to."""
    return {name: value for name, value in env.items() if name not in ("TMUX", "TMUX_PANE")}
