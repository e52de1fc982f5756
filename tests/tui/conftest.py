"""The fixtures of the screen's tests."""

import os

import pytest

from hqt.notifications.bell import Bell
from hqt.start.caller import Caller
from hqt.tui.link.services import Services
from hqt.wiring import here, open_service, tmux_backend
from tests.world import World


@pytest.fixture
def services(world: World, monkeypatch: pytest.MonkeyPatch) -> Services:
    """The real services of a world, which is this process's environment from now on."""
    for name in os.environ.keys() - world.env.keys():
        monkeypatch.delenv(name)
    for name, value in world.env.items():
        monkeypatch.setenv(name, value)
    found, caller = here(), Caller.current()
    return Services(found, caller, tmux_backend(found, caller), open_service, Bell(found))
