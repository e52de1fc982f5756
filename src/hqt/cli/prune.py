"""`hqt prune`: what nobody needs any more is shown and freed."""

import os

import click

from hqt.cli.output import print_json, table
from hqt.formatting import literal
from hqt.sessions.prune import Leftover, Pruner
from hqt.start.caller import Caller
from hqt.values import as_dict
from hqt.wiring import here, tmux_backend

_WORDS = {
    "session": "session",
    "cache": "cache",
    "notice": "notices",
    "hold": "git hold",
    "spec": "launch spec",
    "transcript": "transcript",
}


@click.command(epilog="\b\nExamples:\n  hqt prune --dry-run\n  hqt prune --json | jq .bytes")
@click.option("--dry-run", is_flag=True, help="Show what would go; remove nothing.")
@click.option("--json", "as_json", is_flag=True, help="An object: dry_run, bytes, and items.")
def prune(*, dry_run: bool, as_json: bool) -> None:
    """Free what ended sessions and unused caches hold.

    Projects, sessions that `hqt list --all` shows and their last screens stay. So do transcripts, but for
    those that a jail of OpenCode or Gemini CLI had for itself and whose session was removed.
    """
    found, caller = here(), Caller.current()
    pruner = Pruner.of(found, tmux_backend(found, caller), caller.env)
    leftovers = pruner.find()
    gone = leftovers if dry_run else tuple(each for each in leftovers if pruner.free(each))
    total = sum(each.size for each in gone)
    if as_json:
        items = [{**as_dict(each), "path": os.fspath(each.path)} for each in gone]
        print_json({"dry_run": dry_run, "bytes": total, "items": items})
    elif gone:
        print(table(("SIZE", "WHAT", "WHY", "PATH"), map(_row, gone)))
        print(f"{'would free' if dry_run else 'freed'} {_amount(total)}")
    else:
        print("nothing to free")


def _row(each: Leftover) -> tuple[str, ...]:
    return _amount(each.size), _WORDS[each.kind], literal(each.why), os.fspath(each.path)


def _amount(size: int) -> str:
    """In the largest unit that leaves at least 1."""
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return f"{size / unit:.1f} {name}"
    return f"{size} B"
