"""The fixtures of every test."""

from collections.abc import Iterator

import pytest

from tests.world import World, new_world


@pytest.fixture
def world() -> Iterator[World]:
    """A world of the test's own, ended and removed after it."""
    with new_world() as made:
        yield made
