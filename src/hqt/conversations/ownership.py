"""Which conversation is a session's own: what its harness reported or wrote, judged; pure."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from hqt.db.columns import ConversationSource
from hqt.db.reader import SessionRow
from hqt.harnesses.base import Found
from hqt.values import frozen

_CLOCK_S = 1.0  # a row's times are whole seconds

Reports = Mapping[str, tuple[str, ...]]  # by session key, the ids that its harness reported, in order


@frozen
class Learned:
    """What a session's conversation is now, and those of its own that it is no longer in, oldest first."""

    conversation: str
    source: ConversationSource
    left: tuple[str, ...] = ()


def from_reports(
    row: SessionRow,
    rows: Iterable[SessionRow],
    reports: Reports,
    found: Mapping[str, Found],
    kept: frozenset[str],
) -> Learned | None:
    """Where the harness of `row` went by its own reports; None where that is known or can't be.

    `found`: of the reported ids those whose transcript names this folder. `kept`: of the row's own ids
    those that can be resumed. A jailed agent may report anything, so that an id counts only where it is the
    row's own already, or was born in this life and is nobody else's (docs/decisions/0029).
    """
    rows = tuple(rows)
    theirs, contested = _claimed(row, rows), _contested(row, rows, reports)
    good = [
        each
        for each in reports.get(row.key, ())
        if each in kept
        or (each in found and each not in theirs | contested and _is_born_here(row, found[each].born))
    ]
    if not good:
        return None
    now = good[-1]
    gone = dict.fromkeys((*((row.conversation,) if row.conversation else ()), *good))
    left = tuple(each for each in gone if each != now and each not in row.former)
    return Learned(now, "hook", left) if left or now != row.conversation else None


def from_disk(
    row: SessionRow, rows: Iterable[SessionRow], reports: Reports, found: Iterable[Found]
) -> Learned | None:
    """The conversation on disk that can only be `row`'s: the first one born in its life that is nobody's.

    For a harness that reports nothing. One born while another session of the same harness in the same folder
    waited for its own is left out: nothing on disk says whose it is, and a conversation must never be
    swapped. So are several beside one that has its own and would not report another. Of one that lies where
    no other session's harness writes there is no doubt.
    """
    if row.started_at is None or reports.get(row.key):
        return None
    rows = tuple(rows)
    # what it left itself is not new
    taken = _claimed(row, rows).union(row.former, *(ids for key, ids in reports.items() if key != row.key))
    silent = [other for other in rows if _is_beside(row, other) and not reports.get(other.key)]
    new = [
        each
        for each in found
        if each.conversation not in taken
        and _is_born_here(row, each.born)
        and (
            each.exclusive
            or not any(_lived(other, each.born) for other in silent if other.conversation is None)
        )
    ]
    unsure = [
        each for each in new if not each.exclusive and any(_lived(other, each.born) for other in silent)
    ]
    sure = new if len(unsure) < 2 else [each for each in new if each not in unsure]
    first = min(sure, key=lambda each: each.born, default=None)
    return Learned(first.conversation, "discovered") if first else None


def _claimed(row: SessionRow, rows: Iterable[SessionRow]) -> frozenset[str]:
    others = [other for other in rows if other.key != row.key]
    return frozenset(
        each for other in others for each in (other.conversation, *other.former) if each is not None
    )


def _contested(row: SessionRow, rows: Iterable[SessionRow], reports: Reports) -> frozenset[str]:
    """The ids that another session reports too, but for a jailed one beside an open one."""
    worth_less = {
        other.key for other in rows if other.sandbox_json is not None and row.sandbox_json is None
    } | {row.key}
    return frozenset(each for key, ids in reports.items() if key not in worth_less for each in ids)


def _is_beside(row: SessionRow, other: SessionRow) -> bool:
    return other.key != row.key and other.harness == row.harness and other.project == row.project


def _is_born_here(row: SessionRow, moment: float) -> bool:
    return row.started_at is not None and _lives(row, moment, since=row.started_at)


def _lived(other: SessionRow, moment: float) -> bool:
    """Whether `moment` may be in any life of `other`: of those before its last no end is known."""
    return _lives(other, moment, since=other.created_at)


def _lives(row: SessionRow, moment: float, *, since: str) -> bool:
    ends = _unix(row.ended_at) + _CLOCK_S if row.ended_at else float("inf")
    return _unix(since) - _CLOCK_S <= moment <= ends


def _unix(stamp: str) -> float:
    return datetime.fromisoformat(stamp).timestamp()
