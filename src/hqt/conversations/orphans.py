"""Conversations that a harness keeps for a jailed session alone: marked once the session is removed."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from hqt.db.reader import SessionRow
from hqt.errors import HarnessError
from hqt.harnesses.registry import BUILT_IN
from hqt.paths import Places
from hqt.sandbox.files import untrusted
from hqt.start.caller import Caller
from hqt.start.configurator import as_started

_MARK = ".removed"
_MARKED = re.compile(rf"[0-9a-f]{{8}}{re.escape(_MARK)}")


def mark_orphans(row: SessionRow, places: Places, caller: Caller) -> None:
    """Mark what its jails left as nobody's, by another name.

    A key that no session has says too little: it may be a session of another data folder, or of a database
    that was damaged and moved aside.
    """
    with suppress(HarnessError):  # one that config.toml declares no more: it has no such folder
        folder = caller.harnesses.kind(row.harness).keeps_apart(places.home, as_started(row, caller).env)
        if folder is not None:
            with suppress(OSError):  # never jailed; or it can't be renamed and is merely not freed
                (folder / row.key).rename(folder / f"{row.key}{_MARK}")


def orphans(home: Path, env: Mapping[str, str]) -> Iterator[Path]:
    """All that is so marked, where the variables of `env` say that harnesses keep their files."""
    for kind in BUILT_IN.kinds():
        with suppress(HarnessError):  # such a variable leads nowhere: a start would say so
            folder = kind.keeps_apart(home, env)
            if folder is not None:
                yield from (folder / name for name in untrusted.names(folder) if _MARKED.fullmatch(name))
