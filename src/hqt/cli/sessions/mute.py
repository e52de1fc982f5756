"""`hqt mute`: silence a session's notices, or hear them again."""

import click

from hqt.cli.output import say
from hqt.db import reader
from hqt.wiring import open_service


@click.command(epilog="\b\nExamples:\n  hqt mute 3 shop-claude\n  hqt mute 3 --off")
@click.argument("sessions", nargs=-1, required=True, metavar="SESSION...")
@click.option("--off", is_flag=True, help="Hear them again.")
def mute(sessions: tuple[str, ...], *, off: bool) -> None:
    """Silence each SESSION's notices from now on, also after stop and resume."""
    service = open_service(say)
    for row_id in dict.fromkeys(reader.find(service.places, each).id for each in sessions):
        view = service.mute_session(str(row_id), muted=not off)
        print(f"{view.id} {view.name}: {'muted' if view.muted else 'heard'}")
