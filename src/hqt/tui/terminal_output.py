"""What the screen is written to, which may be gone."""

from textual.drivers.linux_driver import LinuxDriver


class TerminalOutput(LinuxDriver):
    """A terminal that was closed takes no more, and nobody waits for it.

    Textual 8.2.8 writes in a thread, which such a terminal ends; its queue holds 30 texts, and who puts in
    the next one would wait for ever: a screen that outlives its terminal.
    """

    def write(self, data: str) -> None:
        thread = self._writer_thread
        if thread is not None and thread.is_alive():
            super().write(data)

    def close(self) -> None:
        thread = self._writer_thread
        if thread is not None and not thread.is_alive():
            self._writer_thread = None
        super().close()
