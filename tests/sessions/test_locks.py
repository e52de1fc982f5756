"""One change at a time for each session."""

import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hqt.errors import ServiceError
from hqt.sessions import locks


def test_a_second_holder_is_told_to_try_again(tmp_path: Path) -> None:
    folder = tmp_path / "sessions/0000000a"
    with (
        locks.hold(folder, limit_s=0),
        pytest.raises(
            ServiceError, match="another hqt is starting or stopping the session 0000000a: try again"
        ),
        locks.hold(folder, limit_s=0.05),
    ):
        pass
    with locks.hold(folder, limit_s=0):
        assert locks.is_held(folder)
    assert not locks.is_held(folder)


def test_nothing_is_held_where_there_is_no_lock(tmp_path: Path) -> None:
    assert not locks.is_held(tmp_path / "none")


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    folder = tmp_path / "sessions/0000000a"
    script = (
        "import sys, pathlib; from hqt.sessions import locks\n"
        f"with locks.hold(pathlib.Path({str(folder)!r}), limit_s=0):\n"
        " print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        assert locks.is_held(folder)
        holder.kill()
        holder.wait()
        with locks.hold(folder, limit_s=0):
            pass


def test_folder_and_lock_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "sessions/0000000a"
    with locks.hold(folder, limit_s=0):
        pass
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder.parent, folder, folder / "lock")]
    assert modes == [0o700, 0o700, 0o600]


def test_waiting_ends_with_the_lock_and_makes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "sessions/0000000a"
    locks.wait_until_free(folder, limit_s=5)
    assert not folder.exists()
    with locks.hold(folder, limit_s=0):
        locks.wait_until_free(folder, limit_s=0.05)
    begun = time.monotonic()
    locks.wait_until_free(folder, limit_s=5)
    assert time.monotonic() - begun < 1
