"""`hqt wait`: return when agents are idle, need you, or have ended."""

import json

import click

from hqt.cli.output import print_json, say, session_json
from hqt.formatting import literal, state_words
from hqt.observe.views import Outcome, SessionView
from hqt.sessions.wait import Wanted, Wish
from hqt.sessions.wait import wait_for as until
from hqt.wiring import looker


@click.command(
    epilog="\b\nExamples:\n  hqt wait shop-claude\n  hqt wait 3 4 5 --for idle --timeout 600\n"
    "  hqt wait 3 4 5 --first --json | jq -r .id",
    short_help="Wait until every session is idle, waiting or exited.",
)
@click.argument("sessions", nargs=-1, required=True, metavar="SESSION...")
@click.option(
    "--for",
    "wanted",
    type=click.Choice(["idle", "waiting", "exited", "any"]),
    default="any",
    help="What to wait for: at its prompt, needs you, ended, or any of these.  [any]",
)
@click.option("--first", is_flag=True, help="Return with the first of them.")
@click.option("--timeout", type=click.FloatRange(min=0), metavar="S", help="Give up after that many seconds.")
@click.option("--json", "as_json", is_flag=True, help="Print one session object per line.")
def wait(
    sessions: tuple[str, ...], *, wanted: Wanted, first: bool, timeout: float | None, as_json: bool
) -> None:
    """Return when each SESSION is where it is waited for; prints each as it gets there.

    Exits with 0 then, with 5 when the time is over, with 3 where there is no such session, and with 1 where
    one ended that was waited for to be idle or waiting. An agent whose work is done is idle.
    """
    tell = _json_line if as_json else _line
    until(looker(), sessions, Wish(wanted, first), timeout_s=timeout, tell=tell)


def after_start(outcome: Outcome, *, prompted: bool, timeout_s: float | None, as_json: bool) -> None:
    """Print the session as it began and where it came to; as JSON once, however the wait ends."""
    found, session = looker(), str(outcome.view.id)
    for note in outcome.notes:
        say(f"note: {note}")
    if not as_json:
        _line(outcome.view)
    wish = Wish("any", worked=prompted)
    try:
        until(found, [session], wish, timeout_s=timeout_s, tell=_nothing if as_json else _line)
    finally:
        if as_json:
            print_json(session_json(found.one(session)))


def _nothing(_: SessionView) -> None:
    return


def _line(view: SessionView) -> None:
    """Say where it is; at once, as others may take long."""
    print(f"{view.id} {literal(view.name)}: {state_words(view)}", flush=True)


def _json_line(view: SessionView) -> None:
    print(json.dumps(session_json(view)), flush=True)
