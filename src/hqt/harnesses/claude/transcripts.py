"""Where Claude Code keeps its transcripts, and how one is found from another folder."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from hqt.errors import HarnessError
from hqt.harnesses import transcripts
from hqt.harnesses.base import Elsewhere, Found

_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z-]*")  # never an option
_SLUG_MAX = 200
_HEAD_MAX = 1 << 20
_READ_MAX = 100
_TRANSCRIPT = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl")
_NOT_SAID = re.compile(r"\s*<(?:command|local-command|bash|system)-[a-z-]+>")  # of 2.1.197
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def is_id(conversation: str) -> bool:
    """Whether it has the form of claude's own ids: of any other text claude makes an option or a search."""
    return _TRANSCRIPT.fullmatch(f"{conversation}.jsonl") is not None


def found(projects: Path, conversation: str) -> Iterator[Path]:
    """The transcripts of `conversation` in all folders of `projects`: a moved one is in two."""
    if _ID.fullmatch(conversation):
        paths = (folder / f"{conversation}.jsonl" for folder in transcripts.folders(projects))
        yield from filter(transcripts.is_file, paths)


def named(projects: Path, conversation: str, cwd: Path) -> Found | None:
    """The conversation of that id, if its transcript says that it began in `cwd` and has a message."""
    for path in found(projects, conversation):
        if path.parent.name == slug(cwd):
            lines = transcripts.parted(transcripts.head(path, _HEAD_MAX))
            born = next(
                (born for line in lines if (born := _born(line, conversation, cwd)) is not None), None
            )
            return None if born is None else Found(conversation, born, path)
    return None


def of(projects: Path, cwd: Path) -> Iterator[Elsewhere]:
    """The conversations that began in `cwd` and have a message, of the transcripts that changed last."""
    for path in transcripts.newest(projects / slug(cwd), _READ_MAX):
        # a jail may have named the file: what is no id could be an option
        if not _TRANSCRIPT.fullmatch(path.name):
            continue
        lines = transcripts.parted(transcripts.head(path, _HEAD_MAX))
        born = next((born for line in lines if (born := _born(line, path.stem, cwd)) is not None), None)
        if born is not None:
            yield Elsewhere(path.stem, born, next((said for line in lines if (said := _prompt(line))), None))


def is_resumable(transcript: Path) -> bool:
    """Whether something was said in it: claude 2.1.197 refuses to resume one that holds no message."""
    start = transcripts.head(transcript, _HEAD_MAX)
    return len(start) == _HEAD_MAX or b'"type":"user"' in start


def follow(projects: Path, conversation: str, old: Path, new: Path) -> None:
    """Copy the transcript to where claude looks from `new`; the one of `old` stays.

    claude 2.1.197 resumes only what lies under the slug of its folder: "No conversation found".
    """
    usual = projects / slug(old) / f"{conversation}.jsonl"
    source = usual if transcripts.is_file(usual) else next(found(projects, conversation), None)
    if source is None:
        return
    into = projects / slug(new)
    try:
        transcripts.duplicate(source, into)
    except OSError as error:
        raise HarnessError(f"{source} can't be copied to {into} ({error.strerror}): copy it there") from error


def slug(folder: Path) -> str:
    """The name of the folder that claude 2.1.197 keeps the transcripts of `folder` in.

    It counts and hashes UTF-16 units; a name over 200 is cut and gets the hash, in base 36.
    """
    units = memoryview(str(folder).encode("utf-16-le", errors="surrogatepass")).cast("H")
    name = "".join(chr(unit) if unit < 128 and chr(unit).isalnum() else "-" for unit in units)
    if len(name) <= _SLUG_MAX:
        return name
    hashed = 0
    for unit in units:
        hashed = (hashed * 31 + unit) & 0xFFFFFFFF
    signed = hashed - (1 << 32) if hashed >> 31 else hashed
    return f"{name[:_SLUG_MAX]}-{_base36(abs(signed))}"


def _born(line: bytes, conversation: str, cwd: Path) -> float | None:
    """When its first message was written, if `line` is that."""
    try:
        said = json.loads(line)
        mine = said["type"] == "user" and said["sessionId"] == conversation and said["cwd"] == str(cwd)
        return datetime.fromisoformat(said["timestamp"]).timestamp() if mine else None
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
        return None


def _prompt(line: bytes) -> str | None:
    """The first line of what a person said, if `line` is that: not what a command or claude itself added."""
    try:
        said = json.loads(line)
        content = said["message"]["content"] if said["type"] == "user" and not said.get("isMeta") else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    blocks = content if isinstance(content, list) else [{"text": content}]
    texts = (block.get("text") for block in blocks if isinstance(block, dict))
    found = next((text for text in texts if isinstance(text, str)), "")
    return None if _NOT_SAID.match(found) else transcripts.first_line(found) or None


def _base36(number: int) -> str:
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits
