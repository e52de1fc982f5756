"""Where Qwen Code keeps the conversations of a project: projects/SLUG/chats/ID.jsonl; jails write too."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from hqt.errors import HarnessError
from hqt.harnesses import transcripts
from hqt.harnesses.base import Found

_NAME = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl")
_HEAD_MAX = 1 << 20


def slug(project: Path) -> str:
    """The name of the folder that qwen 0.15.10 keeps what belongs to `project` in; it counts UTF-16 units."""
    units = memoryview(str(project).encode("utf-16-le", errors="surrogatepass")).cast("H")
    return "".join(chr(unit) if unit < 128 and chr(unit).isalnum() else "-" for unit in units)


def named(chats: Path, conversation: str) -> Path | None:
    """The file of that conversation, whatever it holds; qwen makes it with the first message."""
    name = f"{conversation}.jsonl"
    path = chats / name
    return path if _NAME.fullmatch(name) and transcripts.is_file(path) else None


def found(path: Path, project: Path) -> Found | None:
    """The conversation in `path`, if its first line says that it was held in `project`.

    qwen resumes no other: two projects may have one slug.
    """
    match, first = _NAME.fullmatch(path.name), _first(path)
    if match is None or first.get("cwd") != str(project):
        return None
    try:
        born = datetime.fromisoformat(str(first.get("timestamp"))).timestamp()
    except (ValueError, OverflowError):
        return None
    return Found(conversation=match[1], born=born, path=path)


def of(chats: Path, project: Path) -> Iterator[Found]:
    """The conversations that were held in `project`."""
    for path in transcripts.files(chats):
        each = found(path, project)
        if each is not None:
            yield each


def follow(source: Path, into: Path, project: Path) -> None:
    """Copy a conversation to the folder `into`, as one that was held in `project`; `source` stays."""
    first = _first(source)
    if not first:
        return
    line = json.dumps({**first, "cwd": str(project)}, separators=(",", ":"), ensure_ascii=False) + "\n"
    try:
        transcripts.duplicate(source, into, first_line=os.fsencode(line))
    except OSError as error:
        raise HarnessError(f"{source} can't be copied to {into} ({error.strerror}): copy it there") from error


def _first(path: Path) -> Mapping[str, object]:
    """The first line; empty where that is no JSON object."""
    try:
        first = json.loads(transcripts.head(path, _HEAD_MAX).partition(b"\n")[0])
    except (ValueError, RecursionError):
        return {}
    return first if isinstance(first, dict) else {}
