"""Whether another hqt was installed meanwhile."""

import time
from importlib.metadata import PackageNotFoundError

import pytest

from hqt.tui.link import upgrades
from hqt.tui.link.upgrades import Updates


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def installed(monkeypatch: pytest.MonkeyPatch, *versions: str | None) -> list[str | None]:
    """What is found at each look; returned is what is left to find."""
    left = list(versions)

    def version(_: str) -> str:
        found = left.pop(0)
        if found is None:
            raise PackageNotFoundError
        return found

    monkeypatch.setattr(upgrades, "version", version)
    return left


def test_another_version_is_seen_within_a_minute_and_looked_up_no_more(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    left = installed(monkeypatch, "1", "1", None, "2")
    found, said = Updates(), []
    for clock[0] in (1, 59, 60, 61, 120, 180, 181, 1000):
        said.append(found.is_outdated())
    assert said == [False, False, False, False, False, True, True, True]
    assert left == []


def test_an_hqt_that_is_not_installed_is_never_outdated(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    installed(monkeypatch, None, None)
    found = Updates()
    clock[0] = 100
    assert not found.is_outdated()
