"""The end of a demo, however it comes: a signal waits for the running command, tmux ends by its pid."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from hqt.backends.processes import Held, descendants
from hqt.backends.tmux.backend import TmuxBackend

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_GONE_S = 5.0


@dataclass(slots=True)
class Interruption:
    """The last signal that asked for the end, kept until it suits.

    An exception in the middle of a command would leave it running, and with it a tmux server that starts
    only after the clean-up has looked.
    """

    number: int | None = None

    def listen(self) -> None:
        for number in _SIGNALS:
            if signal.getsignal(number) != signal.SIG_IGN:  # as nohup(1) sets it
                signal.signal(number, self._note)

    def leave_if_asked(self) -> None:
        """Raises SystemExit, with the status that a shell gives to the signal."""
        if self.number is not None:
            raise SystemExit(128 + self.number)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self.number = number


@contextmanager
def ended(backend: TmuxBackend) -> Iterator[None]:
    """End the server on leaving, with its agents and what it runs in the background itself."""
    try:
        yield
    finally:
        server = backend.panes().server
        with Held() as held:
            # `hqt ended` is the server's child, in no pane: it would write into a removed folder
            held.add(descendants(server) if server is not None else ())
            backend.shutdown()
            if not held.wait(_GONE_S):
                held.send(signal.SIGKILL)
                held.wait(_GONE_S)
