"""`hqt stop`: end agents."""

import click

from hqt.cli.output import say
from hqt.db import reader
from hqt.formatting import state_words
from hqt.wiring import open_service


@click.command(epilog="\b\nExample:\n  hqt stop 3 4 shop-claude")
@click.argument("sessions", nargs=-1, required=True, metavar="SESSION...")
def stop(sessions: tuple[str, ...]) -> None:
    """End each agent; anything still running after 5 s is killed, and nothing of it stays behind."""
    service = open_service(say)
    for row_id in dict.fromkeys(reader.find(service.places, each).id for each in sessions):
        view = service.stop_session(str(row_id))
        print(f"{view.id} {view.name}: {state_words(view)}")
