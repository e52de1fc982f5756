"""SQLite's failures in sentences."""

import sqlite3
from pathlib import Path

import pytest

from hqt.db.failures import explain, means_damage

PATH = Path("/d/hqt.db")


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (sqlite3.SQLITE_BUSY_SNAPSHOT, "another hqt holds the database /d/hqt.db: try again"),
        (
            sqlite3.SQLITE_NOTADB,
            "the database /d/hqt.db is damaged: the next command that writes moves it aside",
        ),
        (
            sqlite3.SQLITE_FULL,
            "the database /d/hqt.db can't be written, the disk is full: make room and try again",
        ),
        (
            sqlite3.SQLITE_CANTOPEN,
            "the database /d/hqt.db can't be opened or written: see who may use it and its folder",
        ),
        (
            sqlite3.SQLITE_IOERR_SHMSIZE,
            "the database /d/hqt.db can't be read or written (told): check the disk and its room",
        ),
        (sqlite3.SQLITE_ERROR, "/d/hqt.db can't be used as hqt's database (told): move it away"),
    ],
)
def test_each_failure_says_what_to_do(code: int, sentence: str) -> None:
    assert str(explain(_error(code), PATH)) == sentence


@pytest.mark.parametrize(
    ("code", "damage"),
    [
        (sqlite3.SQLITE_CORRUPT_INDEX, True),
        (sqlite3.SQLITE_NOTADB, True),
        (sqlite3.SQLITE_BUSY, False),
        (sqlite3.SQLITE_CANTOPEN, False),
        (sqlite3.SQLITE_IOERR_READ, False),
    ],
)
def test_only_a_malformed_file_is_damaged(code: int, damage: bool) -> None:
    assert means_damage(_error(code)) is damage


def test_an_error_of_pythons_own_is_no_damage() -> None:
    assert not means_damage(sqlite3.ProgrammingError("closed"))


def _error(code: int) -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError("told")
    error.sqlite_errorcode = code
    return error
