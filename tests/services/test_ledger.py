"""Over restarts each transition is told once, whatever became of the file."""

import json
from pathlib import Path

import pytest

from hqt.services.ledger import Ledger
from tests.tui.sample import view

NOW, LATER = "2026-06-10T12:00:05Z", "2026-06-10T12:00:09Z"
WORKING = view(1, state="working", since=NOW)
WAITING = view(1, state="waiting", since=NOW)


def test_what_was_told_is_not_told_by_the_next_process(tmp_path: Path) -> None:
    file = tmp_path / "notices.json"
    first = Ledger(NOW, file)
    assert [each.kind for each in (*first.news([WORKING]), *first.news([WAITING]))] == ["waiting"]
    assert Ledger(LATER, file).news([WAITING]) == ()
    assert [each.name for each in tmp_path.iterdir()] == [file.name]


def test_what_came_to_be_between_two_processes_is_told(tmp_path: Path) -> None:
    Ledger(NOW, tmp_path / "notices.json").news([WORKING])
    (notice,) = Ledger(LATER, tmp_path / "notices.json").news([WAITING])
    assert (notice.before, notice.kind) == ("working", "waiting")


def test_without_a_file_nothing_is_kept() -> None:
    ledger = Ledger(NOW)
    assert ledger.news([WORKING]) == ()
    assert len(ledger.news([WAITING])) == 1


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "{", '{"00000001": 1}', '{"00000001": {"word": "idle", "x": 1}}', "[" * 10_000],
    ids=range(7),
)
def test_a_file_that_cannot_be_read_is_none(tmp_path: Path, text: str) -> None:
    file = tmp_path / "notices.json"
    file.write_text(text)
    assert Ledger(LATER, file).news([WAITING]) == ()  # as old as the file that is lost
    assert json.loads(file.read_text()) == {"00000001": {"word": "waiting", "since": NOW, "watched": False}}


def test_a_folder_that_is_gone_costs_only_the_memory_of_it(tmp_path: Path) -> None:
    ledger = Ledger(NOW, tmp_path / "gone" / "notices.json")
    assert ledger.news([WORKING]) == ()
    assert len(ledger.news([WAITING])) == 1
