"""pi's conversations on disk: one folder for each project, one file for each conversation."""

import json
import os
import re
import zlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from hqt.errors import HarnessError
from hqt.harnesses import transcripts
from hqt.harnesses.base import Found

_ID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
# what pi names by itself begins with the time
_NAME = re.compile(rf".+_({_ID})\.jsonl")
_HEAD_MAX = 1 << 16
_NAME_MAX = 255  # bytes of a file's name (NAME_MAX in limits.h)


def slug(folder: Path) -> str:
    """The name of the folder that pi 0.73.1 keeps the conversations of `folder` in.

    One that is too long for a file's name, with which pi itself fails, is cut and gets a checksum.
    """
    name = "--" + re.sub(r"[/\\:]", "-", re.sub(r"^[/\\]", "", str(folder))) + "--"
    raw = os.fsencode(name)
    if len(raw) <= _NAME_MAX:
        return name
    return f"{raw[:200].decode(errors='ignore')}-{zlib.crc32(raw):08x}--"


def file_name(conversation: str) -> str:
    """The file of a conversation whose id hqt gives."""
    return f"hqt_{conversation}.jsonl"


def named(folder: Path, conversation: str) -> Path | None:
    """The file of `conversation`, whatever it holds."""
    return next((path for path, found in _files(folder) if found == conversation), None)


def of(folder: Path, cwd: Path) -> Iterator[Found]:
    """The conversations of `folder` that say they were held in `cwd`, last name first."""
    for path, conversation in _files(folder):
        born = _born(transcripts.head(path, _HEAD_MAX), cwd)
        if born is not None:
            yield Found(conversation=conversation, born=born, path=path)


def follow(source: Path, into: Path, cwd: Path) -> None:
    """Copy a conversation to the folder `into`, as one that was held in `cwd`; `source` stays.

    pi goes to work in the folder that the first line names, or asks where that is gone.
    """
    first = _header(transcripts.head(source, _HEAD_MAX))
    if first is None:
        return
    line = json.dumps({**first, "cwd": str(cwd)}, separators=(",", ":"), ensure_ascii=False) + "\n"
    try:
        transcripts.duplicate(source, into, first_line=os.fsencode(line))
    except OSError as error:
        raise HarnessError(f"{source} can't be copied to {into} ({error.strerror}): copy it there") from error


def _files(folder: Path) -> Iterator[tuple[Path, str]]:
    for path in transcripts.files(folder):
        if match := _NAME.fullmatch(path.name):
            yield path, match[1]


def _header(start: bytes) -> dict[str, object] | None:
    """The first line, if it is that of a conversation."""
    try:
        first = json.loads(start.partition(b"\n")[0])
    except (ValueError, RecursionError):
        return None
    return first if isinstance(first, dict) and first.get("type") == "session" else None


def _born(start: bytes, cwd: Path) -> float | None:
    """When it began, if it was in `cwd`."""
    first = _header(start)
    if first is None or first.get("cwd") != str(cwd):
        return None
    try:
        return datetime.fromisoformat(str(first.get("timestamp"))).timestamp()
    except (ValueError, OverflowError):
        return None
