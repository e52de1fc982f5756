"""What a harness's hooks leave in its session's events folder, where a jailed agent may write anything."""

import os
import re
from pathlib import Path
from typing import cast, get_args

from hqt.status.bounded import ends
from hqt.status.detect import Word
from hqt.values import frozen

VARIABLE = "HQT_EVENTS"  # names the folder to the hooks, so that their commands are the same everywhere
FOLDER = "events"  # of a session's private folder: unlike the runtime folder it outlives a reboot
INSIDE = Path("/run/hqt/events")  # where a jail has it
STARTS = "starts"
WORDS = "words"

# /bin/sh and coreutils alone: hqt is not seen in a jail. By name and in one word, as a harness may use the
# user's own shell, such as fish. It takes all that it is told, says nothing, waits for no pipe that an agent
# put there and never fails: a harness may show a hook's errors, or stop at them
STARTED = (
    "/bin/sh -c '{ "
    f'f=${VARIABLE}/{STARTS}; if [ -d "${VARIABLE}" ] && {{ [ -f "$f" ] || ! [ -e "$f" ]; }}; '
    'then { head -c 1024; echo; } >>"$f"; fi; cat >/dev/null; '
    "} 2>/dev/null; exit 0'"
)

_MOST = 32  # reports that are looked at
_AHEAD_S = 2.0  # what is written while a look lasts is a moment ahead of it
# a quote within a JSON string is escaped, so that no path can hold this; what begins with a dash would be an
# option of the command that goes back to it
_REPORT = re.compile(rb'"session_id"\s*:\s*"([0-9A-Za-z][0-9A-Za-z_-]{0,127})"')


@frozen
class Told:
    """The last word of a harness's hooks."""

    word: Word
    at: float  # Unix time; 0.0 where that is still to come, as the clock was set back since
    worked: bool  # a word of work is among the latest


def says(word: Word) -> str:
    """The command of a hook that tells what its harness does now; as STARTED, it never fails or waits."""
    return (
        "/bin/sh -c '{ "
        f'f=${VARIABLE}/{WORDS}; if [ -d "${VARIABLE}" ] && {{ [ -f "$f" ] || ! [ -e "$f" ]; }}; '
        f'then echo {word} >>"$f"; fi; cat >/dev/null; '
        "} 2>/dev/null; exit 0'"
    )


def renew(folder: Path) -> None:
    """Let the folder be there, 0700, and without a word of an earlier life.

    Raises OSError. Only its own name is trusted: what lies in it is what the last jail left.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)  # a jail may have closed it
    for name in (STARTS, WORDS):
        try:
            (folder / name).unlink(missing_ok=True)
        except OSError:  # it was made a folder; what is in it goes with the session
            (folder / name).rename(folder / f"gone-{os.urandom(8).hex()}")


def started(folder: Path) -> tuple[str, ...]:
    """The conversations that the harness says it was in, in the order of its reports.

    Of many the first and the latest. None where the file is anything but a small plain one of the user's own.
    """
    found = _REPORT.findall(_text(folder, STARTS))
    ids = [each.decode() for each in found]
    return tuple(ids if len(ids) <= _MOST else [ids[0], *ids[1 - _MOST :]])


def told(folder: Path, now: float) -> Told | None:
    """The last word that its hooks told, at `now` at the latest; words that are none are passed over.

    One of the future must not be told just now at every look: it would be news, and done again, each time.
    """
    found = ends(folder, WORDS)
    if found is None:
        return None
    lines = (found.head + b"\n" * found.gap + found.tail).decode(errors="replace").splitlines()
    words = [cast(Word, line) for line in lines if line in get_args(Word)]
    if not words:
        return None
    at = min(found.changed_at, now) if found.changed_at <= now + _AHEAD_S else 0.0
    return Told(words[-1], at, worked="working" in words)


def _text(folder: Path, name: str) -> bytes:
    found = ends(folder, name)
    return b"" if found is None else found.head + b"\n" * found.gap + found.tail
