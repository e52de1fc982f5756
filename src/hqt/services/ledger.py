"""Where all sessions stood at the last look, so that each transition is told once; kept over restarts."""

import dataclasses
import json
import os
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from pathlib import Path

from hqt.services.noticing import Notice, Standing, news
from hqt.services.views import SessionView


class Ledger:
    """What one process knows of where sessions stood."""

    def __init__(self, begun: str, file: Path | None = None) -> None:
        """`begun`: as in `noticing.news`; `file`: what an earlier process knew, written by one at a time."""
        self._begun: str | None = begun
        self._file = file
        self._standing: Mapping[str, Standing] = {} if file is None else _read(file)

    def news(self, views: Sequence[SessionView], busy: Set[str] = frozenset()) -> tuple[Notice, ...]:
        """What is to be told after this look. Remembered first: a crash tells nothing rather than twice.

        `busy`: as in `noticing.news`.
        """
        found = news(self._standing, views, self._begun, busy)
        if self._file is not None and found.standing != self._standing:
            _write(self._file, found.standing)
        self._standing, self._begun = found.standing, None
        return found.notices


def _read(file: Path) -> Mapping[str, Standing]:
    try:
        return {key: Standing(**said) for key, said in json.loads(file.read_bytes()).items()}
    except (
        OSError,
        ValueError,
        TypeError,
        AttributeError,
        RecursionError,
    ):  # none yet, or not ours: all is new
        return {}


def _write(file: Path, standing: Mapping[str, Standing]) -> None:
    half = file.with_name(f"{file.name}.{os.getpid()}")
    with suppress(OSError):  # the disk is full, or the folder was removed: this process knows all the same
        half.write_text(json.dumps({key: dataclasses.asdict(each) for key, each in standing.items()}))
        half.replace(file)
