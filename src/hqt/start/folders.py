"""Folders as a person gives them, on the command line and in the dialog alike."""

import os
from pathlib import Path

from hqt.errors import ServiceError, about


@about("directory")
def folder(text: str) -> Path:
    """The folder as it was given, absolute; links keep their names, but not where `..` would mislead."""
    if "\0" in text:
        raise ServiceError("the folder has a NUL in its name, which none can have: leave it out")
    try:
        path = Path(text).expanduser()
        if ".." in path.parts:
            return path.resolve()
        return Path(os.path.normpath(path if path.is_absolute() else _current() / path))
    except FileNotFoundError as error:
        raise ServiceError("the current folder is gone: change to another or give a whole path") from error
    except RuntimeError as error:
        raise ServiceError(
            f"the folder {text} can't be found: it names no user, or its links lead in a circle"
        ) from error


def current() -> Path | None:
    """The folder in which hqt was started; None: it is gone."""
    try:
        return _current()
    except FileNotFoundError:
        return None


def _current() -> Path:
    """The working folder by the name that the shell knows it by, so that a link stays one."""
    here = Path.cwd()
    named = Path(os.environ.get("PWD", ""))
    is_it = named.is_absolute() and ".." not in named.parts and named.resolve() == here
    return named if is_it else here
