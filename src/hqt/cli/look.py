"""Commands that only look: they import neither SQLAlchemy nor anything of the screen."""

import shlex
from datetime import UTC, datetime, timedelta

import click

from hqt.cli.output import print_json, session_json, table
from hqt.services import rungs
from hqt.services.looking import Looker
from hqt.services.views import SessionView
from hqt.wiring import looker
from hqt.wording import age, facts, jail_words, literal, state_words

_FORGOTTEN = timedelta(days=7)
_LAST_LINES = 20


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


@click.command(epilog="\b\nExamples:\n  hqt show 3\n  hqt show shop-claude --argv")
@click.argument("session")
@click.option("--json", "as_json", is_flag=True, help="The session object; with --argv an array of words.")
@click.option("--argv", is_flag=True, help="The exact command that would run now; values of variables never.")
def show(session: str, *, as_json: bool, argv: bool) -> None:
    """Show all that is known of SESSION, and its last lines if it ended."""
    found = looker()
    view = found.one(session)
    if argv:
        words = _argv(found, view)
        print_json(words) if as_json else print(literal(shlex.join(words)))
    elif as_json:
        print_json(session_json(view))
    else:
        _print_session(found, view)


@click.command(epilog="\b\nExamples:\n  hqt capture 3\n  hqt capture 3 --lines 200")
@click.argument("session")
@click.option("--lines", type=click.IntRange(min=1), help="That many last lines, of its history as well.")
@click.option("--ansi", is_flag=True, help="With colours.")
def capture(session: str, *, lines: int | None, ansi: bool) -> None:
    """Print what is on SESSION's screen, or was when it ended."""
    found = looker()
    print("\n".join(found.screen(found.one(session), lines=lines, ansi=ansi)))


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


def _print_session(found: Looker, view: SessionView) -> None:
    for name, value in facts(view):
        print(f"{name:13} {value}")
    if not view.is_alive:
        for line in found.screen(view, lines=_LAST_LINES):
            print(f"  | {literal(line)}")


def _argv(found: Looker, view: SessionView) -> list[str]:
    """The words of the start that `hqt resume` would make now; nothing is made for it."""
    return list(rungs.foreseen(view, found.places, found.caller).plan.argv)
