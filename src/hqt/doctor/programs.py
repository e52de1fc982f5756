"""Python, tmux and git: whether they are there and new enough."""

import platform
import subprocess
import sys
from pathlib import Path

from hqt.backends.tmux import parse
from hqt.backends.tmux.client import OLDEST
from hqt.doctor.check import Check, Subject

_PYTHON, _TMUX, _GIT = Subject("python", "Python"), Subject("tmux", "tmux"), Subject("git", "git")
_OLDEST_PYTHON = (3, 11)
_WHOLE_TMUX = (3, 3)  # has every option that hqt sets (tmux's CHANGES, 3.2a to 3.3)
_LIMIT_S = 5
_INSTALL = "install {} with your package manager"


def python() -> Check:
    found = f"{platform.python_version()}, {sys.executable}"
    if sys.version_info < _OLDEST_PYTHON:
        return _PYTHON.failed(f"{found} is too old", "install Python 3.11 or newer")
    return _PYTHON.ok(found)


def tmux(found: Path | None) -> Check:
    if found is None:
        return _TMUX.failed("tmux is not on PATH", _INSTALL.format("tmux 3.2 or newer"))
    said = _first_line(found, "-V")
    if said is None:
        return _TMUX.failed(f"{found} does not tell its version", _INSTALL.format("tmux again"))
    detail, number = f"{said.removeprefix('tmux ')}, {found}", parse.version(said)
    if number is not None and number < OLDEST:
        return _TMUX.failed(f"{detail}, is too old", _INSTALL.format("tmux 3.2 or newer"))
    if number is not None and number < _WHOLE_TMUX:
        lacks = "agents' escape codes can pass to your terminal, and its own line stands on an ended screen"
        return _TMUX.warning(f"{detail}: {lacks}", _INSTALL.format("tmux 3.3 or newer"))
    return _TMUX.ok(detail)


def git(found: Path | None) -> Check:
    if found is None:
        return _GIT.missing("git is not on PATH", _INSTALL.format("git"))
    said = _first_line(found, "--version")
    if said is None:
        return _GIT.warning(f"{found} does not tell its version", _INSTALL.format("git again"))
    return _GIT.ok(f"{said.removeprefix('git version ')}, {found}")


def _first_line(program: Path, question: str) -> str | None:
    """What it answers, or None where it does not."""
    try:
        said = subprocess.run(
            [program, question],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            cwd="/",
            encoding="utf-8",
            errors="replace",
            timeout=_LIMIT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    both = said.stdout.strip() or said.stderr.strip()  # some builds say it on standard error
    return both.partition("\n")[0] or None if said.returncode == 0 else None
