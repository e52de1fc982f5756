"""What tests of the database are made with: places, rows, databases in a given state, processes."""

import multiprocessing
import os
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import orm

from hqt.db.models import Project, Session
from hqt.paths import Places

V1 = Path(__file__).with_name("v1.sql")
V2 = Path(__file__).with_name("v2.sql")
V3 = Path(__file__).with_name("v3.sql")
V4 = Path(__file__).with_name("v4.sql")
_FORK = multiprocessing.get_context("fork")  # SQLAlchemy is imported already: spawning would do it again


@contextmanager
def new_places() -> Iterator[Places]:
    with tempfile.TemporaryDirectory(prefix="hqt ?#%41&") as folder:
        root = Path(folder)
        yield Places(
            home=root,
            data=root / "data",
            config=root / "config",
            state=root / "state",
            runtime=root / "run",
            temporary=root / "tmp",
        )


def add(session: orm.Session, name: str, **columns: Any) -> Session:  # noqa: ANN401 - any column
    """A session of its own project, added and flushed."""
    project = Project(path=f"/srv/{name}", name=name)
    given = {"cwd": f"/srv/{name}", "harness": "generic", "created_at": "2026-06-10T12:00:00Z"}
    row = Session(name=name, project=project, **(given | columns))
    session.add(row)
    session.flush()
    return row


def version_1(places: Places) -> Path:
    """A database as version 1 left it, with rows."""
    return _dumped(places, V1)


def version_2(places: Places) -> Path:
    """The same, of version 2."""
    return _dumped(places, V2)


def version_3(places: Places) -> Path:
    """The same, of version 3."""
    return _dumped(places, V3)


def version_4(places: Places) -> Path:
    """The same, of version 4."""
    return _dumped(places, V4)


def _dumped(places: Places, dump: Path) -> Path:
    places.data.mkdir(mode=0o700)
    with closing(sqlite3.connect(places.database)) as connection:
        connection.executescript(dump.read_text())
    return places.database


def raw(path: Path, statement: str, *values: object) -> list[Any]:
    """Run one statement past hqt."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return connection.execute(statement, values).fetchall()


def modes(folder: Path) -> dict[str, str]:
    """The permissions of all that is in `folder`, by name."""
    return {file.name: f"{stat.S_IMODE(file.stat().st_mode):04o}" for file in folder.iterdir()}


def at_once(count: int, work: Callable[[int], None]) -> list[int | None]:
    """Run `work` in that many processes that begin together; their exit codes."""
    barrier = _FORK.Barrier(count)

    def begin(number: int) -> None:
        barrier.wait()
        work(number)

    processes = [_FORK.Process(target=begin, args=(number,)) for number in range(count)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    return [process.exitcode for process in processes]


def as_ordinary_user(places: Places, work: Callable[[], None]) -> int | None:
    """Run `work` in a process that permissions hold for, to which the places then belong; its exit code."""

    def drop_and_work(_number: int) -> None:
        if os.getuid() == 0:
            for path in (places.home, *places.home.rglob("*")):
                os.chown(path, 65534, 65534)
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        work()

    return at_once(1, drop_and_work)[0]
