"""hqt's folders and config.toml: whether they can be used, or made."""

import os
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path

from hqt import paths
from hqt.config.file import load_config
from hqt.doctor.check import Check, Subject
from hqt.doctor.facts import Facts
from hqt.errors import ConfigError
from hqt.start import caller

_CONFIG_FILE = Subject("config", paths.CONFIG_FILE)


def checks(scene: Facts) -> Iterator[Check]:
    """Each folder by itself; none is made."""
    for kind, found in scene.folders.items():
        subject = Subject(f"folder-{kind}", f"{kind} folder")
        if isinstance(found, ConfigError):
            yield subject.error(found)
        elif kind == "config":
            yield _kept_by_the_user(subject, found)
        else:
            yield _own(subject, found, scene.caller.uid)
    here = scene.places
    if here is not None and here.socket.parent != here.runtime:
        yield _own(Subject("folder-socket", "socket folder"), here.socket.parent, scene.caller.uid)


def config_file(scene: Facts) -> Check:
    folder = scene.folder("config")
    if folder is None:
        return _CONFIG_FILE.warning("not looked at: its folder can't be used")
    file = folder / paths.CONFIG_FILE
    try:
        if scene.places is None:
            load_config(file)
        else:
            caller.with_harnesses(scene.caller, scene.places)
    except ConfigError as error:
        return _CONFIG_FILE.error(error)
    return _CONFIG_FILE.ok(str(file) if file.exists() else "none: the defaults hold")


def _own(subject: Subject, folder: Path, uid: int) -> Check:
    """A folder that hqt makes for itself, as `paths.make_private` wants it."""
    try:
        found = folder.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return _unmade(subject, folder)
    if not stat.S_ISDIR(found.st_mode):
        return subject.failed(f"{folder} is no folder of its own", "move it away")
    if found.st_uid != uid:
        return subject.failed(f"{folder} belongs to another user (uid {found.st_uid})", "move it away")
    return _used(subject, folder, found.st_mode, needs=os.R_OK | os.W_OK | os.X_OK, closed=0o077)


def _kept_by_the_user(subject: Subject, folder: Path) -> Check:
    """hqt only reads here: a link is as good, and others may read it."""
    try:
        found = folder.stat()
    except (FileNotFoundError, NotADirectoryError):
        return subject.ok(f"{folder}, not there")
    return _used(subject, folder, found.st_mode, needs=os.R_OK | os.X_OK, closed=0o022)


def _used(subject: Subject, folder: Path, mode: int, *, needs: int, closed: int) -> Check:
    """`closed`: the bits of the mode that nobody else should have."""
    detail = f"{folder}, yours, mode {stat.S_IMODE(mode):04o}"
    close = f"`chmod 700 {shlex.quote(str(folder))}`"
    if not os.access(folder, needs):
        return subject.failed(
            f"{detail}, can't be used by you", f"{close}, or see whether its disk is writable"
        )
    if mode & closed:
        return subject.warning(f"{detail}, is open to others", close)
    return subject.ok(detail)


def _unmade(subject: Subject, folder: Path) -> Check:
    above = next(path for path in folder.parents if path.exists())
    if above.is_dir() and os.access(above, os.W_OK | os.X_OK):
        return subject.ok(f"{folder}, made when first needed")
    why = "can't be written by you" if above.is_dir() else "is no folder"
    return subject.failed(
        f"{folder} can't be made: {above} {why}", f"make {folder} yourself or see to {above}"
    )
