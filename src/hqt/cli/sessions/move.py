"""`hqt move`: a session's folder is elsewhere now."""

import click

from hqt.cli.output import say
from hqt.start.folders import folder
from hqt.wiring import open_service


@click.command(epilog="\b\nExample:\n  hqt move 3 ~/src/shop-renamed")
@click.argument("session")
@click.argument("directory", metavar="DIR")
def move(session: str, directory: str) -> None:
    """Tell SESSION, which must not be alive, that its folder is DIR now."""
    view = open_service(say).move_session(session, folder(directory))
    print(f"{view.id} {view.name}: {view.cwd}")
