"""What the tmux backend is told once."""

from collections.abc import Mapping
from pathlib import Path

from hqt.values import frozen


@frozen
class TmuxSettings:
    """Where tmux and the launcher are and how the server is to behave."""

    tmux: Path
    socket: Path
    runtime: Path  # 0700: the configuration and the specs are written here
    server_env: Mapping[str, str]  # of the server for its whole life: locations only, no secrets
    launcher: Path
    python: Path
    detach_key: str = "C-q"
    next_key: str | None = None  # goes on to the next session that needs its human
    history: int = 5000  # lines a pane; 630 bytes each, so 3 MB
    terminal: str = "tmux-256color"
    ended_command: tuple[str, ...] = ()  # run when an agent ends, with its session's name as last word
    next_command: tuple[str, ...] = ()  # run by the next key, with the client's and the session's name
    user_file: Path | None = None  # the user's own commands for the inside
    suspect: tuple[Path, ...] = ()  # where agents in jails may write: nothing there is run

    @property
    def config(self) -> Path:
        return self.runtime / f"{self.socket.name}.conf"

    @property
    def held(self) -> Path:
        """The part of the configuration that stands against the user's file."""
        return self.runtime / f"{self.socket.name}.held.conf"
