"""A terminal for tests: an outer tmux on a socket of its own, in which an attach runs."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from hqt.backends.base import Attach
from hqt.backends.tmux.commands import chain
from tests.world import World, wait_until


@dataclass(slots=True)
class Terminal:
    world: World

    def tmux(self, *command: str) -> str:
        argv = ["tmux", "-u", "-S", str(self.world.root / "outer"), "-f", "/dev/null", *chain(command)]
        env = {**self.world.env, "TERM": "xterm-256color"}
        done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False, timeout=10)
        return done.stdout.rstrip("\n")

    def run(
        self, window: str, argv: list[str], env: Mapping[str, str], size: tuple[int, int] = (90, 25)
    ) -> None:
        """Run `argv` in a terminal of its own; what it printed stays when it ends."""
        columns, rows = map(str, size)
        shell = 'env -i "$@"; echo "ended $?"; exec cat'
        words = ["sh", "-c", shell, "sh", *(f"{name}={value}" for name, value in env.items()), *argv]
        shape = ("-d", "-s", window, "-x", columns, "-y", rows)
        self.tmux("new-session", *shape, "--", *words)
        self.tmux("set-option", "-t", window, "status", "off")
        self.tmux("set-option", "-g", "prefix", "None")

    def attach(self, window: str, attach: Attach, size: tuple[int, int] = (90, 25)) -> None:
        self.run(window, list(attach.argv), attach.env, size)

    def press(self, window: str, *keys: str) -> None:
        self.tmux("send-keys", "-t", f"={window}:", *keys)

    def resize(self, window: str, columns: int, rows: int) -> None:
        self.tmux("resize-window", "-t", f"={window}:", "-x", str(columns), "-y", str(rows))

    def screen(self, window: str) -> str:
        return self.tmux("capture-pane", "-p", "-t", f"={window}:")

    def shows(self, window: str, text: str) -> bool:
        """Whether `text` appears there soon."""
        return wait_until(lambda: text in self.screen(window))

    def close(self) -> None:
        self.tmux("kill-server")
