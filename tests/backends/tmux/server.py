"""hqt's own server, as a user might ask it."""

import subprocess

from hqt.backends.tmux.settings import TmuxSettings


def tmux(settings: TmuxSettings, *words: str) -> str:
    """Ask the server as a user would."""
    argv = [str(settings.tmux), "-N", "-u", "-S", str(settings.socket), "-f", "/dev/null", *words]
    env = dict(settings.server_env)
    return subprocess.run(argv, env=env, capture_output=True, text=True, check=True).stdout.rstrip("\n")
