"""A file is sound, damaged or not for this hqt."""

from contextlib import closing

import pytest

from hqt.db import health, migrations
from hqt.db.engine import open_database
from hqt.errors import DatabaseError
from hqt.paths import Places
from tests.db.scratch import raw, version_1


def test_a_sound_database_tells_its_version(places: Places) -> None:
    with closing(open_database(places)):
        assert health.version(places.database) == migrations.VERSION


def test_an_older_one_is_sound_and_stays_as_it_is(places: Places) -> None:
    path = version_1(places)
    before = path.read_bytes()
    assert health.version(path) == 1
    assert (path.read_bytes(), list(places.data.iterdir())) == (before, [path])


@pytest.mark.parametrize("content", [b"garbage " * 1000, None], ids=["no database", "cut off"])
def test_a_malformed_file_has_no_version(places: Places, content: bytes | None) -> None:
    path = version_1(places)
    path.write_bytes(path.read_bytes()[:-4096] if content is None else content)
    assert health.version(path) is None


def test_a_newer_one_is_an_error_and_no_damage(places: Places) -> None:
    path = version_1(places)
    raw(path, "PRAGMA user_version = 99")
    with pytest.raises(DatabaseError, match="version 99 and this hqt knows only 5: update hqt"):
        health.version(path)
