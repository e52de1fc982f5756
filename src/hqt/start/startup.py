"""Whether what was started lives: the words of the launcher and bwrap first, then the process itself."""

import time
from pathlib import Path
from typing import Literal

from hqt.backends import processes
from hqt.backends.base import Backend, Pane
from hqt.backends.exits import dead_pane
from hqt.start.launch_report import LaunchReport
from hqt.values import frozen

_LOOK_S = 0.01
_LIMIT_S = 15.0  # a program that was not even begun by then never will be
_LINES = 20


@frozen
class Started:
    """`alive` past its start; `ended`: the program ran and ended; `failed`: it never ran, and why."""

    outcome: Literal["alive", "ended", "failed"]
    pane: Pane | None = None
    lines: tuple[str, ...] = ()  # its last ones, where it does not live
    why: str | None = None


def watch_startup(backend: Backend, key: str, status: Path, *, jailed: bool, grace_s: float) -> Started:
    """Wait until the program of `key` runs and stays alive for `grace_s`, or is known not to."""
    pane = backend.panes().of(key)
    if pane is not None and _stays(pane, status, jailed=jailed, grace_s=grace_s):
        return Started("alive", pane)
    return _post_mortem(backend, key, status, jailed=jailed)


def has_begun(words: LaunchReport, *, jailed: bool) -> bool:
    """Whether the program itself ran, and not only what was to start it."""
    return words.reaper is not None if jailed else words.executed and words.failure is None


def _stays(pane: Pane, status: Path, *, jailed: bool, grace_s: float) -> bool:
    limit = time.monotonic() + _LIMIT_S
    begun: float | None = None
    while time.monotonic() < limit:
        if pane.dead or not processes.is_alive(pane.pid):
            return False
        if begun is None and has_begun(LaunchReport.read(status), jailed=jailed):
            begun = time.monotonic()
        if begun is not None and time.monotonic() - begun >= grace_s:
            return True
        time.sleep(_LOOK_S)
    return False


def _post_mortem(backend: Backend, key: str, status: Path, *, jailed: bool) -> Started:
    pane = dead_pane(backend, key)
    lines = tuple(backend.capture(key, lines=_LINES, ansi=False)) if pane else ()
    words = LaunchReport.read(status)
    if pane is not None and pane.dead and _has_run(words, pane, jailed=jailed):
        return Started("ended", pane, lines)
    return Started("failed", pane, lines, words.failure or _last_words(lines))


def _has_run(words: LaunchReport, pane: Pane, *, jailed: bool) -> bool:
    # a jail whose mounts fail has a reaper all the same; a bwrap that was killed can tell no exit code
    stood = not jailed or words.exit_code is not None or pane.signal is not None
    return stood and has_begun(words, jailed=jailed)


def _last_words(lines: tuple[str, ...]) -> str:
    said = [line.strip() for line in lines if line.strip()]
    return said[-1].removeprefix("hqt: ") if said else "it ended without any output"
