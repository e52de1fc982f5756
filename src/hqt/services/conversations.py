"""Which conversation is a session's own, where the harness and not hqt made its id."""

from collections.abc import Iterable
from datetime import datetime

from hqt.db.reader import SessionRow
from hqt.harnesses.base import Found

_CLOCK_S = 1.0  # a row's times are whole seconds


def own(row: SessionRow, rows: Iterable[SessionRow], found: Iterable[Found]) -> str | None:
    """The id that can only be `row`'s: the first one born since its start and claimed by no other row.

    None while another session of the same harness in the same folder waits for its own and was alive at
    the same time: nothing on disk says whose it is, and a conversation must never be swapped.
    """
    others = [other for other in rows if other.key != row.key]
    if row.started_at is None or any(_competes(row, other) for other in others):
        return None
    claimed = {other.conversation for other in others}
    begun = _unix(row.started_at) - _CLOCK_S
    new = [each for each in found if each.born >= begun and each.conversation not in claimed]
    return min(new, key=lambda each: each.born).conversation if new else None


def _competes(row: SessionRow, other: SessionRow) -> bool:
    same = other.harness == row.harness and other.project == row.project
    return same and other.conversation is None and _overlap(row, other)


def _overlap(row: SessionRow, other: SessionRow) -> bool:
    begins, ends = _life(row)
    other_begins, other_ends = _life(other)
    return begins <= other_ends and other_begins <= ends


def _life(row: SessionRow) -> tuple[float, float]:
    begins = _unix(row.started_at or row.created_at) - _CLOCK_S
    return begins, _unix(row.ended_at) + _CLOCK_S if row.ended_at else float("inf")


def _unix(stamp: str) -> float:
    return datetime.fromisoformat(stamp).timestamp()
