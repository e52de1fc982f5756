"""The reading side: a snapshot by the standard library alone; it makes and migrates nothing."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, cast

from hqt.db import files, migrations
from hqt.db.columns import ConversationSource, Phase, load_words
from hqt.db.failures import explain, means_no_room
from hqt.errors import NoSuchSession
from hqt.paths import Places
from hqt.values import frozen


@frozen
class SessionRow:
    id: int
    key: str
    name: str
    project: str  # real path
    project_name: str
    cwd: str  # as the user gave it
    harness: str
    args: tuple[str, ...]  # empty where `damage` is set
    env_names: tuple[str, ...]  # likewise
    conversation: str | None
    conversation_source: ConversationSource | None
    note: str | None
    phase: Phase
    exit_code: int | None
    exit_signal: int | None
    created_at: str  # UTC, as columns.stamp writes it
    started_at: str | None
    ended_at: str | None
    sandbox_json: str | None
    former: tuple[str, ...] = ()  # conversations that were its own and no other may take, oldest first
    roots: tuple[str, ...] | None = None  # NAME=VALUE of the harness's root_env at the start; None: not kept
    copy_of: str | None = None  # the conversation that its own began with a copy of
    muted: bool = False  # its notices are not told
    damage: str | None = None  # the sentence that says why the row cannot be honoured


def rows(places: Places) -> tuple[SessionRow, ...]:
    """Every session, oldest first; none where there is no database. A writer does not hold it up."""
    path = places.database
    if not files.exists(path):
        return ()
    try:
        return _rows(files.connect_to_read(path), path)
    except sqlite3.DatabaseError as error:
        found = _without_room(path) if means_no_room(error) else None
        if found is None:
            raise explain(error, path) from error
        return found


def _rows(connection: sqlite3.Connection, path: Path) -> tuple[SessionRow, ...]:
    with closing(connection):
        connection.text_factory = _text
        connection.row_factory = sqlite3.Row
        connection.execute("BEGIN")  # version and rows from one snapshot
        return tuple(_row(found) for found in _select(connection, migrations.version(connection, path)))


def _without_room(path: Path) -> tuple[SessionRow, ...] | None:
    """The rows where SQLite can't make the files that it wants beside; None where they can't be trusted.

    What runs is to be seen also on a full disk and in a folder that can't be written.
    """
    if not files.is_whole(path):
        return None
    try:
        found = _rows(files.connect_as_it_is(path), path)
    except sqlite3.DatabaseError:
        return None
    return found if files.is_whole(path) else None  # else somebody has begun to write meanwhile


def find(places: Places, text: str) -> SessionRow:
    """The session with that id where `text` is all digits, else with exactly that name."""
    by_id = text.isascii() and text.isdigit()
    wanted = text.lstrip("0") if by_id else text
    for row in rows(places):
        if wanted == (str(row.id) if by_id else row.name):
            return row
    raise NoSuchSession(f"no session is called {text}: `hqt list --all` shows all")


def by_key(places: Places, key: str) -> SessionRow | None:
    return next((row for row in rows(places) if row.key == key), None)


# columns by the version that brought them, with what stands for them in an older database
_NEWER = (
    (2, ", NULL AS sandbox_json"),
    (3, ", '[]' AS former, NULL AS roots"),
    (4, ", NULL AS copy_of"),
    (5, ", 0 AS muted"),
)


def _select(connection: sqlite3.Connection, version: int) -> list[sqlite3.Row]:
    if version == 0:  # made but not yet migrated
        return []
    newer = "".join(missing for since, missing in _NEWER if version < since)
    found = connection.execute(
        f"SELECT session.*, project.path AS project, project.name AS project_name{newer}"  # noqa: S608 - ours
        " FROM session JOIN project ON project.id = session.project_id ORDER BY session.id"
    )
    return found.fetchall()


def _text(raw: bytes) -> str:
    """What is not UTF-8 stays visible instead of breaking the whole list; in JSON it is no valid escape."""
    return raw.decode("utf-8", "backslashreplace")


def _row(found: sqlite3.Row) -> SessionRow:
    words, damage = _words(found)
    return SessionRow(
        id=found["id"],
        key=found["key"],
        name=found["name"],
        project=found["project"],
        project_name=found["project_name"],
        cwd=found["cwd"],
        harness=found["harness"],
        args=words.args,
        env_names=words.env_names,
        conversation=found["conversation"],
        conversation_source=cast(ConversationSource | None, found["conversation_source"]),
        note=found["note"],
        phase=cast(Phase, found["phase"]),
        exit_code=found["exit_code"],
        exit_signal=found["exit_signal"],
        created_at=found["created_at"],
        started_at=found["started_at"],
        ended_at=found["ended_at"],
        sandbox_json=found["sandbox_json"],
        former=words.former,
        roots=words.roots,
        copy_of=found["copy_of"],
        muted=found["muted"] == 1,  # anything odd: rather one notice too many than none
        damage=damage,
    )


class _Words(NamedTuple):
    args: tuple[str, ...] = ()
    env_names: tuple[str, ...] = ()
    former: tuple[str, ...] = ()
    roots: tuple[str, ...] | None = None


def _words(found: sqlite3.Row) -> tuple[_Words, str | None]:
    """The columns that hold words, and the sentence on a row where one of them can't be read."""
    try:
        return _Words(
            args=load_words(found["args"]),
            env_names=load_words(found["env_names"]),
            former=load_words(found["former"]),
            roots=None if found["roots"] is None else load_words(found["roots"]),
        ), None
    except ValueError:
        return (
            _Words(),
            f"the stored arguments of session {found['id']} can't be read: `hqt rm {found['id']}`",
        )
