"""The log of the screen."""

import logging
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hqt import logs
from hqt.logs import log


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    before = list(log.handlers)
    yield tmp_path / "state/hqt.log"
    for handler in set(log.handlers) - set(before):
        handler.close()
        log.removeHandler(handler)
    log.propagate = True
    log.setLevel(logging.NOTSET)


def test_it_is_private_and_says_details_only_when_asked(file: Path) -> None:
    logs.keep(file, debug=False)
    log.debug("a detail")
    log.info("a fact \udcff")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (line,) = file.read_text().splitlines()
    assert line.endswith("INFO a fact \\udcff")


def test_debug_says_details(file: Path) -> None:
    logs.keep(file, debug=True)
    log.debug("a detail")
    assert file.read_text().endswith("DEBUG a detail\n")


def test_it_stays_small(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "_SIZE_MAX", 1000)
    logs.keep(file, debug=False)
    for number in range(100):
        log.info("line %s", number)
    kept = sorted(file.parent.iterdir())
    assert [each.name for each in kept] == ["hqt.log", "hqt.log.1"]
    assert all(each.stat().st_size <= 1000 for each in kept)
    assert all(stat.S_IMODE(each.stat().st_mode) == 0o600 for each in kept)


def test_a_thread_that_fails_is_told_there_and_not_over_the_screen(
    file: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    logs.keep(file, debug=False)
    failing = threading.Thread(target=lambda: 1 / 0)
    failing.start()
    failing.join()
    assert "ZeroDivisionError" in file.read_text()
    assert capfd.readouterr() == ("", "")
