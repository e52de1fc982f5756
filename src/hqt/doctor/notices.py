"""By which ways a person is told when an agent needs them."""

from collections.abc import Iterator
from pathlib import Path

from hqt import config
from hqt.config_notify import Notify
from hqt.doctor.check import Check, Subject
from hqt.doctor.scene import Scene
from hqt.errors import ConfigError, DatabaseError
from hqt.services import notifiers

_NOTICES = Subject("notices", "notices")


def check(scene: Scene) -> Check:
    if scene.places is None or isinstance(scene.sessions, DatabaseError):
        return _NOTICES.warning("not looked at: a folder or the database can't be used")
    try:
        chosen = config.load(scene.places.config_file).notify
    except ConfigError:
        return _NOTICES.warning("not looked at: config.toml can't be read")
    suspect = [Path(row.project) for row in scene.sessions or () if row.sandbox_json]
    env = scene.caller.env
    own = notifiers.command(chosen.command[0], env, scene.places.config, suspect) if chosen.command else None
    if isinstance(own, str):
        return _NOTICES.warning(own, "see to it, or correct config.toml")
    told = ", ".join(_ways(chosen, scene, suspect)) or "nowhere"
    if chosen.desktop and not notifiers.has_desktop(env):
        return _NOTICES.ok(f"{told}; no desktop is here")
    if chosen.desktop and notifiers.desktop(env, suspect) is None:
        return _NOTICES.missing(f"{told}; not on the desktop", f"install {notifiers.SENDER} (libnotify)")
    return _NOTICES.ok(told)


def _ways(chosen: Notify, scene: Scene, suspect: list[Path]) -> Iterator[str]:
    if chosen.bell:
        yield "the bell of terminals that show hqt"
    sender = notifiers.desktop(scene.caller.env, suspect) if chosen.desktop else None
    if sender is not None:
        yield f"the desktop by {sender}"
    if chosen.command:
        yield f"your {chosen.command[0]}"
