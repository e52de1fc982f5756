"""Whether the database's file is sound; it is only looked at."""

import sqlite3
from contextlib import closing
from pathlib import Path

from hqt.db import files, migrations
from hqt.db.failures import explain, means_damage


def version(path: Path) -> int | None:
    """The schema's version; None where SQLite calls the file malformed. `path` must be there.

    All of it is walked, in 1 ms per 1000 sessions. Raises DatabaseError where it can't be read, or is not
    for this hqt.
    """
    try:
        with closing(files.connect_to_read(path)) as connection:
            # first: a newer schema may be one that this SQLite cannot parse and calls malformed too
            found = migrations.version(connection, path)
            connection.execute("PRAGMA ignore_check_constraints = ON")  # a wrong value is no damaged file
            is_sound = connection.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
            return found if is_sound else None
    except sqlite3.DatabaseError as error:
        if means_damage(error):
            return None
        raise explain(error, path) from error
