"""A backend of the test's own and a terminal that attaches to it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hqt import launch
from hqt.backends.tmux.backend import TmuxBackend
from hqt.backends.tmux.settings import TmuxSettings
from tests.backends.tmux.terminal import Terminal
from tests.world import World


@pytest.fixture
def settings(world: World) -> TmuxSettings:
    return TmuxSettings(
        tmux=Path("tmux"),
        socket=world.places.socket,
        runtime=world.places.runtime,
        server_env={name: world.env[name] for name in ("HOME", "PATH", "LANG")},
        launcher=Path(launch.__file__),
        python=Path(sys.executable),
    )


@pytest.fixture
def backend(settings: TmuxSettings) -> TmuxBackend:
    return TmuxBackend(settings)


@pytest.fixture
def terminal(world: World) -> Iterator[Terminal]:
    made = Terminal(world)
    yield made
    made.close()
