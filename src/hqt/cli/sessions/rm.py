"""`hqt rm`: stop sessions and forget them."""

import os

import click

from hqt.cli.output import say
from hqt.errors import ServiceError
from hqt.observe.views import SessionView
from hqt.wiring import open_service


@click.command(epilog="\b\nExample:\n  hqt rm 3 4")
@click.argument("sessions", nargs=-1, required=True, metavar="SESSION...")
@click.option("--force", is_flag=True, help="Do not ask.")
def remove(sessions: tuple[str, ...], *, force: bool) -> None:
    """Stop each SESSION and forget it; its transcript stays with the harness."""
    service = open_service(say)
    views = list(dict.fromkeys(service.looker.one(each) for each in sessions))
    for view in views:
        if view.is_alive and not force:
            _ask_to_remove(view)
    for view in views:
        service.delete_session(str(view.id))
        print(f"{view.id} {view.name}: removed")


def _ask_to_remove(view: SessionView) -> None:
    if not os.isatty(0):
        raise ServiceError(f"session {view.id} is {view.state}: stop it first or use --force")
    click.confirm(f"session {view.id} {view.name} is {view.state}: stop and forget it?", abort=True, err=True)
