"""What tmux runs when a pane dies; not for people."""

import click

from hqt.db import reader
from hqt.paths import Places
from hqt.sessions import locks
from hqt.start.caller import current_caller
from hqt.wiring import here, tmux_backend

_BUSY_S = 30.0  # whoever holds the session's lock is starting or stopping it


@click.command(hidden=True)
@click.argument("name")
def ended(name: str) -> None:
    """Remember how and when the agent of the tmux session NAME ended."""
    found, key = here(), name.removeprefix("hqt-")
    if _is_unknown(found, key):
        locks.wait_until_free(found.session(key), limit_s=_BUSY_S)
        if _is_unknown(found, key):
            _record(found, key)


def _is_unknown(found: Places, key: str) -> bool:
    """Whether the session's end is still to be written; DatabaseError where the database is damaged.

    Nobody sees what is said here, so a damaged one is left for a command that can say so.
    """
    row = reader.by_key(found, key)
    return row is not None and row.ended_at is None


def _record(found: Places, key: str) -> None:
    # here: SQLAlchemy takes 0.4 s, and after a stop there is nothing to write
    from hqt.db.engine import open_database
    from hqt.sessions.service import SessionService

    asking = current_caller(found)
    SessionService(found, asking, tmux_backend(found, asking), open_database(found)).record_end(key)
