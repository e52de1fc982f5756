"""The fixtures of the screen's tests."""

import os

import pytest

from hqt.services.launches import Caller
from hqt.services.ringing import Bell
from hqt.tui.desk import Desk
from hqt.wiring import here, open_service, tmux_backend
from tests.world import World


@pytest.fixture
def desk(world: World, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """The real desk of a world, which is this process's environment from now on."""
    for name in os.environ.keys() - world.env.keys():
        monkeypatch.delenv(name)
    for name, value in world.env.items():
        monkeypatch.setenv(name, value)
    found, caller = here(), Caller.current()
    return Desk(found, caller, tmux_backend(found, caller), open_service, Bell(found))
