"""Runs of a program: in their order, bounded, told when they fail, and never waited for."""

import logging
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hqt.notifications.program_queue import ProgramQueue, Run
from tests.world import SYSTEM_PATH, wait_until

pytestmark = pytest.mark.usefixtures("caplog")


@pytest.fixture
def courier() -> Iterator[ProgramQueue]:
    made = ProgramQueue({"PATH": SYSTEM_PATH, "MARK": "x"}, limit_s=0.5)
    yield made
    made.finish(10)


Complaints = Callable[[], list[str]]


@pytest.fixture
def complaints(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Complaints:
    monkeypatch.setattr(logging.getLogger("hqt"), "propagate", True)
    return lambda: [record.getMessage() for record in caplog.records if record.name == "hqt"]


def sh(script: str, *words: str, said: str = "") -> Run:
    return Run(("/bin/sh", "-c", script, "sh", *words), said)


def test_a_program_has_the_words_the_input_and_the_variables_in_a_folder_of_nobodys(
    courier: ProgramQueue, tmp_path: Path
) -> None:
    file = tmp_path / "told"
    courier.take(sh('{ echo "$1"; cat; echo; echo "$MARK"; pwd; } >"$2"', "a b", str(file), said="{}"))
    courier.finish(10)
    assert file.read_text() == "a b\n{}\nx\n/\n"


def test_errands_are_run_in_their_order_and_taking_one_waits_for_none(
    courier: ProgramQueue, tmp_path: Path
) -> None:
    file, gate = tmp_path / "told", tmp_path / "gate"
    os.mkfifo(gate)
    courier.take(sh('read -r _ <"$1"; echo 0 >>"$2"', str(gate), str(file)))
    for number in range(1, 5):
        courier.take(sh('echo "$1" >>"$2"', str(number), str(file)))
    assert not file.exists()
    gate.write_text("go\n")
    courier.finish(10)
    assert file.read_text().split() == ["0", "1", "2", "3", "4"]


def test_one_that_hangs_is_ended_with_all_that_it_started(
    courier: ProgramQueue, complaints: Complaints, tmp_path: Path
) -> None:
    file = tmp_path / "pid"
    courier.take(sh('sleep 60 & echo $! >"$1"; wait', str(file)))
    courier.take(sh('echo >>"$1"', str(tmp_path / "next")))
    courier.finish(10)
    assert complaints() == ["/bin/sh: ended after 0.5 s"]
    assert (tmp_path / "next").exists()
    pid = int(file.read_text())
    assert wait_until(lambda: not Path(f"/proc/{pid}").exists() or "State:\tZ" in _status(pid))


def test_what_it_leaves_in_the_background_is_not_waited_for(courier: ProgramQueue, tmp_path: Path) -> None:
    """Such as a sound that plays on."""
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    courier.take(sh('read -r _ <"$1" &', str(gate)))
    courier.finish(10)
    assert wait_until(lambda: _has_reader(gate))


def test_no_disk_is_needed(courier: ProgramQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    courier.take(sh('cat >"$1"', str(tmp_path / "told"), said="{}"))
    courier.finish(10)
    assert (tmp_path / "told").read_text() == "{}"


def test_each_way_to_fail_is_told_once(courier: ProgramQueue, complaints: Complaints) -> None:
    for _ in range(3):
        courier.take(sh("echo 'no\x1b[2J' >&2; exit 4"))
        courier.take(sh("exit 5"))
        courier.take(Run(("/nonexistent/x",)))
    courier.finish(10)
    assert complaints() == [
        "/bin/sh: failed (4): no\\x1b[2J",
        "/bin/sh: failed (5)",
        "/nonexistent/x: No such file or directory",
    ]


def test_behind_a_slow_one_no_more_than_a_hundred_wait(
    courier: ProgramQueue, complaints: Complaints, tmp_path: Path
) -> None:
    gate, file = tmp_path / "gate", tmp_path / "told"
    os.mkfifo(gate)
    courier.take(sh('read -r _ <"$1"', str(gate)))
    for _ in range(150):
        courier.take(sh('echo >>"$1"', str(file)))
    gate.write_text("go\n")
    courier.finish(20)
    assert file.read_text() == "\n" * 99
    assert complaints() == ["/bin/sh takes too long: notices are left out"]


def test_it_finishes_though_one_hangs(tmp_path: Path) -> None:
    before = threading.active_count()
    courier = ProgramQueue({"PATH": SYSTEM_PATH}, limit_s=2)
    courier.take(sh("sleep 60"))
    courier.take(sh('echo >"$1"', str(tmp_path / "next")))
    courier.finish(0.1)
    assert wait_until(lambda: threading.active_count() == before, within_s=10)
    assert not (tmp_path / "next").exists()


def _has_reader(fifo: Path) -> bool:
    """Whether somebody reads it; let go on by what is written then."""
    try:
        descriptor = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        return False
    os.write(descriptor, b"go\n")
    os.close(descriptor)
    return True


def _status(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return "State:\tZ"
