"""What both faces are given to work with: places, the backend, a look, the service."""

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hqt import launch
from hqt.backends.tmux.backend import TmuxBackend
from hqt.backends.tmux.settings import TmuxSettings
from hqt.config.file import load_config
from hqt.db import reader
from hqt.errors import BackendError
from hqt.observe.look import Looker, jailed_projects
from hqt.paths import Places, places
from hqt.sandbox.files import untrusted
from hqt.start.caller import Caller, current_caller

if TYPE_CHECKING:
    from hqt.sessions.service import SessionService

# where things are, never what is secret: tmux's server keeps its environment for life
_LOCATIONS = ("HOME", "PATH", "USER", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")


def here() -> Places:
    return places(os.environ, os.geteuid())


def current() -> Path | None:
    """The folder in which hqt was started."""
    try:
        return Path(os.getcwd())  # noqa: PTH109 - real, where Path.cwd() says nothing of links
    except FileNotFoundError:  # removed under our feet
        return None


def tmux_backend(found: Places, caller: Caller) -> TmuxBackend:
    """The backend of this user's hqt; BackendError where tmux is not installed."""
    return TmuxBackend(tmux_settings(found, caller))


def tmux_settings(found: Places, caller: Caller) -> TmuxSettings:
    """How this user's tmux is called and set up; BackendError where it is not installed."""
    suspect = jailed_projects(found)
    tmux = untrusted.program("tmux", caller.env, *suspect)
    if tmux is None:
        raise BackendError("tmux is not on PATH: install it with your package manager")
    chosen = load_config(found.config_file)
    return TmuxSettings(
        tmux=tmux,
        socket=found.socket,
        runtime=found.runtime,
        server_env={name: caller.env[name] for name in _LOCATIONS if name in caller.env},
        launcher=Path(launch.__file__),
        python=Path(sys.executable),
        detach_key=chosen.detach_key,
        next_key=chosen.next_key,
        history=chosen.history_lines,
        ended_command=(sys.executable, "-I", "-m", "hqt", "ended"),
        next_command=(sys.executable, "-I", "-m", "hqt", "next"),
        user_file=chosen.tmux_file,
        suspect=suspect,
    )


def looker() -> Looker:
    """A look at every session; it needs neither the database nor tmux to exist."""
    found = here()
    asking = current_caller(found)
    return Looker(found, asking, tmux_backend(found, asking), patient=True)


def open_service(tell: Callable[[str], None]) -> "SessionService":
    """This user's service; what crashes and reboots left is put in order, what was lost is told."""
    # here: SQLAlchemy takes 0.4 s, which read commands and the first list on the screen need not pay
    from hqt.db.engine import open_database
    from hqt.sessions.service import SessionService

    found = here()
    asking = current_caller(found)
    database = open_database(found)
    if database.moved_aside is not None:
        tell(f"the database was damaged and is moved to {database.moved_aside}: hqt starts with an empty one")
    summon = partial(_summon, found, asking)
    service = SessionService(found, asking, tmux_backend(found, asking), database, summon)
    service.heal()
    if any(row.ended_at is None for row in reader.rows(found)):
        summon()  # for those that live; the last one may have been killed
    return service


def _summon(found: Places, asking: Caller) -> None:
    """Let the watcher run where config.toml wants notices that a terminal can't give."""
    # here: a look needs none of it
    from hqt.notifications import programs
    from hqt.notifications.spawn_watcher import spawn_watcher

    if programs.are_wanted(load_config(found.config_file).notify, asking, jailed_projects(found)):
        spawn_watcher(found, asking)
