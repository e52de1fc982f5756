"""What several checks stand on, looked at once."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import get_args

from hqt import launch, paths
from hqt.backends.base import Panes
from hqt.backends.tmux.backend import TmuxBackend
from hqt.backends.tmux.settings import TmuxSettings
from hqt.db import reader
from hqt.errors import BackendError, ConfigError, DatabaseError
from hqt.paths import Kind, Places
from hqt.sandbox.files import untrusted
from hqt.start.caller import Caller, with_harnesses
from hqt.values import frozen


@frozen
class Facts:
    """None or an error where it can't be had; the check of that thing says so."""

    caller: Caller
    folders: Mapping[Kind, Path | ConfigError]
    places: Places | None
    tmux: Path | None
    panes: Panes | BackendError | None
    sessions: Sequence[reader.SessionRow] | DatabaseError | None

    def folder(self, kind: Kind) -> Path | None:
        found = self.folders[kind]
        return found if isinstance(found, Path) else None


def look(caller: Caller, suspect: Sequence[Path] = ()) -> Facts:
    """`suspect`: folders of which no program is run."""
    tmux = untrusted.program("tmux", caller.env, *suspect)
    folders = {kind: _judged(kind, caller) for kind in get_args(Kind)}
    try:
        places = paths.places(caller.env, caller.uid)
    except ConfigError:  # of a folder, and so among `folders`
        return Facts(caller, folders, None, tmux, None, None)
    with suppress(ConfigError):  # the check of config.toml says so
        caller = with_harnesses(caller, places)
    # panes before rows: a session's row is there before its pane
    panes = _seen(places, tmux, caller) if tmux else None
    return Facts(caller, folders, places, tmux, panes, _rows(places))


def _judged(kind: Kind, caller: Caller) -> Path | ConfigError:
    try:
        return paths.folder(kind, caller.env, caller.uid)
    except ConfigError as error:
        return error


def _seen(places: Places, tmux: Path, caller: Caller) -> Panes | BackendError:
    # not the backend of the other commands: that one needs a config.toml that can be read
    settings = TmuxSettings(
        tmux=tmux,
        socket=places.socket,
        runtime=places.runtime,
        server_env={name: caller.env[name] for name in ("HOME", "PATH") if name in caller.env},
        launcher=Path(launch.__file__),
        python=Path(sys.executable),
    )
    try:
        return TmuxBackend(settings).panes()
    except BackendError as error:
        return error


def _rows(places: Places) -> Sequence[reader.SessionRow] | DatabaseError:
    try:
        return reader.rows(places)
    except DatabaseError as error:
        return error
