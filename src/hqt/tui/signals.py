"""Signals that end hqt: the terminal is given back as it was, which Textual itself does for INT alone."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from hqt.errors import HqtError
from hqt.logs import log
from hqt.tui.app import HqtApp

_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT)


class _Left(HqtError):
    """Ends the wait for a terminal that is lent to a session."""


@contextmanager
def orderly_signals(app: HqtApp, logged: Path) -> Iterator[None]:
    """Let signals end the app instead of the process, with 128 and the signal's number as return code.

    Which one it was is among the app's last words, with the file that it is logged in.
    """

    def leave(number: int, _: FrameType | None) -> None:
        name = signal.Signals(number).name
        log.info("ended by %s", name)
        app.last_words.append(f"ended by {name}; the agents go on, and {logged} tells more")
        app.leave(128 + number)
        if app.is_lent:
            raise _Left(f"hqt was ended by {name}")

    before = {each: signal.signal(each, leave) for each in _SIGNALS}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
