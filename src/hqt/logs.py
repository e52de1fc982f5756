"""The logs of the screen and the watcher: where a crash is told in full, for the person alone."""

import logging
import os
import threading
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from hqt.paths import make_private

log = logging.getLogger("hqt")
_SIZE_MAX = 1_000_000  # and as much again of what came before
_FORMAT = "%(asctime)s %(levelname)s %(message)s"


class _PrivateFile(RotatingFileHandler):
    """0600 whatever the umask, and no link is followed."""

    def _open(self) -> TextIOWrapper:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        return os.fdopen(os.open(self.baseFilename, flags, 0o600), "a", encoding="utf-8", errors=self.errors)


def keep(file: Path, *, debug: bool) -> None:
    """Log into `file` from now on; what a thread of its own fails at goes there too, not over the screen.

    Never in it: prompts, variables, what is on an agent's screen.
    """
    make_private(file.parent)
    handler = _PrivateFile(file, maxBytes=_SIZE_MAX, backupCount=1, errors="backslashreplace")
    handler.setFormatter(logging.Formatter(_FORMAT))
    log.addHandler(handler)
    log.propagate = False
    log.setLevel(logging.DEBUG if debug else logging.INFO)
    threading.excepthook = _told


def _told(failed: threading.ExceptHookArgs) -> None:
    if failed.exc_value is not None:
        log.error("a thread failed", exc_info=failed.exc_value)
