"""The files of the database."""

import fcntl
import os
from pathlib import Path

import pytest

from hqt.db import files
from hqt.errors import DatabaseError
from hqt.paths import Places
from tests.db.scratch import modes


def test_what_was_moved_aside_is_never_overwritten(places: Places) -> None:
    moved = []
    places.data.mkdir()
    for content in ("one", "two", "three"):
        places.database.write_text(content)
        moved.append(files.move_aside(places.database))
    assert [path.read_text() for path in moved] == ["one", "two", "three"]
    assert not places.database.exists()


def test_wal_and_shm_go_aside_with_the_database(places: Places) -> None:
    places.data.mkdir()
    for suffix in ("", "-wal", "-shm"):
        files.beside(places.database, suffix).write_text(suffix)
    aside = files.move_aside(places.database)
    assert sorted(modes(places.data)) == [aside.name, f"{aside.name}-shm", f"{aside.name}-wal"]
    assert files.beside(aside, "-wal").read_text() == "-wal"


def test_a_lock_that_is_not_given_back_in_time_is_a_sentence(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "WAIT_S", 0.1)
    places.data.mkdir()
    with Path(places.data / "hqt.db.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(DatabaseError) as raised, files.lock(places.database):
            pass
    assert str(raised.value) == f"another hqt holds the database {places.database}: try again"


def test_a_lock_is_given_back(places: Places) -> None:
    places.data.mkdir()
    for _ in range(2):
        with files.lock(places.database):
            assert modes(places.data) == {"hqt.db.lock": "0600"}


@pytest.mark.parametrize("kind", ["folder", "fifo", "link"])
def test_only_an_ordinary_file_is_a_database(places: Places, kind: str) -> None:
    places.data.mkdir()
    if kind == "folder":
        places.database.mkdir()
    elif kind == "fifo":
        os.mkfifo(places.database)
    else:
        places.database.symlink_to(places.home / "elsewhere")
    with pytest.raises(DatabaseError) as raised:
        files.exists(places.database)
    assert str(raised.value) == f"{places.database} is no ordinary file: move it away"


def test_files_that_others_could_read_become_private(places: Places) -> None:
    places.data.mkdir()
    for suffix in ("", "-wal"):
        files.beside(places.database, suffix).touch(mode=0o644)
    files.make(places.database)
    assert modes(places.data) == {"hqt.db": "0600", "hqt.db-wal": "0600"}
