"""Whether what was started lives is known from its words and the process itself."""

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hqt.backends.base import Size, SpawnRequest
from hqt.start import startup
from hqt.start.launch_report import LaunchReport
from hqt.start.startup import Started, has_begun, watch_startup
from tests.backends.fake_backend import FakeBackend, Fate
from tests.sessions.sample import KEY

_GRACE_S = 0.05


@pytest.fixture
def backend() -> Iterator[FakeBackend]:
    made = FakeBackend()
    yield made
    made.lose()


def _spawn(backend: FakeBackend, status: Path, fate: Fate, *, jailed: bool = False) -> None:
    backend.fates = [fate]
    argv = ("/usr/bin/bwrap", "x") if jailed else ("x",)
    request = SpawnRequest(
        key=KEY,
        title="",
        jail="OPEN",
        argv=argv,
        cwd=Path("/"),
        env=dict(os.environ),
        copies=(),
        status=status,
        seal=None,
        umask=0o022,
        size=Size(80, 24),
    )
    backend.spawn(request)


@pytest.mark.parametrize("jailed", [False, True])
def test_a_program_that_outlives_its_grace_is_alive(
    backend: FakeBackend, tmp_path: Path, jailed: bool
) -> None:
    status = tmp_path / "status"
    _spawn(backend, status, "lives", jailed=jailed)
    started = watch_startup(backend, KEY, status, jailed=jailed, grace_s=_GRACE_S)
    assert started == Started("alive", backend.panes().of(KEY))


@pytest.mark.parametrize("jailed", [False, True])
def test_one_that_ran_and_ended_has_its_code_and_last_lines(
    backend: FakeBackend, tmp_path: Path, jailed: bool
) -> None:
    status = tmp_path / "status"
    _spawn(backend, status, "ends", jailed=jailed)
    started = watch_startup(backend, KEY, status, jailed=jailed, grace_s=_GRACE_S)
    assert started == Started("ended", backend.panes().of(KEY), ("its last words",))
    assert started.pane is not None
    assert started.pane.status == 3


def test_a_launcher_that_failed_says_why(backend: FakeBackend, tmp_path: Path) -> None:
    status = tmp_path / "status"
    _spawn(backend, status, "never runs")
    status.write_text('{"launch": "exec"}\n{"launch": "failed", "why": "x can\'t be run"}\n')
    started = watch_startup(backend, KEY, status, jailed=False, grace_s=_GRACE_S)
    assert (started.outcome, started.why) == ("failed", "x can't be run")


def test_a_jail_that_never_stood_is_told_by_the_last_line(backend: FakeBackend, tmp_path: Path) -> None:
    status = tmp_path / "status"
    backend.screen = ["bwrap: setting up uid map: Permission denied", "", ""]
    _spawn(backend, status, "never runs", jailed=True)
    status.write_text('{"launch": "exec"}\n')
    started = watch_startup(backend, KEY, status, jailed=True, grace_s=_GRACE_S)
    assert (started.outcome, started.why) == ("failed", "bwrap: setting up uid map: Permission denied")


def test_a_jail_whose_mounts_failed_never_ran_its_program(backend: FakeBackend, tmp_path: Path) -> None:
    status = tmp_path / "status"
    backend.screen = ["bwrap: Can't create file at /x: Read-only file system"]
    _spawn(backend, status, "ends", jailed=True)
    status.write_text('{"launch": "exec"}\n{ "child-pid": 7 }\n')
    started = watch_startup(backend, KEY, status, jailed=True, grace_s=_GRACE_S)
    assert (started.outcome, started.why) == ("failed", backend.screen[0])


def test_a_jail_that_was_killed_ran_although_bwrap_could_not_tell(
    backend: FakeBackend, tmp_path: Path
) -> None:
    status = tmp_path / "status"
    _spawn(backend, status, "lives", jailed=True)
    backend.end(KEY)
    assert watch_startup(backend, KEY, status, jailed=True, grace_s=_GRACE_S).outcome == "ended"


def test_without_a_pane_nothing_ran(backend: FakeBackend, tmp_path: Path) -> None:
    started = watch_startup(backend, KEY, tmp_path / "status", jailed=False, grace_s=_GRACE_S)
    assert started == Started("failed", None, (), "it ended without any output")


def test_what_has_not_begun_in_time_has_failed(
    backend: FakeBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(startup, "_LIMIT_S", 0.05)
    status = tmp_path / "status"
    _spawn(backend, status, "lives")
    status.unlink()
    assert watch_startup(backend, KEY, status, jailed=False, grace_s=_GRACE_S).outcome == "failed"


def test_the_grace_begins_when_the_program_does(backend: FakeBackend, tmp_path: Path) -> None:
    status = tmp_path / "status"
    _spawn(backend, status, "lives")
    words = status.read_text()
    status.unlink()
    begun = time.monotonic()
    threading.Timer(0.2, status.write_text, [words]).start()
    assert watch_startup(backend, KEY, status, jailed=False, grace_s=0.1).outcome == "alive"
    assert time.monotonic() - begun >= 0.3


def test_a_jail_has_begun_when_it_stands_and_a_program_when_it_was_executed() -> None:
    assert has_begun(LaunchReport(executed=True), jailed=False)
    assert not has_begun(LaunchReport(executed=True), jailed=True)
    assert has_begun(LaunchReport(executed=True, reaper=7), jailed=True)
    assert not has_begun(LaunchReport(executed=True, failure="x"), jailed=False)
    assert not has_begun(LaunchReport(), jailed=False)
