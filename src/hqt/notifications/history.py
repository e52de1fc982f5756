"""Where all sessions stood at the last look, so that each transition is told once; kept over restarts."""

import json
import os
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from pathlib import Path

from hqt.notifications.transitions import Notice, Standing, find_notices
from hqt.observe.views import SessionView
from hqt.paths import Places
from hqt.sessions import locks
from hqt.values import as_dict

# none yet, or not as it was written: all is new then
_UNREADABLE = (OSError, ValueError, TypeError, AttributeError, RecursionError)


class History:
    """What one process knows of where sessions stood."""

    def __init__(self, begun: str, file: Path | None = None) -> None:
        """`begun`: as in `noticing.news`; `file`: what an earlier process knew, read at the first look."""
        self._begun: str | None = begun
        self._file = file
        self._standing: Mapping[str, Standing] | None = None

    def news(self, views: Sequence[SessionView], busy: Set[str] = frozenset()) -> tuple[Notice, ...]:
        """What is to be told after this look. Remembered first: a crash tells nothing rather than twice.

        `busy`: as in `noticing.news`.
        """
        if self._standing is None:
            self._standing = {} if self._file is None else _read(self._file)
        found = find_notices(self._standing, views, self._begun, busy)
        if self._file is not None and found.standing != self._standing:
            _write(self._file, found.standing)
        self._standing, self._begun = found.standing, None
        return found.notices


def busy_keys(places: Places, views: Sequence[SessionView]) -> set[str]:
    """The keys of those that ended and are in a command's hands: it may go on with a fresh start."""
    ended = (view.key for view in views if view.state == "exited")
    return {key for key in ended if locks.is_held(places.session(key))}


def _read(file: Path) -> Mapping[str, Standing]:
    try:
        return {key: Standing(**said) for key, said in json.loads(file.read_bytes()).items()}
    except _UNREADABLE:
        return {}


def _write(file: Path, standing: Mapping[str, Standing]) -> None:
    half = file.with_name(f"{file.name}.{os.getpid()}")
    text = json.dumps({key: as_dict(each) for key, each in standing.items()})
    try:
        with os.fdopen(
            os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600), "w"
        ) as new:
            new.write(text)
        half.replace(file)
    except OSError:  # the disk is full, or the folder was removed: this process knows all the same
        for stale in (half, file):  # by what it knew before, the next one would tell once more
            with suppress(OSError):
                stale.unlink(missing_ok=True)
