"""The sessions, printed for people and programs; without click, as nothing is asked for so often."""

from datetime import UTC, datetime, timedelta

from hqt.cli.output import print_json, session_json, table
from hqt.formatting import age, jail_words, state_words
from hqt.observe.views import SessionView
from hqt.wiring import looker

_FORGOTTEN = timedelta(days=7)


def print_sessions(*, as_json: bool, all_: bool) -> None:
    """Print every session, oldest first; those that ended long ago only with `all_`."""
    views = [view for view in looker().all() if all_ or not _is_old(view)]
    if as_json:
        print_json([session_json(view) for view in views])
    elif views:
        heads = ("ID", "NAME", "STATE", "HARNESS", "JAIL", "AGE", "PROJECT")
        print(table(heads, (_row(view) for view in views)))
    else:
        print("no sessions: `hqt new DIR` starts one")


def _is_old(view: SessionView) -> bool:
    if view.is_alive or view.ended_at is None:
        return False
    return datetime.now(UTC) - datetime.fromisoformat(view.ended_at) > _FORGOTTEN


def _row(view: SessionView) -> tuple[str, ...]:
    muted = ", muted" if view.muted else ""
    note = " !" if view.note else ""
    return (
        str(view.id),
        view.name,
        state_words(view) + muted + note,
        view.harness,
        jail_words(view),
        age(view.created_at),
        str(view.project),
    )
