"""Over restarts each transition is told once, whatever became of the file."""

import json
import os
import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hqt.notifications.history import History
from tests.tui.sample import view

NOW, LATER = "2026-06-10T12:00:05Z", "2026-06-10T12:00:09Z"
WORKING = view(1, state="working", since=NOW)
WAITING = view(1, state="waiting", since=NOW)


def test_what_was_told_is_not_told_by_the_next_process(tmp_path: Path) -> None:
    file = tmp_path / "notices.json"
    first = History(NOW, file)
    assert [each.kind for each in (*first.news([WORKING]), *first.news([WAITING]))] == ["waiting"]
    assert History(LATER, file).news([WAITING]) == ()
    assert [each.name for each in tmp_path.iterdir()] == [file.name]


def test_what_came_to_be_between_two_processes_is_told(tmp_path: Path) -> None:
    History(NOW, tmp_path / "notices.json").news([WORKING])
    (notice,) = History(LATER, tmp_path / "notices.json").news([WAITING])
    assert (notice.before, notice.kind) == ("working", "waiting")


def test_without_a_file_nothing_is_kept() -> None:
    history = History(NOW)
    assert history.news([WORKING]) == ()
    assert len(history.news([WAITING])) == 1


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "{", '{"00000001": 1}', '{"00000001": {"word": "idle", "x": 1}}', "[" * 10_000],
    ids=range(7),
)
def test_a_file_that_cannot_be_read_is_none(tmp_path: Path, text: str) -> None:
    file = tmp_path / "notices.json"
    file.write_text(text)
    assert History(LATER, file).news([WAITING]) == ()  # as old as the file that is lost
    assert json.loads(file.read_text()) == {"00000001": {"word": "waiting", "since": NOW, "watched": False}}


def test_a_folder_that_is_gone_costs_only_the_memory_of_it(tmp_path: Path) -> None:
    history = History(NOW, tmp_path / "gone" / "notices.json")
    assert history.news([WORKING]) == ()
    assert len(history.news([WAITING])) == 1


def test_what_it_keeps_is_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        History(NOW, tmp_path / "notices.json").news([WORKING])
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "notices.json").stat().st_mode) == 0o600


def test_on_a_full_disk_the_next_process_tells_nothing_twice(tmp_path: Path) -> None:
    first = History(NOW, tmp_path / "notices.json")
    first.news([WORKING])
    with _nothing_can_be_written():
        assert len(first.news([WAITING])) == 1
    assert History(LATER, tmp_path / "notices.json").news([WAITING]) == ()
    assert [each.name for each in tmp_path.iterdir()] == ["notices.json"]


def test_what_another_process_told_until_the_first_look_is_known(tmp_path: Path) -> None:
    """It looks once it is the only one: the one before may have told something since it was made."""
    before, after = History(NOW, tmp_path / "notices.json"), History(NOW, tmp_path / "notices.json")
    before.news([WAITING])
    assert after.news([WAITING]) == ()


@contextmanager
def _nothing_can_be_written() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))  # Python ignores the signal
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
