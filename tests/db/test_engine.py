"""Opening and writing the database."""

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import exc, select, text

from hqt.db import files, reader
from hqt.db.engine import Database, open_database
from hqt.db.models import Project, Session
from hqt.errors import ConfigError, DatabaseError
from hqt.paths import Places
from hqt.sandbox import SandboxPolicy
from tests.db.scratch import add, as_ordinary_user, at_once, modes, raw, version_1
from tests.world import needs_bwrap


@pytest.fixture
def database(places: Places) -> Database:
    """One row, all of it in the main file."""
    made = open_database(places)
    with made.transaction() as session:
        add(session, "kept")
    made.close()
    return made


def _names(places: Places) -> list[str]:
    return [row.name for row in reader.rows(places)]


def test_all_files_are_private_while_the_database_is_open(places: Places) -> None:
    old = os.umask(0)
    try:
        database = open_database(places)
        with database.transaction() as session:
            add(session, "a")
            found = modes(places.data)
    finally:
        os.umask(old)
    database.close()
    names = ("hqt.db", "hqt.db-shm", "hqt.db-wal", "hqt.db.lock")
    assert found == dict.fromkeys(names, "0600")
    assert modes(places.home) == {"data": "0700"}


@pytest.mark.parametrize("is_replaced", [True, False])
def test_nothing_is_written_into_a_file_that_was_moved_away(
    database: Database, places: Places, is_replaced: bool
) -> None:
    moved = places.database.rename(places.data / "moved")
    if is_replaced:
        shutil.copy(moved, places.database)
    told = pytest.raises(DatabaseError, match="was removed or replaced while hqt was open")
    with told, database.transaction() as session:
        add(session, "lost")
    with closing(sqlite3.connect(moved)) as connection:
        assert connection.execute("SELECT name FROM session").fetchall() == [("kept",)]


def test_a_policy_comes_back_as_it_was_stored(places: Places) -> None:
    policy = SandboxPolicy(fs="ro", net=False)
    database = open_database(places)
    with database.transaction() as session:
        add(session, "jailed", sandbox_json=policy.to_json())
        add(session, "open")
    with database.transaction() as session:
        stored = session.scalars(select(Session.sandbox_json).order_by(Session.id)).all()
    database.close()
    assert stored == [policy.to_json(), None]
    assert SandboxPolicy.from_json(stored[0] or "") == policy


def test_opening_migrates_and_copies_version_1(places: Places) -> None:
    version_1(places)
    open_database(places).close()
    assert _names(places) == ["blog-claude", "prüfung [x]"]
    assert modes(places.data) == dict.fromkeys(("hqt.db", "hqt.db.lock", "hqt.db.v1-backup"), "0600")


def test_an_empty_file_is_a_fresh_database(places: Places) -> None:
    places.data.mkdir()
    places.database.touch()
    database = open_database(places)
    database.close()
    assert database.moved_aside is None
    assert _names(places) == []


@pytest.mark.parametrize("version", [0, 1])
def test_eight_processes_that_open_at_once_migrate_once(places: Places, version: int) -> None:
    if version:
        version_1(places)

    def work(number: int) -> None:
        database = open_database(places)
        with database.transaction() as session:
            add(session, f"new {number}")
        database.close()

    assert at_once(8, work) == [0] * 8
    assert len(_names(places)) == 8 + 2 * version


def test_of_600_updates_from_six_processes_none_is_lost(database: Database, places: Places) -> None:
    def work(_number: int) -> None:
        mine = open_database(places)
        for _ in range(100):
            with mine.transaction() as session:
                row = session.scalars(select(Session)).one()
                row.exit_code = (row.exit_code or 0) + 1
        mine.close()

    assert at_once(6, work) == [0] * 6
    assert [row.exit_code for row in reader.rows(places)] == [600]


def test_an_exception_rolls_everything_back(database: Database, places: Places) -> None:
    with pytest.raises(ZeroDivisionError), database.transaction() as session:  # noqa: PT012
        add(session, "lost")
        raise ZeroDivisionError
    database.close()
    assert _names(places) == ["kept"]


def test_a_name_given_twice_is_left_to_the_caller(database: Database) -> None:
    with pytest.raises(exc.IntegrityError), database.transaction() as session:
        add(session, "kept")
    database.close()


def test_a_project_with_sessions_cannot_go(database: Database) -> None:
    with pytest.raises(exc.IntegrityError), database.transaction() as session:
        session.execute(text("DELETE FROM project"))
    database.close()


def test_text_that_is_not_utf_8_is_a_sentence(database: Database, places: Places) -> None:
    with pytest.raises(DatabaseError) as raised, database.transaction() as session:
        session.add(Project(path=os.fsdecode(b"/srv/\xff"), name="x"))
    database.close()
    assert str(raised.value) == r"'/srv/\udcff' is not UTF-8 and can't be stored: rename it"
    assert _names(places) == ["kept"]


# damage


def _garbage(path: Path) -> None:
    path.write_bytes(b"no database at all\n" * 1000)


def _zeros(path: Path) -> None:
    path.write_bytes(bytes(4096))


def _truncated(path: Path) -> None:
    os.truncate(path, 4096 * 2)


def _shortened_within_its_last_page(path: Path) -> None:
    """Which SQLite reads as zeros, without an error of its own before the page is used."""
    os.truncate(path, path.stat().st_size - 4000)


def _malformed(path: Path) -> None:
    """Every page but the first, which holds the schema, is noise."""
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (path.stat().st_size - 4096))


def _wrong_index(path: Path) -> None:
    """A row that an index knows by another name, which SQLite finds only when the row is deleted."""
    ((root,),) = raw(path, "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_session_2'")
    content = path.read_bytes()
    page = content[(root - 1) * 4096 : root * 4096]
    assert page.count(b"kept") == 1
    path.write_bytes(content.replace(page, page.replace(b"kept", b"kepu")))


@pytest.mark.parametrize(
    "damage", [_garbage, _zeros, _truncated, _shortened_within_its_last_page, _malformed, _wrong_index]
)
def test_a_damaged_database_is_moved_aside_and_named(
    database: Database, places: Places, damage: Callable[[Path], None]
) -> None:
    damage(places.database)
    content = places.database.read_bytes()
    fresh = open_database(places)
    with fresh.transaction() as session:
        add(session, "new")
    fresh.close()
    assert fresh.moved_aside is not None
    assert fresh.moved_aside.parent == places.data
    assert fresh.moved_aside.name.startswith("hqt.db.damaged-2")
    assert fresh.moved_aside.read_bytes() == content
    assert _names(places) == ["new"]


def test_of_many_that_find_the_damage_one_moves_it_and_no_row_is_lost(
    database: Database, places: Places
) -> None:
    _garbage(places.database)

    def work(number: int) -> None:
        mine = open_database(places)
        with mine.transaction() as session:
            add(session, f"new {number}")
        mine.close()

    assert at_once(8, work) == [0] * 8
    assert len(_names(places)) == 8
    assert len([name for name in modes(places.data) if "damaged" in name]) == 1


def test_a_wrong_value_is_no_damaged_file(database: Database, places: Places) -> None:
    with closing(sqlite3.connect(places.database, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("UPDATE session SET phase = 'dreaming', args = 'x'")
    again = open_database(places)
    again.close()
    assert again.moved_aside is None
    assert _names(places) == ["kept"]


def test_a_newer_database_is_refused_and_not_moved(database: Database, places: Places) -> None:
    with closing(sqlite3.connect(places.database, isolation_level=None)) as connection:
        connection.execute("PRAGMA user_version = 9")
        connection.execute("PRAGMA writable_schema = ON")  # words that only a later SQLite would know
        connection.execute("UPDATE sqlite_master SET sql = sql || ' FUTURE' WHERE name = 'session'")
    content = places.database.read_bytes()
    with pytest.raises(DatabaseError, match="is of version 9 and this hqt knows only 5: update hqt"):
        open_database(places)
    assert places.database.read_bytes() == content
    assert sorted(modes(places.data)) == ["hqt.db", "hqt.db.lock"]


def test_a_database_held_by_another_program_is_not_moved(
    database: Database, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "WAIT_S", 0.1)
    with closing(sqlite3.connect(places.database, isolation_level=None)) as holder:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(DatabaseError) as raised:
            open_database(places)
        holder.execute("ROLLBACK")
    assert str(raised.value) == f"another hqt holds the database {places.database}: try again"
    assert _names(places) == ["kept"]


def test_a_database_that_may_not_be_read_is_not_moved(database: Database, places: Places) -> None:
    def work() -> None:
        places.database.chmod(0)
        with pytest.raises(DatabaseError) as raised:
            open_database(places)
        told = "can't be opened or written: see who may use it and its folder"
        assert str(raised.value) == f"the database {places.database} {told}"
        places.database.chmod(0o600)

    assert as_ordinary_user(places, work) == 0
    assert sorted(modes(places.data)) == ["hqt.db", "hqt.db.lock"]


def test_nothing_is_made_in_another_users_folder(places: Places) -> None:  # A66
    if os.getuid() != 0:
        pytest.skip("only root can come across a folder of another user's that it may write")
    places.data.mkdir()
    os.chown(places.data, 65534, 65534)
    with pytest.raises(ConfigError):
        open_database(places)
    assert modes(places.data) == {}


def test_a_folder_in_its_place_is_a_sentence(places: Places) -> None:
    places.database.mkdir(parents=True)
    with pytest.raises(DatabaseError) as raised:
        open_database(places)
    assert str(raised.value) == f"{places.database} is no ordinary file: move it away"


# A64: another process in the middle of a write


def test_a_write_waits_for_the_one_before_it(database: Database, places: Places) -> None:
    with closing(sqlite3.connect(places.database, isolation_level=None, check_same_thread=False)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        timer = threading.Timer(0.3, holder.execute, ("COMMIT",))
        timer.start()
        with database.transaction() as session:
            add(session, "waited")
        timer.join()
    database.close()
    assert _names(places) == ["kept", "waited"]


def test_reading_goes_on_and_a_write_that_waited_in_vain_is_a_sentence(
    database: Database, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "WAIT_S", 0.1)
    with closing(sqlite3.connect(places.database, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        holder.execute("UPDATE session SET name = 'not yet'")
        assert _names(places) == ["kept"]
        writer = open_database(places)
        with pytest.raises(DatabaseError) as raised, writer.transaction():
            pass
        writer.close()
    assert str(raised.value) == f"another hqt holds the database {places.database}: try again"


# A65: no room


def test_a_full_disk_is_a_sentence_and_what_was_there_stays(database: Database, places: Places) -> None:
    with pytest.raises(DatabaseError) as raised, database.transaction() as session:  # noqa: PT012
        session.execute(text("PRAGMA max_page_count = 1"))  # no less than there is: no page more
        add(session, "lost", note="x" * 100_000)
    told = "can't be written, the disk is full: make room and try again"
    assert str(raised.value) == f"the database {places.database} {told}"
    database.close()
    again = open_database(places)
    with again.transaction() as session:
        add(session, "once there is room", note="x" * 100_000)
    again.close()
    assert again.moved_aside is None
    assert _names(places) == ["kept", "once there is room"]


_UNTIL_FULL = """
import sys
from hqt.db import reader
from hqt.db.engine import open_database
from hqt.errors import DatabaseError
from hqt.paths import Places
from pathlib import Path
from tests.db.scratch import add

root = Path(sys.argv[1])
places = Places(root, root / "data", root / "config", root / "state", root / "run", root / "tmp")
filler = root / "filler"
kept, database = 0, None
for room in range(0, 200, 4):
    filler.write_bytes(b"")
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(1024)): pass
        except OSError:
            file.truncate(max(0, file.tell() - room * 1024))
    try:
        database = open_database(places)
        assert database.moved_aside is None
        try:
            for _ in range(50):
                with database.transaction() as session:
                    add(session, f"s{kept}", note="x" * 3000)
                kept += 1
        finally:
            database.close()
    except DatabaseError as error:
        print(error)
    with filler.open("ab", buffering=0) as file:
        try:
            while file.write(bytes(1024)): pass
        except OSError:
            pass
    if database is not None:  # it was made, if not now then before
        assert len(reader.rows(places)) == kept
    filler.unlink()
    assert len(reader.rows(places)) == kept
print(kept)
"""


@pytest.mark.real
@needs_bwrap  # which says that there are user namespaces
def test_on_a_file_system_that_fills_up_no_committed_row_is_lost(places: Places) -> None:
    mount = f'mount -t tmpfs -o size=1m none "$1" && exec "{sys.executable}" -c "$2" "$1"'
    unshare = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh")
    done = subprocess.run(
        [*unshare, str(places.home), _UNTIL_FULL],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    *sentences, kept = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert int(kept) > 0
    ends = ("make room and try again", "check the disk and its room", "No space left on device")
    assert all(line.startswith("the database /") and line.endswith(ends) for line in sentences), sentences
