"""The order of the list, and who comes next."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hqt.observe.order import has_failed, in_order, needs_human, next_needing
from hqt.observe.views import Exit, SessionView
from tests.tui.sample import view

_STATES = (
    *("starting", "working", "waiting", "idle", "running"),
    *("exited", "stopped", "lost", "unreachable", "broken"),
)
_ENDS = st.sampled_from([Exit(code=0), Exit(code=3), Exit(signal=9)])


@st.composite
def views(draw: st.DrawFn) -> tuple[SessionView, ...]:
    found = []
    for number in range(draw(st.integers(0, 8))):
        state: Any = draw(st.sampled_from(_STATES))
        since = draw(st.sampled_from([None, "2026-06-10T12:00:00Z", "2026-06-10T12:00:09Z"]))
        end = draw(_ENDS) if state == "exited" else None
        unseen = state == "idle" and draw(st.booleans())
        found.append(view(number, state=state, since=since, exit=end, unseen=unseen))
    return tuple(found)


def ids(found: tuple[SessionView, ...]) -> list[int]:
    return [each.id for each in found]


def test_who_needs_a_human_stands_on_top_and_longest_first() -> None:
    stamps = [f"2026-06-10T12:00:0{number}Z" for number in range(10)]
    found = in_order(
        [
            view(1, state="stopped", since=stamps[0]),
            view(2, state="exited", since=stamps[0], exit=Exit(code=0)),
            view(3, state="exited", since=stamps[0], exit=Exit(code=1)),
            view(4, state="lost"),
            view(5, state="idle", since=stamps[0]),
            view(6, state="working", since=stamps[9]),
            view(7, state="running", since=stamps[0]),
            view(8, state="idle", unseen=True, since=stamps[5]),
            view(9, state="idle", unseen=True, since=stamps[4]),
            view(10, state="waiting", since=stamps[9]),
            view(11, state="waiting", since=stamps[8]),
        ]
    )
    assert ids(found) == [11, 10, 9, 8, 6, 7, 5, 3, 4, 1, 2]


def test_of_two_who_wait_since_the_same_second_the_earlier_comes_first() -> None:
    second = "2026-06-10T12:00:00Z"
    waits = [
        view(number, state="waiting", since=second, since_s=1_781_092_800 + part)
        for number, part in ((1, 0.8), (2, 0.77), (3, 0.09))
    ]
    assert ids(in_order(waits)) == [3, 2, 1]


def test_an_end_by_a_signal_or_with_an_error_is_a_failure() -> None:
    ends = [Exit(code=0), Exit(code=1), Exit(signal=9)]
    assert [has_failed(view(1, state="exited", exit=end)) for end in ends] == [False, True, True]
    assert not has_failed(view(1, state="stopped", exit=Exit(signal=15)))


@given(views())
def test_nobody_is_lost_and_nobody_stands_above_who_needs_a_human(found: tuple[SessionView, ...]) -> None:
    ordered = in_order(found)
    assert sorted(ids(ordered)) == ids(found)
    needing = [needs_human(each) for each in ordered]
    assert needing == sorted(needing, reverse=True)


@given(views(), st.integers(0, 8))
def test_going_on_and_on_meets_everyone_who_needs_a_human_once(
    found: tuple[SessionView, ...], start: int
) -> None:
    current, met = f"{start:08x}", []
    for _ in [each for each in found if needs_human(each) and each.id != start]:
        following = next_needing(found, current)
        assert following is not None
        met.append(following.id)
        current = following.key
    assert sorted(met) == [each.id for each in found if needs_human(each) and each.id != start]


@given(views())
def test_from_outside_the_longest_waiting_comes_first_and_from_itself_alone_none(
    found: tuple[SessionView, ...],
) -> None:
    needing = [each for each in in_order(found) if needs_human(each)]
    assert next_needing(found, None) == (needing[0] if needing else None)
    if len(needing) == 1:
        assert next_needing(found, needing[0].key) is None
