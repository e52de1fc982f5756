"""Sessions that are to be deleted in a moment: until then nothing of them is stopped or removed."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from math import ceil

from hqt.values import frozen, replace

UNDO_S = 10


@frozen
class _Deletion:
    keys: frozenset[str]
    at: datetime


class PendingDeletions:
    """What was asked for together is undone together, the last first."""

    def __init__(self) -> None:
        self._waiting: list[_Deletion] = []

    def add(self, keys: Iterable[str], now: datetime) -> None:
        self._waiting.append(_Deletion(frozenset(keys), now + timedelta(seconds=UNDO_S)))

    def undo(self) -> frozenset[str]:
        """Keep what was asked for last; empty where nothing waits."""
        return self._waiting.pop().keys if self._waiting else frozenset()

    def keep(self, keys: Iterable[str]) -> None:
        """Keep these after all, as one that is entered."""
        kept = frozenset(keys)
        self._waiting = [replace(each, keys=each.keys - kept) for each in self._waiting if each.keys - kept]

    def take_due(self, now: datetime | None) -> frozenset[str]:
        """Those whose time has come, which wait no longer; with None all of them."""
        due = [each for each in self._waiting if now is None or each.at <= now]
        self._waiting = [each for each in self._waiting if each not in due]
        return frozenset().union(*(each.keys for each in due))

    def words(self, now: datetime) -> Mapping[str, str]:
        """What their rows say, by key."""
        return {
            key: f"deleted in {max(0, ceil((each.at - now).total_seconds()))} s · u to undo"
            for each in self._waiting
            for key in each.keys
        }
