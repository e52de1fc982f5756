"""`hqt show`: all that is known of one session."""

import shlex

import click

from hqt.cli.output import print_json, session_json
from hqt.formatting import facts, literal
from hqt.observe.look import Looker
from hqt.observe.views import SessionView
from hqt.sessions.resume import preview_resume
from hqt.wiring import looker

_LAST_LINES = 20


@click.command(epilog="\b\nExamples:\n  hqt show 3\n  hqt show shop-claude --argv")
@click.argument("session")
@click.option("--json", "as_json", is_flag=True, help="The session object; with --argv an array of words.")
@click.option(
    "--argv", is_flag=True, help="The exact command of its next start, without values of variables."
)
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


def _print_session(found: Looker, view: SessionView) -> None:
    for name, value in facts(view):
        print(f"{name:13} {value}")
    if not view.is_alive:
        for line in found.screen(view, lines=_LAST_LINES):
            print(f"  | {literal(line)}")


def _argv(found: Looker, view: SessionView) -> list[str]:
    """The words of the start that `hqt resume` would make now; nothing is made for it."""
    return list(preview_resume(view, found.places, found.caller).plan.argv)
