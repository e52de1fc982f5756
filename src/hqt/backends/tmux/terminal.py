"""The terminal that attaches: whether tmux can drive it, and what it can do."""

import subprocess
from collections.abc import Mapping

FALLBACK = "xterm-256color"


def environment(env: Mapping[str, str]) -> tuple[dict[str, str], str | None]:
    """`env` for a client of tmux, with a note where its terminal type is not known and another is used."""
    term = env.get("TERM", "")
    if is_known(term, env):
        return dict(env), None
    note = f"the terminal type {term!r} is not known here: {FALLBACK} is used in its place"
    return {**env, "TERM": FALLBACK}, note


def is_known(term: str, env: Mapping[str, str]) -> bool:
    """Whether terminfo describes `term` well enough for tmux, which must be able to clear it.

    Asked of tput, not of `curses`: that answers once for a process and from that process's environment.
    """
    try:
        asked = subprocess.run(["tput", "-T", term, "clear"], env=dict(env), capture_output=True, check=False)
    except OSError:  # no tput: tmux itself will say what it misses
        return True
    return asked.returncode == 0


def features(env: Mapping[str, str]) -> str | None:
    """tmux's `-T` for this terminal: colours in 24 bits only where it says that it has them."""
    return "RGB" if env.get("COLORTERM") in ("truecolor", "24bit") else None
