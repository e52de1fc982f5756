"""Folders to offer for what was typed: those that complete it, then recent projects."""

import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from hqt.tui.cells import plain

_ENTRIES_MAX = 10_000  # of a folder that are looked at
_OFFERS_MAX = 200


class Completion(NamedTuple):
    """How a folder is written in the field."""

    text: str
    meant: Path | None = None  # None: what the text says by itself


def completion_lines(text: str, recent: Sequence[Path], home: Path) -> tuple[Completion, ...]:
    """What `text` may become, each once; nothing is raised, whatever it says."""
    wanted = text.rpartition("/")[2].casefold()
    remembered = (complete(path, home) for path in recent if wanted in path.name.casefold())
    found: dict[str, Completion] = {}
    for each in (*completions(text), *remembered):
        found.setdefault(each.text, each)
    return tuple(found.values())[:_OFFERS_MAX]


def completions(text: str) -> tuple[Completion, ...]:
    """The folders whose path begins with `text`, sorted; hidden ones only where a dot was typed."""
    head, slash, tail = text.rpartition("/")
    if not text or (not slash and text.startswith("~")):
        return ()
    try:
        names = sorted(_names(os.path.expanduser(head + slash) or ".", tail))  # noqa: PTH111 - never raises
    except (OSError, ValueError):  # nothing is there, or it can't be looked into
        return ()
    return tuple(Completion(head + slash + name) for name in names)


def complete(path: Path, home: Path) -> Completion:
    """`path` as the field shows it, its home as ~."""
    short = Path("~", path.relative_to(home)) if path.is_relative_to(home) else path
    return Completion(plain(str(short)), path)


def _names(folder: str, tail: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in islice(entries, _ENTRIES_MAX):
            name = entry.name
            hidden = name.startswith(".") and not tail.startswith(".")
            # what can't be shown as it is can't be typed either
            if name.startswith(tail) and not hidden and name == plain(name) and _is_folder(entry):
                yield name


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link in a circle
        return False
