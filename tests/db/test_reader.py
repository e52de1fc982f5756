"""The reading side."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import delete

from hqt.db import files, reader
from hqt.db.engine import open_database
from hqt.db.models import Project, Session
from hqt.db.reader import SessionRow
from hqt.errors import DatabaseError, NoSuchSession
from hqt.paths import Places
from hqt.values import replace
from tests.db.scratch import add, at_once, modes, new_places, raw, version_1, version_2, version_3, version_4

_V1 = (
    SessionRow(
        id=1,
        key="11111111",
        name="blog-claude",
        project="/srv/blog",
        project_name="blog",
        cwd="/srv/blog",
        harness="claude",
        args=("--model", "opus"),
        env_names=("NPM_TOKEN",),
        conversation="6f3c1f0e-2f0c-4c55-9d63-0d6c0f3f7a10",
        conversation_source="minted",
        note=None,
        phase="exited",
        exit_code=0,
        exit_signal=None,
        created_at="2026-06-01T08:00:00Z",
        started_at="2026-06-01T08:00:01Z",
        ended_at="2026-06-01T09:30:00Z",
        sandbox_json=None,
    ),
    SessionRow(
        id=2,
        key="22222222",
        name="prüfung [x]",
        project="/srv/blog",
        project_name="blog",
        cwd="/home/u/link to blog",
        harness="generic",
        args=(),
        env_names=(),
        conversation=None,
        conversation_source=None,
        note="the tests",
        phase="stopped",
        exit_code=None,
        exit_signal=15,
        created_at="2026-06-02T08:00:00Z",
        started_at="2026-06-02T08:00:01Z",
        ended_at="2026-06-02T08:05:00Z",
        sandbox_json=None,
    ),
)


def test_without_a_database_there_are_no_rows_and_nothing_is_made(places: Places) -> None:
    assert reader.rows(places) == ()
    assert modes(places.home) == {}


def test_version_2_is_read_without_being_migrated(places: Places) -> None:
    path = version_2(places)
    assert reader.rows(places) == (replace(_V1[0], sandbox_json='{"fs": "ro", "net": false}'), _V1[1])
    assert raw(path, "PRAGMA user_version") == [(2,)]


def test_version_3_is_read_without_being_migrated(places: Places) -> None:
    path = version_3(places)
    jail, former, roots = '{"fs": "ro", "net": false}', "0e1f2a3b-1c2d-4e3f-8a4b-5c6d7e8f9a0b", "/srv/claude"
    first = replace(_V1[0], sandbox_json=jail, former=(former,), roots=(f"CLAUDE_CONFIG_DIR={roots}",))
    assert reader.rows(places) == (first, _V1[1])
    assert raw(path, "PRAGMA user_version") == [(3,)]


def test_version_4_is_read_without_being_migrated(places: Places) -> None:
    path = version_4(places)
    first, second = reader.rows(places)
    assert (first.copy_of, first.muted) == ("2d4e6f80-3b5c-4a7d-9e1f-0a1b2c3d4e5f", False)
    assert second == _V1[1]
    assert raw(path, "PRAGMA user_version") == [(4,)]


def test_version_1_is_read_without_being_migrated(places: Places) -> None:
    path = version_1(places)
    assert reader.rows(places) == _V1
    assert raw(path, "PRAGMA user_version") == [(1,)]
    assert list(modes(places.data)) == ["hqt.db"]


def test_after_the_migration_the_same_rows_are_read(places: Places) -> None:
    version_1(places)
    open_database(places).close()
    assert reader.rows(places) == _V1


def test_a_policy_is_read_as_it_was_stored(places: Places) -> None:
    database = open_database(places)
    with database.transaction() as session:
        add(session, "jailed", sandbox_json='{"fs": "ro", "net": false}')
    database.close()
    assert reader.rows(places)[0].sandbox_json == '{"fs": "ro", "net": false}'


def test_what_a_session_left_and_where_it_began_is_read_as_it_was_stored(places: Places) -> None:
    database = open_database(places)
    with database.transaction() as session:
        add(session, "moved on", former=("c-1", "c-2"), roots=("CODEX_HOME=/srv/codex",))
        add(session, "at home", roots=())
    database.close()
    assert [(row.former, row.roots) for row in reader.rows(places)] == [
        (("c-1", "c-2"), ("CODEX_HOME=/srv/codex",)),
        ((), ()),
    ]


@pytest.mark.parametrize(
    ("stored", "muted"), [(1, True), ("1", True), (0, False), (2, False), ("yes", False), (b"1", False)]
)
def test_only_who_was_muted_is_silent(places: Places, stored: object, muted: bool) -> None:
    path = version_4(places)
    open_database(places).close()
    raw(path, "UPDATE session SET muted = ? WHERE id = 2", stored)
    assert [row.muted for row in reader.rows(places)] == [False, muted]


def test_reading_leaves_no_file_behind(places: Places) -> None:
    open_database(places).close()
    reader.rows(places)
    assert sorted(modes(places.data)) == ["hqt.db", "hqt.db.lock"]


_WITHOUT_ROOM = """
import resource, sys
from pathlib import Path
from hqt.db import files, reader
from hqt.errors import DatabaseError
from hqt.paths import Places

root = Path(sys.argv[1])
places = Places(root, root / "data", root / "config", root / "state", root / "run", root / "tmp")
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
try:
    print([row.name for row in reader.rows(places)])
except DatabaseError as error:
    print(error)
"""


def _read_without_room(places: Places) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_ROOM, places.home],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.rstrip("\n")


def test_without_room_for_a_file_of_sqlite_the_rows_are_read(places: Places) -> None:
    """On a full disk somebody wants to see what runs there."""
    version_3(places)
    open_database(places).close()
    assert _read_without_room(places) == str([row.name for row in reader.rows(places)])


@pytest.mark.real
@pytest.mark.skipif(os.geteuid() == 0, reason="root writes in every folder")
def test_in_a_folder_that_can_not_be_written_the_rows_are_read(places: Places) -> None:
    version_3(places)
    open_database(places).close()
    expected = reader.rows(places)
    places.data.chmod(0o500)
    try:
        assert reader.rows(places) == expected
    finally:
        places.data.chmod(0o700)


def test_without_room_what_a_writer_left_beside_is_never_left_out(places: Places) -> None:
    version_3(places)
    open_database(places).close()
    files.beside(places.database, "-wal").write_bytes(b"x" * 100)
    told = "can't be read or written (disk I/O error): check the disk and its room"
    assert _read_without_room(places) == f"the database {places.database} {told}"


def test_a_database_not_yet_filled_has_no_rows(places: Places) -> None:
    places.data.mkdir()
    places.database.touch()
    assert reader.rows(places) == ()
    assert places.database.stat().st_size == 0


def test_rows_that_a_killed_writer_left_in_the_wal_are_read(places: Places) -> None:
    def work(_number: int) -> None:
        with open_database(places).transaction() as session:
            add(session, "committed")
        os.kill(os.getpid(), signal.SIGKILL)

    assert at_once(1, work) == [-signal.SIGKILL]
    before = {suffix: places.data.joinpath(f"hqt.db{suffix}").read_bytes() for suffix in ("", "-wal")}
    assert [row.name for row in reader.rows(places)] == ["committed"]
    assert before == {suffix: places.data.joinpath(f"hqt.db{suffix}").read_bytes() for suffix in before}


def test_a_newer_database_is_a_sentence(places: Places) -> None:
    path = version_1(places)
    raw(path, "PRAGMA user_version = 7")
    with pytest.raises(DatabaseError, match="is of version 7 and this hqt knows only 5: update hqt"):
        reader.rows(places)


def test_a_database_of_another_program_is_a_sentence(places: Places) -> None:
    places.data.mkdir()
    raw(places.database, "PRAGMA user_version = 1")
    raw(places.database, "CREATE TABLE bookmark (url)")
    with pytest.raises(DatabaseError) as raised:
        reader.rows(places)
    told = "can't be used as hqt's database (no such table: session): move it away"
    assert str(raised.value) == f"{places.database} {told}"


def test_a_damaged_database_is_a_sentence_and_stays(places: Places) -> None:
    places.data.mkdir()
    places.database.write_bytes(b"garbage" * 1000)
    with pytest.raises(DatabaseError) as raised:
        reader.rows(places)
    told = "is damaged: the next command that writes moves it aside"
    assert str(raised.value) == f"the database {places.database} {told}"
    assert modes(places.data).keys() == {"hqt.db"}
    assert places.database.read_bytes() == b"garbage" * 1000


@pytest.mark.parametrize("column", ["args", "env_names", "former", "roots"])
def test_a_row_that_cannot_be_read_says_so_and_leaves_the_others_alone(places: Places, column: str) -> None:
    path = version_1(places)
    open_database(places).close()
    raw(path, f"UPDATE session SET {column} = '{{' WHERE id = 1")  # noqa: S608 - ours
    told = "the stored arguments of session 1 can't be read: `hqt rm 1`"
    assert reader.rows(places) == (replace(_V1[0], args=(), env_names=(), damage=told), _V1[1])


@given(st.binary(), st.binary(min_size=1))
@settings(max_examples=40, deadline=None)
def test_no_bytes_in_a_row_break_the_list(args: bytes, note: bytes) -> None:
    with new_places() as places:
        path = version_1(places)
        raw(
            path, "UPDATE session SET args = CAST(? AS TEXT), note = CAST(? AS TEXT) WHERE id = 1", args, note
        )
        first, second = reader.rows(places)
    assert first.note is not None
    assert first.note.isprintable() or first.damage is not None or first.note.encode() == note
    assert second == _V1[1]


def test_a_session_is_found_by_its_id_or_its_exact_name(places: Places) -> None:
    version_1(places)
    assert reader.find(places, "2") == reader.find(places, "002") == _V1[1]
    assert reader.find(places, "prüfung [x]") == _V1[1]
    assert reader.by_key(places, "11111111") == _V1[0]
    assert reader.by_key(places, "1111111") is None


@pytest.mark.parametrize("text", ["", "0", "3", "9" * 5000, "²", "blog-claud", "BLOG-CLAUDE", "\udcff"])
def test_what_no_session_is_called_is_said(places: Places, text: str) -> None:
    version_1(places)
    with pytest.raises(NoSuchSession) as raised:
        reader.find(places, text)
    assert str(raised.value) == f"no session is called {text}: `hqt list --all` shows all"


def test_words_and_names_come_back_as_they_were_written() -> None:
    words = st.lists(st.text() | st.binary().map(os.fsdecode), max_size=5).map(tuple)
    with new_places() as places:
        database = open_database(places)

        @given(words, words, st.text(min_size=1))
        @settings(max_examples=50, deadline=None)
        def law(args: tuple[str, ...], env_names: tuple[str, ...], name: str) -> None:
            with database.transaction() as session:
                session.execute(delete(Session))
                session.execute(delete(Project))
                add(session, name, args=args, env_names=env_names)
            (row,) = reader.rows(places)
            assert (row.name, row.args, row.env_names, row.damage) == (name, args, env_names, None)

        law()
        database.close()


def test_the_reader_comes_without_what_is_slow_to_import() -> None:
    slow = {"sqlalchemy", "textual", "rich", "asyncio"}
    program = f"import sys, hqt.db.reader; print(sorted(sys.modules.keys() & {slow!r}))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
