"""Claude Code's list of running agents: sessions/PID.json in its folder, which a jailed agent may write."""

import json
import os
import re
import time
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from hqt.status import bounded
from hqt.status.detect import Sign, Word

_NAME = re.compile(r"([0-9]{1,10})\.json")
_ENTRIES_MAX = 64  # of a folder that a jailed agent may fill
_SHARED_MAX = 4096  # of the user's own, where those that were killed stay
_REASON_MAX = 80
_EARLY_S = 0.1
# 2.1.197; `shell`: it waits for a prompt while a command runs in the background
_WORDS: Mapping[object, Word] = {"busy": "working", "waiting": "waiting", "idle": "idle", "shell": "idle"}


def of_pid(folder: Path, pid: int, now: float) -> Sign | None:
    """What stands there under `pid`, or under a child of it, where a script starts the program."""
    own = _sign(folder, pid, pid, now)
    if own is not None:
        return own
    child = next((each for each in sorted(_numbers(folder)) if _parent(each) == pid), None)
    return None if child is None else _sign(folder, child, child, now)


def alone(folder: Path, pid: int, now: float) -> Sign | None:
    """What stands in the folder of one jailed session; `pid`: of its pane, whose jail numbers anew.

    Of many it is the least, as an agent may start others of its kind.
    """
    first = min(_numbers(folder), default=None)
    return None if first is None else _sign(folder, first, pid, now)


def holder(folder: Path, conversation: str, now: float) -> int | None:
    """The process that lives and says there that it has `conversation` open; None: no one says so."""
    for number in sorted(_numbers(folder, _SHARED_MAX)):
        born = _born(number, now)
        found = None if born is None else bounded.ends(folder, f"{number}.json")
        if born is None or found is None or found.gap:
            continue
        said = _parsed(found.head + found.tail)
        # one that was killed leaves its file, and another may have got its number
        if said.get("sessionId") == conversation and found.changed_at >= born:
            return number
    return None


def _numbers(folder: Path, most: int = _ENTRIES_MAX) -> list[int]:
    try:
        with os.scandir(folder) as found:
            names = (_NAME.fullmatch(entry.name) for entry in islice(found, most))
            return [int(match[1]) for match in names if match]
    except OSError:
        return []


def _sign(folder: Path, number: int, pid: int, now: float) -> Sign | None:
    """What stands under `number`, if it is of the life of the process `pid`."""
    found, born = bounded.ends(folder, f"{number}.json"), _born(pid, now)
    if found is None or found.gap or born is None:
        return None
    said = _parsed(found.head + found.tail)
    word, at = _WORDS.get(_text(said.get("status"))), said.get("statusUpdatedAt")
    if word is None or not isinstance(at, int) or isinstance(at, bool):
        return None
    moment = max(0, min(at, int(now * 1000))) / 1000  # a whole number of JSON has any size
    # one that was killed leaves its file, and another may get its number
    return Sign("registry", word, moment, _reason(said, word)) if moment >= born else None


def _parsed(text: bytes) -> Mapping[str, object]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _reason(said: Mapping[str, object], word: Word) -> str | None:
    return (_text(said.get("waitingFor")) or "")[:_REASON_MAX] or None if word == "waiting" else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _born(pid: int, now: float) -> float | None:
    """When the process began, in Unix time, a moment early rather than late; None where it is gone."""
    ticks = _stat(pid, 22)  # since the boot
    if ticks is None:
        return None
    booted = now - time.clock_gettime(time.CLOCK_BOOTTIME)
    return booted + ticks / os.sysconf("SC_CLK_TCK") - _EARLY_S


def _parent(pid: int) -> int | None:
    return _stat(pid, 4)


def _stat(pid: int, field: int) -> int | None:
    """A field of the process, numbered as proc(5) does; the second, its name, may hold anything."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[field - 3])
    except (OSError, ValueError, IndexError):
        return None
