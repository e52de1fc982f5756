"""`hqt fork`: a session that begins with a copy of another's conversation."""

import click

from hqt.cli.output import say
from hqt.cli.sessions.attach import enter_screen, need_terminal
from hqt.cli.sessions.report import report, size
from hqt.cli.stdin import given
from hqt.sessions import send
from hqt.wiring import open_service


@click.command(
    epilog="\b\nExamples:\n  hqt fork 3\n  hqt fork shop-claude --prompt 'try it with sqlite instead'"
)
@click.argument("session")
@click.option("--name", help="Default: <project>-<harness>-<number>.")
@click.option("--prompt", metavar="TEXT|-", help="The copy's first prompt; - takes it from standard input.")
@click.option("-a", "--attach", "enter", is_flag=True, help="Enter its screen right away.")
@click.option("--json", "as_json", is_flag=True, help="Print the session object.")
def fork(session: str, *, name: str | None, prompt: str | None, enter: bool, as_json: bool) -> None:
    """Start a session that begins with a copy of SESSION's conversation, in its folder and its jail.

    SESSION, alive or not, stays as it is.
    """
    if enter:
        need_terminal("--attach")
    service = open_service(say)
    said = None if prompt is None else given(prompt, most=send.TEXT_MAX)
    outcome = service.fork_session(session, name, said, size())
    report(outcome, as_json=as_json)
    if enter:
        enter_screen(service, str(outcome.view.id))
