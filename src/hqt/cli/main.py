"""The command `hqt`: what it is called with, its one place for errors, and how it exits."""

import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from hqt.cli import plain
from hqt.cli.output import say
from hqt.errors import HqtError


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit as it says."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # a locale without a sign that a name holds must not stop the list
        sys.stdout.reconfigure(errors="backslashreplace")
    code = _run(sys.argv[1:] if arguments is None else arguments)
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # the reader of our output is gone; closing it again at exit must not fail either
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(141)
    sys.exit(code)


def _run(words: Sequence[str]) -> int:
    """The one place, beside the screen, where deliberate errors end."""
    try:
        code = plain.run(words)
        if code is not None:
            return code
        from hqt.cli import group  # here: click is half of the start of a command that needs none of it

        return group.run(words)
    except HqtError as error:
        say(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        say("cancelled: nothing more was changed")
        return 130
