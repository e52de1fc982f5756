"""The line above the list."""

import pytest

from hqt.tui.list.summary import summary
from tests.tui.scenes import VIEWS


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        (
            200,
            "2 waiting · 1 done · 1 working · 3 failed · 1 starting · 1 running · 1 idle"
            " · 1 unreachable · 1 lost · 1 exited · 1 stopped",
        ),
        (70, "2 waiting · 1 done · 1 working · 3 failed · 1 starting · 1 running"),
        (42, "2 waiting · 1 done · 1 working · 3 failed"),
        (36, "2 waiting 1 done 1 working 3 failed"),
        (10, "2 waiting…"),
    ],
)
def test_who_needs_a_human_is_told_first_and_the_others_where_room_is(cells: int, told: str) -> None:
    assert summary(VIEWS, cells) == told


def test_what_there_is_none_of_is_not_told() -> None:
    assert summary(VIEWS[:1], 80) == "1 working"
    assert summary((), 80) == ""
