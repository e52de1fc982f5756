"""`hqt resume`: bring a session back."""

import click

from hqt.cli.output import say
from hqt.cli.sessions.report import report, size
from hqt.wiring import open_service


@click.command(epilog="\b\nExamples:\n  hqt resume 3\n  hqt resume 3 --fresh")
@click.argument("session")
@click.option("--fresh", is_flag=True, help="With a new conversation; the old id is kept in the note.")
@click.option("--no-fallback", is_flag=True, help="Fail where its conversation can't be resumed.")
@click.option("--json", "as_json", is_flag=True, help="Print the session object.")
def resume(session: str, *, fresh: bool, no_fallback: bool, as_json: bool) -> None:
    """Bring SESSION back with its own conversation, in its own jail and this shell's environment."""
    if fresh and no_fallback:
        raise click.UsageError("--fresh and --no-fallback exclude each other")
    outcome = open_service(say).resume_session(session, fresh=fresh, fallback=not no_fallback, size=size())
    report(outcome, as_json=as_json)
