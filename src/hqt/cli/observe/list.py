"""`hqt list`: every session, for people and programs."""

from datetime import UTC, datetime, timedelta

import click

from hqt.cli.output import print_json, session_json, table
from hqt.formatting import age, jail_words, state_words
from hqt.observe.views import SessionView
from hqt.wiring import looker

_FORGOTTEN = timedelta(days=7)


@click.command("list", epilog="\b\nExample:\n  hqt list --json | jq '.[].state'")
@click.option("--json", "as_json", is_flag=True, help="An array of session objects.")
@click.option("--all", "all_", is_flag=True, help="Those that ended over 7 days ago, too.")
def list_(*, as_json: bool, all_: bool) -> None:
    """Show the sessions, oldest first."""
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
