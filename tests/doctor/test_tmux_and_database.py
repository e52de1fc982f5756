"""tmux's server and the database are looked at, and compared."""

import sqlite3
from contextlib import closing

import pytest

from hqt.backends.base import Pane, Panes
from hqt.db.engine import open_database
from hqt.db.migrations import VERSION
from hqt.db.models import Project, Session
from hqt.doctor import tmux_and_database
from hqt.doctor.check import Check
from hqt.doctor.facts import Facts
from hqt.errors import BackendError
from hqt.values import replace
from tests.db.scratch import raw, version_1
from tests.doctor.scenes import look
from tests.world import World

ORPHAN = Pane(key="0123abcd", pane="%1", pid=7, dead=False, status=None, signal=None, title="old one")


def _seen(world: World, panes: Panes | BackendError) -> Facts:
    return replace(look(world), panes=panes)


def _add_session(world: World) -> str:
    with closing(open_database(world.places)) as database, database.transaction() as session:
        project = Project(path=str(world.project), name="proj")
        row = Session(
            name="one", project=project, cwd="/", harness="generic", created_at="2026-06-10T12:00:00Z"
        )
        session.add(row)
        session.flush()
        return row.key


@pytest.mark.parametrize(
    ("panes", "detail"),
    [
        (Panes("down"), "down: the first session starts it"),
        (Panes("up", (ORPHAN,), 42), "up, pid 42, 1 pane"),
    ],
)
def test_a_server_is_up_or_down(world: World, panes: Panes, detail: str) -> None:
    assert tmux_and_database.server(_seen(world, panes)) == Check("tmux-server", "tmux server", "ok", detail)


def test_an_unreachable_server_fails_with_the_way_to_revive_it(world: World) -> None:
    socket = world.places.socket
    detail = f"unreachable: it lives (pid 42) with its agents, but its socket {socket} is gone"
    remedy = f"`mkdir -p -m 700 {socket.parent}; kill -USR1 42` makes it anew"
    failed = Check("tmux-server", "tmux server", "failed", detail, remedy)
    assert tmux_and_database.server(_seen(world, Panes("unreachable", server=42))) == failed


def test_a_server_that_answers_with_an_error_fails(world: World) -> None:
    check = tmux_and_database.server(_seen(world, BackendError("tmux gave no answer within 10 s: try again")))
    assert check == Check(
        "tmux-server", "tmux server", "failed", "tmux gave no answer within 10 s", "try again"
    )


def test_no_database_is_ok_and_none_is_made(world: World) -> None:
    check = tmux_and_database.database(look(world))
    assert check == Check("database", "database", "ok", "none yet: the first session makes it")
    assert not world.places.data.exists()


def test_a_database_tells_its_version_and_sessions(world: World) -> None:
    _add_session(world)
    detail = f"{world.places.database}, version {VERSION}, 1 session"
    assert tmux_and_database.database(look(world)) == Check("database", "database", "ok", detail)


def test_an_older_database_is_left_as_it_is(world: World) -> None:
    world.places.data.parent.mkdir(parents=True)
    path = version_1(world.places)
    before = path.read_bytes()
    check = tmux_and_database.database(look(world))
    assert (check.state, path.read_bytes(), list(path.parent.iterdir())) == ("ok", before, [path])
    assert check.detail.startswith(f"{path}, version 1 (the next change makes it {VERSION}), ")


def test_a_newer_database_fails(world: World) -> None:
    _add_session(world)
    raw(world.places.database, "PRAGMA user_version = 9")
    detail = f"the database {world.places.database} is of version 9 and this hqt knows only 5"
    assert tmux_and_database.database(look(world)) == Check(
        "database", "database", "failed", detail, "update hqt"
    )


def test_a_damaged_database_fails_and_stays_where_it_is(world: World) -> None:
    world.places.data.mkdir(parents=True)
    path = world.places.database
    path.write_bytes(b"garbage " * 1000)
    check = tmux_and_database.database(look(world))
    assert (check.state, check.detail) == ("failed", f"{path} is damaged")
    assert list(path.parent.iterdir()) == [path]


def test_a_database_in_use_is_still_looked_at(world: World) -> None:
    _add_session(world)
    with closing(sqlite3.connect(world.places.database, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert tmux_and_database.database(look(world)).state == "ok"


def test_a_pane_with_its_session_is_no_orphan(world: World) -> None:
    pane = replace(ORPHAN, key=_add_session(world))
    check = tmux_and_database.panes(_seen(world, Panes("up", (pane,), 42)))
    assert check == Check("panes", "panes", "ok", "none without a session")


def test_a_pane_without_a_session_is_named_with_its_end(world: World) -> None:
    tmux = f"tmux -S {world.places.socket}"
    detail = "1 pane without a session: 0123abcd (old one)"
    remedy = f"`{tmux} attach -t =hqt-0123abcd` shows it, `{tmux} kill-session -t =hqt-0123abcd` ends it"
    orphans = Check("panes", "panes", "warning", detail, remedy)
    assert tmux_and_database.panes(_seen(world, Panes("up", (ORPHAN,), 42))) == orphans


@pytest.mark.parametrize("name", ["XDG_DATA_HOME", "XDG_RUNTIME_DIR", "HOME"])
def test_without_a_folder_the_rest_says_that_it_was_not_seen(world: World, name: str) -> None:
    scene = look(world, **{name: "relative"})
    states = [
        check(scene).state
        for check in (tmux_and_database.server, tmux_and_database.database, tmux_and_database.panes)
    ]
    assert states == ["warning", "warning", "warning"]
