"""`hqt send`: a text typed into a session, as if its person had."""

import click

from hqt.cli.stdin import given
from hqt.formatting import literal, state_words
from hqt.sessions.send import TEXT_MAX, send_text
from hqt.wiring import looker


@click.command(
    epilog="\b\nExamples:\n  hqt send 3 'now run the tests'\n  git diff | hqt send shop-claude -\n"
    "  hqt send 3 --force 1           answer the question on its screen with 1"
)
@click.argument("session")
@click.argument("text", metavar="TEXT|-")
@click.option("--no-enter", is_flag=True, help="Type it without submitting it.")
@click.option("--force", is_flag=True, help="Type even into a question, which the text may answer.")
def send(session: str, text: str, *, no_enter: bool, force: bool) -> None:
    """Type TEXT, or with - what comes on standard input, into SESSION and submit it, once.

    It arrives as one paste where the agent knows pastes, up to 1 MB. Returns once the agent is seen at work.
    Refused while a question is on its screen, and for what is no text, such as escapes.
    """
    view = send_text(looker(), session, given(text, most=TEXT_MAX), enter=not no_enter, force=force)
    print(f"{view.id} {literal(view.name)}: {state_words(view)}")
