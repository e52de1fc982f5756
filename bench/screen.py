"""What 100 live sessions cost the screen beside one, in one run: `make bench`."""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from hqt import launch
from hqt.backends.base import Size, SpawnRequest
from hqt.backends.tmux.backend import TmuxBackend
from hqt.backends.tmux.control import ControlClient
from hqt.backends.tmux.settings import TmuxSettings
from hqt.db.engine import Database, open_database
from hqt.notifications.bell import Bell
from hqt.paths import Places, places
from hqt.sessions import store
from hqt.sessions.service import SessionService
from hqt.start.caller import Caller
from hqt.tui.app import HqtApp
from hqt.tui.link.services import Services
from hqt.tui.main.screen import SessionsScreen
from hqt.tui.widgets.session_table import SessionTable

_SESSIONS = 100
_IDLE_S = 10.0
_KEYS = 60
_KEY_MS_MAX = 100.0
_IDLE_MAX = 0.05  # of a core
_SCRIPT = "seq 200; exec cat"


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="hqt-bench-") as made:
        env = {"HOME": made, "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": made, "LANG": "C.UTF-8"}
        os.environ.clear()
        os.environ.update(env)
        found = places(env, os.geteuid())
        settings = _settings(found, env)
        backend = TmuxBackend(settings)
        with closing(open_database(found)) as database:
            try:
                _start(1, found, database, backend)
                one = asyncio.run(_measure(found, settings, database))
                _start(_SESSIONS - 1, found, database, backend)
                many = asyncio.run(_measure(found, settings, database))
            finally:
                backend.shutdown()
    return _told(one, many)


def _settings(found: Places, env: dict[str, str]) -> TmuxSettings:
    launcher, python = Path(launch.__file__), Path(sys.executable)
    return TmuxSettings(Path("tmux"), found.socket, found.runtime, env, launcher, python)


def _start(count: int, found: Places, database: Database, backend: TmuxBackend) -> None:
    for _ in range(count):
        key = os.urandom(4).hex()
        draft = store.Draft(
            key=key,
            name=None,
            given=found.home,
            project=found.home,
            harness="generic",
            args=("cat",),
            env_names=(),
            conversation=None,
            sandbox_json=None,
            note=None,
        )
        store.add(database, draft)
        backend.spawn(_request(key, found))
        store.change(database, key, {"phase": "running", "started_at": store.now()})


def _request(key: str, found: Places) -> SpawnRequest:
    return SpawnRequest(
        key=key,
        title=key,
        jail="OPEN",
        argv=("/bin/sh", "-c", _SCRIPT),
        cwd=found.home,
        env={"PATH": os.environ["PATH"]},
        copies=(),
        status=None,
        seal=None,
        umask=0o022,
        size=Size(120, 40),
    )


async def _measure(found: Places, settings: TmuxSettings, database: Database) -> tuple[float, float]:
    """Milliseconds from a key to what it paints, and the part of a core that nothing to do takes."""
    caller = Caller.current()
    with closing(ControlClient(settings)) as control:
        backend = TmuxBackend(settings, control)
        service = SessionService(found, caller, backend, database)
        silent = Bell(found)
        app = HqtApp(Services(found, caller, backend, lambda _: service, silent), SessionsScreen)
        async with app.run_test(size=(120, 40)) as pilot:
            table = app.screen.query_one(SessionTable)
            while not table.lines:
                await pilot.pause(0.1)
            await asyncio.sleep(2.0)  # the first looks and the preview
            took = [await _key(app, table, "down" if number % 2 else "up") for number in range(_KEYS)]
            began = time.process_time()
            await asyncio.sleep(_IDLE_S)
            return statistics.quantiles(took, n=20)[-1], (time.process_time() - began) / _IDLE_S


async def _key(app: HqtApp, table: SessionTable, key: str) -> float:
    painted = asyncio.Event()
    began = time.perf_counter()
    app.simulate_key(key)
    table.call_after_refresh(painted.set)
    await painted.wait()
    took = (time.perf_counter() - began) * 1000
    await asyncio.sleep(0.05)
    return took


def _told(one: tuple[float, float], many: tuple[float, float]) -> int:
    for count, (key_ms, idle) in ((1, one), (_SESSIONS, many)):
        print(f"{count:4} sessions: a key {key_ms:5.1f} ms (19 of 20), idle {idle * 100:4.1f} % of a core")
    print(f"at most {_KEY_MS_MAX:.0f} ms and {_IDLE_MAX * 100:.0f} %")
    return 0 if many[0] <= _KEY_MS_MAX and many[1] <= _IDLE_MAX else 1


if __name__ == "__main__":
    sys.exit(main())
