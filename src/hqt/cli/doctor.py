"""`hqt doctor`: what works here, shown to people and programs."""

import shutil
import sys

import click

from hqt.cli.output import print_json
from hqt.doctor.examine import examine
from hqt.doctor.report import lines
from hqt.start.caller import Caller
from hqt.values import as_dict
from hqt.wiring import current

_UNBROKEN = sys.maxsize  # for a reader that is no terminal: a line stays one line


@click.command(
    epilog="\b\nExamples:\n  hqt doctor\n  hqt doctor --json | jq '.checks[] | select(.state != \"ok\")'"
)
@click.option("--json", "as_json", is_flag=True, help="An object: ok, and checks with state and remedy.")
def doctor(*, as_json: bool) -> None:
    """Check what works here, with remedies.

    A jail, git and agents can be missing: exits with 1 only where something failed without which hqt
    itself can't work.
    """
    report = examine(Caller.current(), current())
    if as_json:
        print_json({"ok": report.ok, "checks": [as_dict(check) for check in report.checks]})
    else:
        columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else _UNBROKEN
        print("\n".join(lines(report, columns)))
    sys.exit(0 if report.ok else 1)
