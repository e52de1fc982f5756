"""The screen looks when an agent tells something, and once more when its own screen has followed."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hqt.status import waking
from hqt.tui.link import wakeups
from hqt.tui.link.wakeups import Wakeups
from hqt.tui.main import screen
from tests.tui.front import Front, FrontServices
from tests.tui.sample import view
from tests.tui.stand import until

_PATIENCE_S = 10.0


class Looks:
    def __init__(self) -> None:
        self.count = 0

    def look(self) -> None:
        self.count += 1


async def _comes(true: Callable[[], bool]) -> bool:
    for _ in range(int(_PATIENCE_S / 0.01)):
        if true():
            return True
        await asyncio.sleep(0.01)
    return False


def _descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - as short as it gets


async def test_what_is_told_is_looked_at_once_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wakeups, "_AGAIN_S", 0.1)
    looks, before = Looks(), _descriptors()
    ear = Wakeups(looks.look)
    ear.open()
    ear.attend([tmp_path, tmp_path / "none"])
    (tmp_path / "words").write_text("idle\n")
    assert await _comes(lambda: looks.count == 1)
    (tmp_path / "words").write_text("working\n")  # deaf to it: the second look sees it
    assert await _comes(lambda: looks.count == 2)
    (tmp_path / "words").write_text("idle\n")
    assert await _comes(lambda: looks.count == 4)
    ear.close()
    (tmp_path / "words").write_text("idle\n")
    await asyncio.sleep(0.2)
    assert (looks.count, _descriptors()) == (4, before)


async def test_closed_between_the_two_it_looks_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wakeups, "_AGAIN_S", 0.1)
    looks = Looks()
    ear = Wakeups(looks.look)
    ear.open()
    ear.attend([tmp_path])
    (tmp_path / "words").touch()
    assert await _comes(lambda: looks.count == 1)
    ear.close()
    await asyncio.sleep(0.2)
    assert looks.count == 1


async def test_without_inotify_nothing_is_heard_and_nothing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Deaf(waking.Alarm):
        def __init__(self) -> None:
            super().__init__()
            os.close(self._inotify)
            self._inotify, self.is_deaf = -1, True

    monkeypatch.setattr(wakeups, "Alarm", Deaf)
    looks = Looks()
    ear = Wakeups(looks.look)
    ear.open()
    ear.attend([tmp_path])
    (tmp_path / "words").touch()
    ear.close()
    assert looks.count == 0


async def test_the_list_changes_before_the_next_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screen, "_TICK_S", 3600.0)
    services = FrontServices(view(1, state="working"))
    services.told_in = (tmp_path,)
    app = Front(services)
    async with app.run_test() as pilot:
        await until(pilot, lambda: any("working" in row for row in app.rows()))
        services.views = (view(1, state="waiting"),)
        (tmp_path / "words").write_text("waiting\n")
        await until(pilot, lambda: any("waiting" in row for row in app.rows()))
