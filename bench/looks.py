"""How long the screen's looks at 100 sessions take, by calls and over the connection: `make bench`."""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from hqt import launch
from hqt.backends.base import Size, SpawnRequest
from hqt.backends.tmux.backend import TmuxBackend
from hqt.backends.tmux.control import ControlClient
from hqt.backends.tmux.settings import TmuxSettings

_SESSIONS = 100
_ROUNDS = 30
_TIMES_MIN = 2.0  # of a screen: less would not be worth a connection
_SCRIPT = "seq 200; exec cat"


def main() -> int:
    with _settings() as settings, closing(ControlClient(settings, since=(0, 0))) as control:
        calls, connection = TmuxBackend(settings), TmuxBackend(settings, control)
        try:
            for number in range(_SESSIONS):
                calls.spawn(_request(number, settings))
            measured = {
                "list by a call": _median(calls.panes),
                "list, connected": _median(connection.panes),
                "screen by calls": _median(lambda: calls.capture(_key(0), lines=None, ansi=True)),
                "screen, connected": _median(lambda: connection.capture(_key(0), lines=None, ansi=True)),
            }
        finally:
            calls.shutdown()
    return _told(measured)


@contextmanager
def _settings() -> Iterator[TmuxSettings]:
    with tempfile.TemporaryDirectory(prefix="hqt-bench-") as made:
        root = Path(made)
        env = {"HOME": made, "PATH": os.environ["PATH"]}
        yield TmuxSettings(Path("tmux"), root / "s", root, env, Path(launch.__file__), Path(sys.executable))


def _key(number: int) -> str:
    return f"{number:08x}"


def _request(number: int, settings: TmuxSettings) -> SpawnRequest:
    return SpawnRequest(
        key=_key(number),
        title=f"shop-claude-{number}",
        jail="rw net",
        argv=("/bin/sh", "-c", _SCRIPT),
        cwd=Path("/"),
        env=settings.server_env,
        copies=(),
        status=None,
        seal=None,
        umask=0o022,
        size=Size(120, 40),
    )


def _median(look: Callable[[], object]) -> float:
    """Milliseconds of one look."""
    look()
    taken = []
    for _ in range(_ROUNDS):
        began = time.perf_counter()
        look()
        taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken)


def _told(measured: dict[str, float]) -> int:
    for name, taken in measured.items():
        print(f"{name:22} {taken:7.1f} ms")
    listed = measured["list by a call"] / measured["list, connected"]
    shown = measured["screen by calls"] / measured["screen, connected"]
    print(
        f"{_SESSIONS} sessions: connected, a list takes 1/{listed:.1f}, a screen 1/{shown:.1f}"
        f" (at most 1/{_TIMES_MIN:.0f})"
    )
    return 0 if shown >= _TIMES_MIN else 1


if __name__ == "__main__":
    sys.exit(main())
