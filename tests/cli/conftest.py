"""A terminal for the commands that need one."""

from collections.abc import Iterator

import pytest

from tests.backends.tmux.terminal import Terminal
from tests.world import World


@pytest.fixture
def terminal(world: World) -> Iterator[Terminal]:
    made = Terminal(world)
    yield made
    made.close()
