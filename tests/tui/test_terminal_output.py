"""A terminal that was closed holds nobody up."""

import os
import pty
from threading import Thread

from textual.drivers._writer_thread import WriterThread

from hqt.tui.app import HqtApp
from hqt.tui.terminal_output import TerminalOutput
from tests.tui.stand import CannedServices

_MORE_THAN_TEXTUALS_QUEUE = 100


def test_what_is_written_to_a_closed_terminal_is_dropped() -> None:
    ours, theirs = pty.openpty()
    os.close(ours)
    with os.fdopen(theirs, "w") as gone:
        driver = object.__new__(
            TerminalOutput
        )  # its constructor takes signals and the terminal of this process
        driver._writer_thread = WriterThread(gone)
        driver._writer_thread.run = lambda: None  # type: ignore[method-assign]  # as one that failed
        driver._writer_thread.start()
        driver._writer_thread.join()
        writing = Thread(target=lambda: _write(driver), daemon=True)
        writing.start()
        writing.join(5)
        assert not writing.is_alive()


def _write(driver: TerminalOutput) -> None:
    for _ in range(_MORE_THAN_TEXTUALS_QUEUE):
        driver.write("x")
    driver.close()


def test_the_screen_is_written_by_it() -> None:
    assert HqtApp(CannedServices()).get_driver_class() is TerminalOutput
