"""What is told: each transition to waiting, done or failed once, unless somebody is there or it is muted."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.notifications.transitions import News, Standing, find_notices
from hqt.observe.views import Exit, SessionView
from hqt.values import replace
from tests.tui.sample import view

THEN, NOW, LATER = "2026-06-10T12:00:00Z", "2026-06-10T12:00:05Z", "2026-06-10T12:00:09Z"

WORKING = view(1, state="working", since=NOW)
WAITING = view(1, state="waiting", since=NOW)
DONE = view(1, state="idle", unseen=True, since=NOW)
IDLE = view(1, state="idle", since=NOW)
FAILED = view(1, state="exited", exit=Exit(code=3), since=NOW, ended_at=NOW)
KILLED = view(1, state="exited", exit=Exit(signal=9), since=NOW, ended_at=NOW)
STOPPED = view(1, state="stopped", exit=Exit(signal=15), since=NOW, ended_at=NOW)
ENDED = view(1, state="exited", exit=Exit(code=0), since=NOW, ended_at=NOW)


def changed(found: SessionView, **changes: Any) -> SessionView:  # noqa: ANN401
    return replace(found, **changes)


def told(*looks: SessionView) -> list[tuple[str | None, str]]:
    """From and to of what is told after looks at one session; the first is the first of a process."""
    found: list[tuple[str | None, str]] = []
    standing = find_notices({}, looks[:1], NOW).standing
    for each in looks[1:]:
        seen = find_notices(standing, [each])
        standing = seen.standing
        found += [(notice.before, notice.kind) for notice in seen.notices]
    return found


@pytest.mark.parametrize(
    ("before", "after", "notice"),
    [
        (WORKING, WAITING, ("working", "waiting")),
        (WORKING, DONE, ("working", "done")),
        (WORKING, FAILED, ("working", "failed")),
        (WORKING, KILLED, ("working", "failed")),
        (WAITING, DONE, ("waiting", "done")),
        (DONE, WAITING, ("done", "waiting")),
        (view(1, state="starting"), FAILED, ("starting", "failed")),
    ],
)
def test_a_transition_is_told_with_where_it_came_from(
    before: SessionView, after: SessionView, notice: tuple[str, str]
) -> None:
    assert told(before, after, after, after) == [notice]


@pytest.mark.parametrize("after", [WORKING, IDLE, STOPPED, ENDED, view(1, state="running")])
def test_what_needs_nobody_is_not_told(after: SessionView) -> None:
    assert told(view(1, state="starting"), after, WORKING, after) == []


def test_waiting_for_a_minute_is_told_once() -> None:
    """A59."""
    assert told(WORKING, *[WAITING] * 60) == [("working", "waiting")]


def test_a_question_whose_begin_is_lost_again_and_again_is_told_once() -> None:
    """As on a full disk, where no look can keep what it came to believe."""
    looks = [changed(WAITING, since=f"2026-06-10T12:01:{second:02}Z") for second in range(60)]
    assert told(WORKING, *looks) == [("working", "waiting")]


def test_each_question_is_told_and_each_turn() -> None:
    later = changed(DONE, since=LATER)
    assert told(WORKING, WAITING, WORKING, WAITING, WORKING, DONE, later) == [
        ("working", "waiting"),
        ("working", "waiting"),
        ("working", "done"),
        ("done", "done"),
    ]


@pytest.mark.parametrize("after", [WAITING, DONE, FAILED])
def test_a_muted_session_is_silent_and_tells_nothing_later(after: SessionView) -> None:
    assert told(WORKING, changed(after, muted=True), after) == []


def test_who_is_attached_is_told_nothing_of_it_then_or_later() -> None:
    assert told(WORKING, changed(WAITING, watched=True), WAITING) == []


def test_an_end_in_front_of_somebody_is_not_told() -> None:
    """The terminal comes home before the end is looked at."""
    assert told(changed(WORKING, watched=True), FAILED) == []


def test_an_end_is_told_once_it_is_recorded() -> None:
    """A stop says so before it ends the agent; until then nobody knows whose end it was."""
    unrecorded = changed(FAILED, ended_at=None, since=None)
    assert told(WORKING, unrecorded, unrecorded, FAILED) == [("working", "failed")]
    assert told(WORKING, unrecorded, STOPPED) == []


def test_a_session_in_a_commands_hands_stands_where_it_stood() -> None:
    """A resume whose harness ends at once goes on with a fresh start."""
    standing = {WORKING.key: Standing("working", THEN)}
    assert find_notices(standing, [FAILED], busy={WORKING.key}) == News((), standing)


def test_a_start_that_could_not_be_made_leaves_the_end_that_was_told() -> None:
    """Such as of a jail that bwrap refuses: the session is then what it was."""
    assert told(WORKING, FAILED, view(1, state="starting", since=LATER), FAILED) == [("working", "failed")]


def test_a_start_that_fails_within_a_second_is_told() -> None:
    assert told(FAILED, view(1, state="starting", since=NOW), FAILED) == [("starting", "failed")]


@pytest.mark.parametrize("state", ["unreachable", "broken"])
def test_what_cannot_be_looked_at_changes_nothing(state: str) -> None:
    assert told(WORKING, WAITING, view(1, state=state), WAITING) == [("working", "waiting")]


def test_the_first_look_tells_only_what_came_to_be_since_it_was_called() -> None:
    asked = [
        view(1, state="waiting", since=THEN),
        view(2, state="waiting", since=LATER),
        view(3, state="idle"),
    ]
    found = find_notices({}, asked, NOW)
    assert [(each.view.id, each.before) for each in found.notices] == [(2, None)]


def test_what_came_to_be_while_nobody_looked_is_told_by_the_first_look() -> None:
    known = {WAITING.key: Standing("waiting", THEN)}
    assert [each.kind for each in find_notices(known, [WAITING], LATER).notices] == ["waiting"]
    known = {WAITING.key: Standing("waiting", NOW)}
    assert find_notices(known, [WAITING], LATER).notices == ()


def test_a_session_that_was_not_there_at_the_last_look_is_told() -> None:
    assert [each.before for each in find_notices({}, [WAITING]).notices] == [None]


def test_what_was_removed_is_forgotten() -> None:
    assert find_notices({"0000000f": Standing("waiting", NOW)}, [WORKING]).standing == {
        WORKING.key: Standing("working", NOW)
    }


STATES = (WORKING, WAITING, DONE, IDLE, FAILED, STOPPED, ENDED)


@given(st.lists(st.tuples(st.sampled_from(STATES), st.booleans(), st.booleans()), min_size=200, max_size=200))
def test_in_any_run_exactly_the_transitions_that_nobody_met_are_told(
    run: list[tuple[SessionView, bool, bool]],
) -> None:
    """Of 200 changes, each seen by several looks; the expectation is made from the changes alone."""
    looks = [changed(each, watched=watched and each.is_alive, muted=muted) for each, watched, muted in run]
    repeated = [look for look in looks for _ in range(3)]
    assert told(WORKING, *repeated) == list(_owed(looks))


def _owed(looks: Iterable[SessionView]) -> Iterable[tuple[str, str]]:
    names = {WORKING: "working", WAITING: "waiting", DONE: "done", IDLE: "idle", FAILED: "failed"}
    before, was_watched = "working", False
    for look in looks:
        plain = changed(look, watched=False, muted=False)
        name = names.get(plain, plain.state)
        met = look.muted or look.watched or (was_watched and not look.is_alive)
        if name in ("waiting", "done", "failed") and name != before and not met:
            yield before, name
        before, was_watched = name, look.watched
