"""The programs that lead a notice out of the terminal: the desktop's, and the user's own."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from hqt.config.notify import Notify
from hqt.sandbox.files import untrusted
from hqt.start.caller import Caller

SENDER = "notify-send"


def are_wanted(chosen: Notify, caller: Caller, suspect: Sequence[Path] = ()) -> bool:
    """Whether a notice has a way that leads out of the terminal."""
    return bool(chosen.command) or (chosen.desktop and desktop(caller.env, suspect) is not None)


def desktop(env: Mapping[str, str], suspect: Sequence[Path] = ()) -> Path | None:
    """notify-send, where it is installed and a desktop is there; never one that lies in `suspect`."""
    return untrusted.program(SENDER, env, *suspect) if has_desktop(env) else None


def has_desktop(env: Mapping[str, str]) -> bool:
    """Whether a message bus of the session takes what notify-send sends."""
    bus = Path(env.get("XDG_RUNTIME_DIR", "/nonexistent"), "bus")  # where GLib looks without the variable
    return bool(env.get("DBUS_SESSION_BUS_ADDRESS")) or bus.exists()


def command(name: str, env: Mapping[str, str], config: Path, suspect: Sequence[Path]) -> Path | str:
    """The user's own program, or the sentence on why there is none.

    A name without a slash is looked up on PATH, others begin in `config`, its folder. None that lies in
    `suspect` is run: an agent in a jail may have written it.
    """
    if "/" not in name:
        found = untrusted.program(name, env, *suspect)
        return found or f"notify.command: {name} is not on PATH, or only in the project of a jail"
    path = _path(name, config)
    if path is None:
        return f"notify.command: {name} is no program that can be run"
    where = next((each for each in suspect if untrusted.lies_in(path, [each])), None)
    return path if where is None else f"notify.command: {name} lies in {where}, the project of a jail"


def _path(name: str, config: Path) -> Path | None:
    try:
        path = config / Path(name).expanduser()
        return path if path.is_file() and os.access(path, os.X_OK) else None
    except (OSError, RuntimeError):  # in a folder that is closed to this user; `~` of one that is not known
        return None
