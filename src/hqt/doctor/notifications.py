"""By which ways a person is told when an agent needs them."""

from collections.abc import Iterator
from pathlib import Path

from hqt.config.file import load_config
from hqt.config.notify import Notify
from hqt.doctor.check import Check, Subject
from hqt.doctor.facts import Facts
from hqt.errors import ConfigError, DatabaseError
from hqt.notifications import programs

_NOTICES = Subject("notices", "notices")


def check(scene: Facts) -> Check:
    if scene.places is None or isinstance(scene.sessions, DatabaseError):
        return _NOTICES.warning("not looked at: a folder or the database can't be used")
    try:
        chosen = load_config(scene.places.config_file).notify
    except ConfigError:
        return _NOTICES.warning("not looked at: config.toml can't be read")
    suspect = [Path(row.project) for row in scene.sessions or () if row.sandbox_json]
    env = scene.caller.env
    own = programs.command(chosen.command[0], env, scene.places.config, suspect) if chosen.command else None
    if isinstance(own, str):
        return _NOTICES.warning(own, "see to it, or correct config.toml")
    told = ", ".join(_ways(chosen, scene, suspect)) or "nowhere"
    if chosen.desktop and not programs.has_desktop(env):
        return _NOTICES.ok(f"{told}; no desktop is here")
    if chosen.desktop and programs.desktop(env, suspect) is None:
        return _NOTICES.missing(f"{told}; not on the desktop", f"install {programs.SENDER} (libnotify)")
    return _NOTICES.ok(told)


def _ways(chosen: Notify, scene: Facts, suspect: list[Path]) -> Iterator[str]:
    if chosen.bell:
        yield "the bell of terminals that show hqt"
    sender = programs.desktop(scene.caller.env, suspect) if chosen.desktop else None
    if sender is not None:
        yield f"the desktop by {sender}"
    if chosen.command:
        yield f"your {chosen.command[0]}"
