"""Through 200 changes of an agent, told of late and in pieces, exactly the notices owed are given."""

from datetime import UTC, datetime
from random import Random

import pytest

from hqt.db.columns import stamp
from hqt.notifications.history import History
from hqt.observe.views import SessionView
from hqt.status.detect import Belief, judge
from tests.status.lives import KINDS, Change, Kind, life, looks
from tests.tui.sample import view


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_two_hundred_changes_are_told_as_often_as_somebody_is_needed(kind: Kind, seed: int) -> None:
    random = Random(seed)  # noqa: S311 - chance that can be had again
    lived = life(random)
    history, belief = History(_stamp(lived[0].at)), None
    told: list[tuple[str | None, str]] = []
    for look, _ in looks(kind, lived, random):
        belief = judge(look, belief)
        assert belief is not None
        told += [(each.before, each.kind) for each in history.news([_view(belief)])]
    assert told == [pair for pair in map(_owed, lived, lived[1:]) if pair is not None]


def _view(belief: Belief) -> SessionView:
    return view(1, state=belief.word, since=_stamp(belief.since), unseen=belief.unseen)


def _owed(before: Change, after: Change) -> tuple[str, str] | None:
    names = {"idle": "done", "working": "working", "waiting": "waiting"}
    # idle at the start is after no work: nothing is done
    return None if after.word == "working" else (names[before.word], names[after.word])


def _stamp(moment: float) -> str:
    return stamp(datetime.fromtimestamp(moment, UTC))
