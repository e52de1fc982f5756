"""`hqt capture`: what is on a session's screen."""

import click

from hqt.wiring import looker


@click.command(epilog="\b\nExamples:\n  hqt capture 3\n  hqt capture 3 --lines 200")
@click.argument("session")
@click.option("--lines", type=click.IntRange(min=1), help="Print that many last lines, from its history too.")
@click.option("--ansi", is_flag=True, help="With colours.")
def capture(session: str, *, lines: int | None, ansi: bool) -> None:
    """Print what is on SESSION's screen, or was when it ended."""
    found = looker()
    print("\n".join(found.screen(found.one(session), lines=lines, ansi=ansi)))
