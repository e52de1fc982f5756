"""Codex's conversations on disk: sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl, written by jails too."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path

from hqt.harnesses import transcripts
from hqt.harnesses.base import Elsewhere, Found

_ID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_NAME = re.compile(rf"rollout-.+-({_ID})\.jsonl")
_READ_MAX = 500  # the newest; an older one belongs to a session that has its id already
_FOLDERS_MAX = 31  # of one; the last are the newest
# such as <environment_context>, and the project's instructions (0.171.0)
_NOT_SAID = re.compile(r"\s*(?:<[a-z_]+>|# AGENTS\.md instructions)")
_HEAD_MAX = 1 << 18  # the first line holds codex's whole instructions, 20 KB in 0.171.0


def exists(sessions: Path, conversation: str) -> bool:
    """Whether the rollout of `conversation` is there."""
    return any(match[1] == conversation for _, match in _rollouts(sessions))


def named(sessions: Path, conversation: str, cwd: Path) -> Found | None:
    """The user's conversation of that id, if it is one in `cwd`."""
    path = next((path for path, match in _rollouts(sessions) if match[1] == conversation), None)
    born = _born(transcripts.head(path, _HEAD_MAX), conversation, cwd) if path else None
    return None if path is None or born is None else Found(conversation, born, path)


def of(sessions: Path, cwd: Path) -> Iterator[Found]:
    """The user's conversations in `cwd`, newest day first, of the newest rollouts."""
    for path, match in islice(_rollouts(sessions), _READ_MAX):
        born = _born(transcripts.head(path, _HEAD_MAX), match[1], cwd)
        if born is not None:
            yield Found(conversation=match[1], born=born, path=path)


def told(sessions: Path, cwd: Path) -> Iterator[Elsewhere]:
    """The same, with the first line that a person said in each."""
    for found in of(sessions, cwd):
        lines = transcripts.head(found.path, _HEAD_MAX).splitlines()
        said = next((said for line in lines if (said := _prompt(line))), None)
        yield Elsewhere(found.conversation, found.born, said)


def _rollouts(sessions: Path) -> Iterator[tuple[Path, re.Match[str]]]:
    for year in _numbered(sessions, 4):
        for month in _numbered(year, 2):
            for day in _numbered(month, 2):
                for path in transcripts.files(day):
                    if match := _NAME.fullmatch(path.name):
                        yield path, match


def _numbered(folder: Path, digits: int) -> Iterator[Path]:
    """Those of a year, a month or a day; a jail may make others, in any number and depth."""
    found = (each for each in transcripts.folders(folder) if re.fullmatch(f"[0-9]{{{digits}}}", each.name))
    return islice(found, _FOLDERS_MAX)


def _prompt(line: bytes) -> str | None:
    """The first line of what a person said, if `line` is that: not what codex itself says in their name."""
    try:
        payload = json.loads(line)["payload"]
        mine = payload["type"] == "message" and payload["role"] == "user"
        texts = [block["text"] for block in payload["content"] if "text" in block] if mine else []
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    found = next((text for text in texts if isinstance(text, str)), "")
    return None if _NOT_SAID.match(found) else transcripts.first_line(found) or None


def _born(start: bytes, conversation: str, cwd: Path) -> float | None:
    """When it began, if its first line says that it is that conversation of the user's in `cwd`."""
    try:
        first = json.loads(start.partition(b"\n")[0])
        meta = first["payload"]
        mine = first["type"] == "session_meta" and meta["id"] == conversation and meta["cwd"] == str(cwd)
        # a sub-agent has a rollout of its own; thread_source is missing before 0.17x
        if not mine or meta.get("thread_source", "user") != "user":
            return None
        return datetime.fromisoformat(meta["timestamp"]).timestamp()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        return None
