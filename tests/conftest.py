"""The fixtures of every test."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests import surroundings

surroundings.hide()  # first: what is imported below reads variables

from tests.world import World, new_world  # noqa: E402

# how long an example takes says how busy the machine is
settings.register_profile("hqt", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("hqt")


@pytest.fixture
def world() -> Iterator[World]:
    """A world of the test's own, ended and removed after it."""
    with new_world() as made:
        yield made


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """In CI a test that fails is tried once more, and named at the end as a rerun.

    Thousands of them wait for real programs on a machine that others load too. One that needs a second try
    is a defect all the same; one that fails twice fails the run.
    """
    if "CI" in os.environ:
        for item in items:
            item.add_marker(pytest.mark.flaky(reruns=1, reruns_delay=3))
