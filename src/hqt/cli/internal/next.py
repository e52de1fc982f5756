"""What tmux runs for the key that goes on to the next session; not for people."""

import click

from hqt.observe.attach import switch_to_next
from hqt.wiring import looker


@click.command("next", hidden=True)
@click.argument("client")
@click.argument("name")
def next_(client: str, name: str) -> None:
    """Let the tmux client CLIENT, which shows the tmux session NAME, show the next that needs its human."""
    found = looker()
    switch_to_next(found, found.backend, client, name.removeprefix("hqt-"))
