"""`hqt list`: every session, for people and programs."""

import click

from hqt.cli.observe.sessions import print_sessions


@click.command("list", epilog="\b\nExample:\n  hqt list --json | jq '.[].state'")
@click.option("--json", "as_json", is_flag=True, help="An array of session objects.")
@click.option("--all", "all_", is_flag=True, help="Also those that ended over 7 days ago.")
def list_(*, as_json: bool, all_: bool) -> None:
    """List the sessions, oldest first."""
    print_sessions(as_json=as_json, all_=all_)
