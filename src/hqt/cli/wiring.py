"""What commands are given to work with: places, the backend, a look; the service in `service.py`."""

import os
import sys
from pathlib import Path

from hqt import config, launch
from hqt.backends.tmux.backend import TmuxBackend
from hqt.backends.tmux.settings import TmuxSettings
from hqt.errors import BackendError
from hqt.paths import Places, places
from hqt.sandbox import untrusted
from hqt.services.launches import Caller
from hqt.services.looking import Looker, jailed_projects

# where things are, never what is secret: tmux's server keeps its environment for life
_LOCATIONS = ("HOME", "PATH", "USER", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")


def here() -> Places:
    return places(os.environ, os.geteuid())


def tmux_backend(found: Places, caller: Caller) -> TmuxBackend:
    """The backend of this user's hqt; BackendError where tmux is not installed."""
    tmux = untrusted.program("tmux", caller.env, *jailed_projects(found))
    if tmux is None:
        raise BackendError("tmux is not on PATH: install it with your package manager")
    chosen = config.load(found.config_file)
    settings = TmuxSettings(
        tmux=tmux,
        socket=found.socket,
        runtime=found.runtime,
        server_env={name: caller.env[name] for name in _LOCATIONS if name in caller.env},
        launcher=Path(launch.__file__),
        python=Path(sys.executable),
        detach_key=chosen.detach_key,
        history=chosen.history_lines,
        ended_command=(sys.executable, "-I", "-m", "hqt", "ended"),
    )
    return TmuxBackend(settings)


def looker() -> Looker:
    """A look from a read command; it needs neither the database nor tmux to exist."""
    found = here()
    return Looker(found, tmux_backend(found, Caller.current()))
