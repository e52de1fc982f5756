"""`hqt doctor`: what works here, shown to people and programs."""

import dataclasses
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import click

from hqt.cli.output import print_json
from hqt.doctor.check import Check, Report
from hqt.doctor.examine import examine
from hqt.services.launches import Caller
from hqt.wording import literal

_BLANK = "\0"  # in no text that `literal` made
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
    report = examine(Caller.current(), _current())
    if as_json:
        print_json({"ok": report.ok, "checks": [dataclasses.asdict(check) for check in report.checks]})
    else:
        columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else _UNBROKEN
        print("\n".join(_lines(report, columns)))
    sys.exit(0 if report.ok else 1)


def _current() -> Path | None:
    try:
        return Path(os.getcwd())  # noqa: PTH109 - real, where Path.cwd() says nothing of links
    except FileNotFoundError:  # removed under our feet
        return None


def _lines(report: Report, columns: int) -> Iterator[str]:
    size = max(len(check.label) for check in report.checks)
    for check in report.checks:
        yield from _check_lines(check, size, columns)
    failed = sum(check.state == "failed" for check in report.checks)
    yield "hqt works here" if report.ok else f"hqt can't work here: {failed} of {len(report.checks)} failed"


def _check_lines(check: Check, size: int, columns: int) -> Iterator[str]:
    head = f"{check.state:7}  {check.label:{size}}  "
    yield from _wrapped(head, check.detail, columns)
    if check.remedy is not None:
        yield from _wrapped(" " * len(head) + "-> ", check.remedy, columns)


def _wrapped(head: str, text: str, columns: int) -> list[str]:
    # a command in backquotes stays on one line, so that it can be copied
    kept = re.sub("`[^`]*`", lambda command: command[0].replace(" ", _BLANK), literal(text))
    lines = textwrap.wrap(
        kept,
        width=max(columns, len(head) + 20),
        initial_indent=head,
        subsequent_indent=" " * len(head),
        break_long_words=False,  # so does a path
        break_on_hyphens=False,
    )
    return [line.replace(_BLANK, " ") for line in lines]
