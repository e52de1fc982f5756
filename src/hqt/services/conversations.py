"""Which conversation is a session's own, where the harness and not hqt made its id."""

from collections.abc import Iterable
from datetime import datetime

from hqt.db.reader import SessionRow
from hqt.harnesses.base import Found

_CLOCK_S = 1.0  # a row's times are whole seconds


def own(row: SessionRow, rows: Iterable[SessionRow], found: Iterable[Found]) -> str | None:
    """The id that can only be `row`'s: the first one born in its life and claimed by no other row.

    One born while another session of the same harness in the same folder waited for its own is left out:
    nothing on disk says whose it is, and a conversation must never be swapped.
    """
    if row.started_at is None:
        return None
    others = [other for other in rows if other.key != row.key]
    claimed = {other.conversation for other in others}
    rivals = [other for other in others if _waits_beside(row, other)]
    new = (
        each
        for each in found
        if each.conversation not in claimed
        and _lives(row, each.born, since=row.started_at)
        and not any(_lives(rival, each.born, since=rival.created_at) for rival in rivals)
    )
    first = min(new, key=lambda each: each.born, default=None)
    return first.conversation if first else None


def _waits_beside(row: SessionRow, other: SessionRow) -> bool:
    return other.harness == row.harness and other.project == row.project and other.conversation is None


def _lives(row: SessionRow, moment: float, *, since: str) -> bool:
    ends = _unix(row.ended_at) + _CLOCK_S if row.ended_at else float("inf")
    return _unix(since) - _CLOCK_S <= moment <= ends


def _unix(stamp: str) -> float:
    return datetime.fromisoformat(stamp).timestamp()
