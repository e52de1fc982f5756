"""What single columns hold, as the writing and the reading side both know it."""

import json
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Literal

Phase = Literal["starting", "running", "stopped", "exited"]
ConversationSource = Literal["minted", "hook", "discovered", "adopted"]


def new_key() -> str:
    """8 random hex digits: they name a tmux session and folders, and are never used again."""
    return os.urandom(4).hex()


def stamp(moment: datetime) -> str:
    """An aware `moment` as the columns hold times: `2026-06-10T12:00:00Z`, which also sorts as text."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def dump_words(words: Iterable[str]) -> str:
    """A JSON array; ASCII only, so that words from a command line that is not UTF-8 can be stored too."""
    return json.dumps(list(words))


def load_words(text: str) -> tuple[str, ...]:
    """The words of a JSON array; ValueError where it is anything but a list of texts."""
    try:
        found = json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(found, list) or not all(isinstance(word, str) for word in found):
        raise ValueError("no list of texts")
    return tuple(found)
