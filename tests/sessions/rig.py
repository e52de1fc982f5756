"""A service of the test's own over a fake backend, in this process."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hqt import sandbox
from hqt.db import reader
from hqt.db.engine import open_database
from hqt.db.reader import SessionRow
from hqt.sandbox import Availability
from hqt.sessions import service as service_module
from hqt.sessions.service import SessionService
from hqt.start.caller import Caller
from tests.backends.fake_backend import FakeBackend
from tests.world import World

AVAILABLE = Availability(ok=True, net_off_ok=True, version=(0, 8, 0), bwrap=Path("/usr/bin/bwrap"))


@dataclass(frozen=True, slots=True)
class Rig:
    """A service and all that a test looks at behind it."""

    world: World
    backend: FakeBackend
    service: SessionService

    def rows(self) -> tuple[SessionRow, ...]:
        return reader.rows(self.world.places)

    def row(self, row_id: int = 1) -> SessionRow:
        return reader.find(self.world.places, str(row_id))

    def folders(self) -> list[str]:
        """The sessions that have a private folder."""
        folder = self.world.places.data / "sessions"
        return sorted(each.name for each in folder.iterdir()) if folder.exists() else []


@pytest.fixture
def rig(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    for name in os.environ:
        if name.startswith(("XDG_", "CLAUDE_", "CODEX_", "KIRO_")):
            monkeypatch.delenv(name)
    for name, value in world.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sandbox, "availability", lambda *_: AVAILABLE)
    # nothing here needs the time that a real program gets to fail
    monkeypatch.setattr(service_module, "_START_GRACE_S", 0.02)
    monkeypatch.setattr(service_module, "_RESUME_GRACE_S", 0.02)
    backend, database = FakeBackend(), open_database(world.places)
    caller = Caller(dict(world.env), os.geteuid(), 0o022)
    yield Rig(world, backend, SessionService(world.places, caller, backend, database))
    database.close()
    backend.lose()
