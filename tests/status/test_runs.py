"""Through 200 changes of an agent, told of late and in pieces, no look believes what was never so."""

from random import Random

import pytest

from hqt.status.detect import Belief, Word, judge
from tests.status.lives import KINDS, Kind, life, looks


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_two_hundred_changes_show_no_wrong_state(kind: Kind, seed: int) -> None:
    random = Random(seed)  # noqa: S311 - chance that can be had again
    lived = life(random)
    belief: Belief | None = None
    said: list[Word] = []
    for look, so in looks(kind, lived, random):
        belief = judge(look, belief)
        assert belief is not None
        if not said or said[-1] != belief.word:
            said.append(belief.word)
        if so is not None:
            assert belief.word == so, (look, belief)
    assert said == [change.word for change in lived]
