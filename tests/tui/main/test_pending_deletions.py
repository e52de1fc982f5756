"""Deletions that wait."""

from datetime import timedelta

from hqt.tui.main.pending_deletions import PendingDeletions
from tests.tui.scenes import NOW


def after(seconds: float) -> timedelta:
    return timedelta(seconds=seconds)


def test_nothing_is_due_until_ten_seconds_are_over_and_then_once() -> None:
    waiting = PendingDeletions()
    waiting.add(["a", "b"], NOW)
    waiting.add(["c"], NOW + after(3))
    assert waiting.take_due(NOW + after(9.9)) == frozenset()
    assert waiting.take_due(NOW + after(10)) == {"a", "b"}
    assert waiting.take_due(NOW + after(12)) == frozenset()
    assert waiting.take_due(NOW + after(13)) == {"c"}


def test_undo_keeps_what_was_asked_for_last_together() -> None:
    waiting = PendingDeletions()
    waiting.add(["a"], NOW)
    waiting.add(["b", "c"], NOW)
    assert waiting.undo() == {"b", "c"}
    assert waiting.undo() == {"a"}
    assert waiting.undo() == frozenset()
    assert waiting.take_due(None) == frozenset()


def test_one_that_is_kept_leaves_the_others_waiting() -> None:
    waiting = PendingDeletions()
    waiting.add(["a", "b"], NOW)
    waiting.add(["c"], NOW)
    waiting.keep(["a", "c"])
    assert waiting.take_due(None) == {"b"}


def test_rows_say_how_long_they_still_stand() -> None:
    waiting = PendingDeletions()
    waiting.add(["a"], NOW)
    assert waiting.words(NOW) == {"a": "deleted in 10 s · u to undo"}
    assert waiting.words(NOW + after(2.5)) == {"a": "deleted in 8 s · u to undo"}
    assert waiting.words(NOW + after(20)) == {"a": "deleted in 0 s · u to undo"}
