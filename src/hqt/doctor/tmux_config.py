"""The user's own file for hqt's tmux: whether it may be read, and what tmux can't parse in it."""

from pathlib import Path

from hqt.backends.tmux import userfile
from hqt.config.file import load_config
from hqt.doctor.check import Check, Subject
from hqt.doctor.facts import Facts
from hqt.errors import ConfigError, DatabaseError

_FILE = Subject("tmux-config", "tmux config")


def tmux_config(scene: Facts) -> Check:
    if scene.places is None or scene.tmux is None or isinstance(scene.sessions, DatabaseError):
        return _FILE.warning("not looked at: tmux, a folder or the database can't be used")
    try:
        path = load_config(scene.places.config_file).tmux_file
    except ConfigError:
        return _FILE.warning("not looked at: config.toml can't be read")
    if path is None:
        return _FILE.ok("none of yours: the defaults hold")
    try:
        userfile.judge(path, {Path(row.project) for row in scene.sessions or () if row.sandbox_json})
    except ConfigError as error:
        return _FILE.error(error)
    said = userfile.complaint(scene.tmux, path)
    if said is not None:
        return _FILE.warning(f"tmux can't read all of {path}: {said}", "correct that line")
    return _FILE.ok(f"{path}, yours")
