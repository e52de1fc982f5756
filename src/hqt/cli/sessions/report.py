"""What a start prints: the session, or how it ended."""

import os
import shutil

from click.exceptions import Exit

from hqt.backends.base import Size
from hqt.cli.output import print_json, say, say_lines, session_json
from hqt.formatting import exit_word, state_words
from hqt.observe.views import Outcome, SessionView

LAST_LINES = 20


def report(outcome: Outcome, *, as_json: bool) -> None:
    """Print the session; one that already ended is a failure, with its last words."""
    for note in outcome.notes:
        say(f"note: {note}")
    view = outcome.view
    if as_json:
        print_json(session_json(view))
    else:
        print(f"{view.id} {view.name}: {state_words(view)}")
    if not view.is_alive:
        say_end(view, outcome.lines)
        raise Exit(1)


def say_end(view: SessionView, lines: tuple[str, ...] | list[str]) -> None:
    how = f" ({exit_word(view.exit)})" if view.exit else ""
    say(f"session {view.id} {view.name} {view.state}{how}, its last lines: `hqt show {view.id}`")
    say_lines(line for line in lines[-LAST_LINES:] if line.strip())


def size() -> Size:
    """This terminal's size; without one a common large one."""
    if not os.isatty(1):
        return Size(columns=120, rows=40)
    columns, rows = shutil.get_terminal_size((120, 40))
    return Size(columns=columns, rows=rows)
