"""The mapped classes against the schema that the migrations make."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, inspect, select
from sqlalchemy.engine import Engine
from sqlalchemy.pool import StaticPool

from hqt.db.engine import open_database
from hqt.db.migrations import migrate
from hqt.db.models import Base, Session
from hqt.errors import DatabaseError
from hqt.paths import Places
from tests.db.scratch import add, raw


@pytest.fixture
def migrated() -> Iterator[Engine]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection, Path("memory"))
        yield create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)


def test_the_models_are_what_the_migrations_make(migrated: Engine) -> None:
    declared = create_engine("sqlite://", poolclass=StaticPool)
    Base.metadata.create_all(declared)
    try:
        assert _described(migrated) == _described(declared)
    finally:
        declared.dispose()


def _described(engine: Engine) -> dict[str, Any]:
    """Tables with their columns in order, types, defaults, keys and constraints, in SQLite's own words."""
    tables = inspect(engine).get_table_names()
    with engine.connect() as connection:
        pragmas = ("table_xinfo", "index_list", "foreign_key_list")
        found = {
            (table, pragma): connection.exec_driver_sql(f"PRAGMA {pragma}({table})").fetchall()
            for table in tables
            for pragma in pragmas
        }
        statement = "SELECT name, sql FROM sqlite_master WHERE type = 'table'"
        made = {row.name: row.sql for row in connection.exec_driver_sql(statement)}
    checks = {table: _sql(inspect(engine).get_check_constraints(table)) for table in tables}
    uniques = {table: _columns(inspect(engine).get_unique_constraints(table)) for table in tables}
    counted = {table: "AUTOINCREMENT" in made[table] for table in tables}
    return {"pragmas": found, "checks": checks, "uniques": uniques, "autoincrement": counted}


def _sql(checks: Any) -> list[str]:  # noqa: ANN401 - SQLAlchemy's reflected dicts
    return sorted(check["sqltext"] for check in checks)


def _columns(uniques: Any) -> list[list[str]]:  # noqa: ANN401 - SQLAlchemy's reflected dicts
    return sorted(unique["column_names"] for unique in uniques)


def test_a_row_that_says_only_what_it_must_is_open_and_starting(places: Places) -> None:
    database = open_database(places)
    with database.transaction() as session:
        row = add(session, "a")
    database.close()
    assert (row.id, row.args, row.env_names, row.phase, row.sandbox_json) == (1, (), (), "starting", None)
    assert (row.copy_of, row.muted) == (None, 0)
    assert len(row.key) == len(row.project.key) == 8


def test_words_that_cannot_be_read_are_a_sentence(places: Places) -> None:
    database = open_database(places)
    with database.transaction() as session:
        add(session, "a")
    raw(places.database, "UPDATE session SET args = 'x'")
    with pytest.raises(DatabaseError) as raised, database.transaction() as session:
        session.scalars(select(Session)).all()
    database.close()
    assert str(raised.value) == "the stored words 'x' can't be read: remove their session"
