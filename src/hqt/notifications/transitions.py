"""What a person is told without asking: one notice for each transition to waiting, done or failed; pure."""

from collections.abc import Iterable, Mapping, Set
from typing import Literal

from hqt.observe.order import has_failed
from hqt.observe.views import SessionView, State
from hqt.values import frozen

Kind = Literal["waiting", "done", "failed"]
Word = State | Literal["done", "failed"]

_KINDS: Mapping[Word, Kind] = {"waiting": "waiting", "done": "done", "failed": "failed"}


@frozen
class Standing:
    """Where a session stood at a look."""

    word: Word
    since: str | None  # UTC, ISO 8601
    watched: bool = False  # a terminal showed it


@frozen
class Notice:
    """One transition of a session that nobody was attached to."""

    view: SessionView  # as it is now
    before: Word | None  # None: nobody looked before
    kind: Kind


@frozen
class News:
    """What one look brings."""

    notices: tuple[Notice, ...]
    standing: Mapping[str, Standing]  # of every session, by key, for the next look


def find_notices(
    before: Mapping[str, Standing],
    views: Iterable[SessionView],
    begun: str | None = None,
    busy: Set[str] = frozenset(),
) -> News:
    """What is to be told after a look, beside where all stood at the one before.

    `begun`: when the first look of a process was, for that look alone. `busy`: the keys of sessions that a
    command starts or stops just now, which stand where they stood. What no look knew before is told
    where it came to be since then, and a question is another one where it is asked since another time.
    A transition of a muted session, or of one that a terminal shows, is over without a notice.
    """
    notices, standing = [], {}
    for view in views:
        stood = before.get(view.key)
        stands = (None if view.key in busy else _standing(view)) or stood
        if stands is None:
            continue
        standing[view.key] = stands
        kind = _KINDS.get(stands.word)
        if kind is not None and _is_new(stands, stood, begun) and not _is_met(view, stood):
            notices.append(Notice(view, stood.word if stood else None, kind))
    return News(tuple(notices), standing)


def is_settled(view: SessionView) -> bool:
    """Whether an end is recorded: who stops an agent says so before it ends, and tmux tells of other ends."""
    return view.state != "exited" or view.ended_at is not None


def _standing(view: SessionView) -> Standing | None:
    """None where it is not known: it stands where it stood."""
    if view.state in ("unreachable", "broken") or not is_settled(view):
        return None
    word: Word = "done" if view.unseen else "failed" if has_failed(view) else view.state
    return Standing(word, view.since, view.watched)


def _is_new(stands: Standing, stood: Standing | None, begun: str | None) -> bool:
    if stood is None:
        return begun is None or (stands.since is not None and stands.since >= begun)
    if stands.word != stood.word:
        return not _is_taken_back(stands, stood)
    # between two looks that follow each other a question is the same: when it was first seen may be lost
    return stands.since != stood.since and (stands.word != "waiting" or begun is not None)


def _is_taken_back(stands: Standing, stood: Standing) -> bool:
    """Whether a start could not be made: the session is what it was before, with the end of then."""
    if stood.word != "starting" or stands.word != "failed":
        return False
    return stands.since is not None and stood.since is not None and stands.since < stood.since


def _is_met(view: SessionView, stood: Standing | None) -> bool:
    """Whether somebody is there, or was until it ended, or wants to hear nothing."""
    was_watched = stood is not None and stood.watched and not view.is_alive
    return view.muted or view.watched or was_watched
