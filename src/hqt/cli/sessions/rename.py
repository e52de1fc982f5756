"""`hqt rename`: another name for a session."""

import click

from hqt.cli.output import say
from hqt.wiring import open_service


@click.command(epilog="\b\nExample:\n  hqt rename 3 'payment bug'")
@click.argument("session")
@click.argument("name")
def rename(session: str, name: str) -> None:
    """Give SESSION another NAME; it may be running."""
    view = open_service(say).rename_session(session, name)
    print(f"{view.id} {view.name}")
