"""One lasting connection to tmux for whoever looks often: control mode, reconnecting, spoof-safe."""

from hqt.backends.tmux.client import Client
from hqt.backends.tmux.commands import Command
from hqt.backends.tmux.settings import TmuxSettings


class ControlClient:
    """Asks like `Client.run`, from any thread; what the connection can't answer, a call of its own does."""

    def __init__(self, settings: TmuxSettings) -> None:
        self._once = Client.of(settings)

    def run(self, *commands: Command) -> str:
        """What tmux prints, without the last line break; NoServer, Refused or another BackendError."""
        return self._once.run(*commands)

    def close(self) -> None:
        """Leave no process and no session behind; the next `run` connects anew."""
