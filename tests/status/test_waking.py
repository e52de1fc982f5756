"""What wakes who waits: writes, renames and ends; and nothing else."""

import os
import subprocess
from pathlib import Path

from hqt.status.waking import Alarm

_LONG_S = 20.0


def test_what_is_written_or_renamed_into_a_folder_wakes(tmp_path: Path) -> None:
    with Alarm() as alarm:
        alarm.watch(tmp_path)
        assert not alarm.sleep(0)
        (tmp_path / "words").write_text("idle\n")
        assert alarm.sleep(_LONG_S)
        assert not alarm.sleep(0)
        (tmp_path / "words").rename(tmp_path / "others")
        assert alarm.sleep(_LONG_S)
        assert not alarm.is_deaf


def test_the_end_of_a_process_wakes_until_it_is_attended_no_more(tmp_path: Path) -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as process, Alarm() as alarm:
        alarm.attend([process.pid, 2**22 + 1])
        assert not alarm.sleep(0)
        process.kill()
        assert alarm.sleep(_LONG_S)
        alarm.attend([])
        assert not alarm.sleep(0)


def test_a_folder_that_is_not_there_or_is_a_link_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    with Alarm() as alarm:
        alarm.watch(tmp_path / "none")
        alarm.watch(tmp_path / "link")
        (tmp_path / "words").touch()
        assert not alarm.sleep(0)
        assert not alarm.is_deaf


def test_nothing_is_left_open(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - as short as it gets
    with Alarm() as alarm:
        alarm.watch(tmp_path)
        alarm.attend([os.getpid()])
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
