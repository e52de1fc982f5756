"""What tmux runs when a pane dies; not for people."""

import click

from hqt.cli.wiring import here, tmux_backend
from hqt.db.engine import open_database
from hqt.services.launching import Caller
from hqt.services.sessions import SessionService


@click.command(hidden=True)
@click.argument("name")
def ended(name: str) -> None:
    """Remember how and when the agent of the tmux session NAME ended."""
    found, caller = here(), Caller.current()
    if found.database.exists():
        service = SessionService(found, caller, tmux_backend(found, caller), open_database(found))
        service.record_end(name.removeprefix("hqt-"))
