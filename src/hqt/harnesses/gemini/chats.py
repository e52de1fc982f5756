"""Gemini CLI's conversations, one or more files each: those of a project lie in tmp/NAME/chats."""

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path

from hqt.errors import HarnessError
from hqt.harnesses import transcripts
from hqt.harnesses.base import Found

REGISTRY = "projects.json"  # which project has which name
_MARKER = ".project_root"  # … and of each name, beside its chats, which project
_NAME = re.compile(r"[a-z0-9-]+")
_FILE = re.compile(r"session-.+-([0-9a-f]{8})\.jsonl?")
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_REGISTRY_MAX = 1 << 22
_HEAD_MAX = 1 << 20
_READ_MAX = 500  # the last by name, which begins with the time; a jail may make any number
# what gemini 0.61.0 itself puts among the user's messages, or acts on without asking its model
_NOT_SAID = ("<session_context>", "<hook_context>", "/", "?")


def name_of(project: Path, registry: bytes) -> str:
    """The folder of `project` in gemini's tmp; `registry`: the content of its projects.json.

    Of a project that gemini does not know yet it is one that no other project gets.
    """
    try:
        known = json.loads(registry)["projects"][str(project)]
    except (ValueError, KeyError, TypeError, RecursionError):
        known = None
    if isinstance(known, str) and _NAME.fullmatch(known):
        return known
    base = re.sub("[^a-z0-9]+", "-", project.name.lower()).strip("-") or "project"
    return f"{base[:64]}-{hashlib.sha256(os.fsencode(project)).hexdigest()[:8]}"


def registered(project: Path, registry: bytes) -> bytes:
    """A projects.json that knows this project and no other."""
    return json.dumps({"projects": {str(project): name_of(project, registry)}}).encode()


def folder(gemini: Path, project: Path) -> Path:
    """The folder of `project` as it is on disk now; `gemini`: the folder .gemini."""
    return gemini / "tmp" / name_of(project, transcripts.head(gemini / REGISTRY, _REGISTRY_MAX))


def of_id(chats: Path | None, conversation: str) -> Iterator[Path]:
    """The files of that conversation, whether or not something was said in it; None: there is no folder."""
    for path, header in _files(chats, conversation[:8] if _ID.fullmatch(conversation) else ""):
        if header.get("sessionId") == conversation:
            yield path


def is_resumable(path: Path) -> bool:
    """Whether something was said in it: gemini 0.61.0 neither resumes an empty one nor takes its id."""
    start = transcripts.head(path, _HEAD_MAX)
    return len(start) == _HEAD_MAX or any(map(_is_said, _messages(start)))


def of(chats: Path | None, project: Path) -> Iterator[Found]:
    """The user's conversations in `project` that can be resumed, newest first."""
    own = hashlib.sha256(os.fsencode(project)).hexdigest()
    for path, header in _files(chats, ""):
        conversation, born = header.get("sessionId"), _born(header)
        mine = header.get("projectHash") == own and header.get("kind", "main") == "main"
        if mine and born is not None and _ID.fullmatch(str(conversation)) and is_resumable(path):
            yield Found(conversation=str(conversation), born=born, path=path)


def follow(gemini: Path, conversation: str, old: Path, new: Path) -> None:
    """Copy the conversation to the folder of `new`, which gemini is told whose it is; the old one stays."""
    into = folder(gemini, new)
    for source in of_id(folder(gemini, old) / "chats", conversation):
        try:
            transcripts.duplicate(source, into / "chats")
            with suppress(FileExistsError):
                _mark(into, new)
        except OSError as error:
            raise HarnessError(
                f"{source} can't be copied to {into} ({error.strerror}): copy it there"
            ) from error


def _mark(into: Path, project: Path) -> None:
    descriptor = os.open(into / _MARKER, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with open(descriptor, "wb") as marker:  # noqa: PTH123 - an open descriptor, not a path
        marker.write(os.fsencode(project))


def _files(chats: Path | None, begins: str) -> Iterator[tuple[Path, Mapping[str, object]]]:
    """The files of `chats` with their first lines; `begins`: how the id does."""
    named = ((path, _FILE.fullmatch(path.name)) for path in (transcripts.files(chats) if chats else ()))
    meant = (path for path, match in named if match and match[1].startswith(begins))
    for path in islice(meant, _READ_MAX):
        yield path, _object(transcripts.head(path, _HEAD_MAX).partition(b"\n")[0])


def _messages(start: bytes) -> Iterator[Mapping[str, object]]:
    for line in transcripts.parted(start):
        record = _object(line)
        yield record
        # the whole list anew, as when it was resumed
        anew = record.get("$set")
        listed = anew.get("messages") if isinstance(anew, dict) else None
        yield from (each for each in listed if isinstance(each, dict)) if isinstance(listed, list) else ()


def _is_said(message: Mapping[str, object]) -> bool:
    if message.get("type") == "gemini":
        return bool(message.get("content") or message.get("toolCalls") or message.get("thoughts"))
    text = _text(message.get("content")).strip()
    return message.get("type") == "user" and bool(text) and not text.startswith(_NOT_SAID)


def _text(content: object) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _born(header: Mapping[str, object]) -> float | None:
    try:
        return datetime.fromisoformat(str(header.get("startTime"))).timestamp()
    except (ValueError, OverflowError):
        return None


def _object(text: bytes) -> Mapping[str, object]:
    """The JSON object that `text` is; an empty one where it is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
