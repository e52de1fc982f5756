"""What the tmux backend is told once."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class TmuxSettings:
    """Where tmux and the launcher are and how the server is to behave."""

    tmux: Path
    socket: Path
    runtime: Path  # 0700: the configuration and the specs are written here
    server_env: Mapping[str, str]  # of the server for its whole life: locations only, no secrets
    launcher: Path
    python: Path
    detach_key: str = "C-q"
    history: int = 5000  # lines a pane; 630 bytes each, so 3 MB
    terminal: str = "tmux-256color"
    ended_command: tuple[str, ...] = ()  # run when an agent ends, with its session's name as last word

    @property
    def config(self) -> Path:
        return self.runtime / f"{self.socket.name}.conf"
