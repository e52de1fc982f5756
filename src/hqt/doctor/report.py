"""A report as lines for people."""

import re
import textwrap
from collections.abc import Iterator

from hqt.doctor.check import Check, Report
from hqt.formatting import literal

_BLANK = "\0"  # in no text that `literal` made


def lines(report: Report, columns: int) -> Iterator[str]:
    """A line a check and its remedy below; wider than `columns` only where a path or a command is."""
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
