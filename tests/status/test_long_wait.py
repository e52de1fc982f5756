"""A59: an agent that waits for minutes began to once, whatever its sources repeat, miss or ring meanwhile."""

from collections.abc import Iterator
from random import Random

import pytest

from hqt.status.detect import Belief, Look, Sign, Word, judge

_PROMPTED, _ASKED = 1000.0, 1003.0  # Unix time
_LOOK_S = 0.5
_MINUTES = 20
_NOTIFIED_S = 6.0  # its Notification hook runs so late
_REPEAT_S = 60.0  # and once more, where the user does nothing
_FAILED = 0.2  # of the looks
_WHY = "Do you want to proceed?"


def _claude(now: float) -> Iterator[Sign]:
    told = now - (now - _ASKED) % _REPEAT_S  # it says the same again
    if now < _ASKED + _NOTIFIED_S:
        yield Sign("hook", "working", _PROMPTED, worked=True)
    else:
        yield Sign("hook", "waiting", max(told, _ASKED + _NOTIFIED_S), worked=True)
    yield Sign("registry", "waiting", told, reason="permission prompt")
    yield Sign("title", "idle")  # which is the same while it asks
    yield Sign("screen", "waiting", reason=_WHY)


def _codex(now: float) -> Iterator[Sign]:
    yield Sign("hook", "working", _PROMPTED, worked=True)
    yield Sign("title", "waiting")
    if (now - _ASKED) % _REPEAT_S > _REPEAT_S / 2:
        yield Sign("bell", "waiting")
    yield Sign("screen", "waiting", reason=_WHY)


def _gemini(now: float) -> Iterator[Sign]:
    yield Sign("title", "waiting")
    yield Sign("screen", "waiting", reason=_WHY)


def _looks(kind: str, random: Random) -> Iterator[Look]:
    """None of two looks that follow each other fails; what it prints are reminders and a clock."""
    now, failed = _ASKED + _LOOK_S, True
    while now < _ASKED + _MINUTES * 60:
        signs = tuple(_KINDS[kind](now))
        failed = not failed and random.random() < _FAILED
        if failed:
            kept = tuple(sign for sign in signs if sign.source != "screen" and random.random() < 1 / 2)
            yield Look(now, kept, printed_at=now - random.uniform(0, 60), whole=False)
        else:
            watched = random.random() < 1 / 10
            yield Look(now, signs, printed_at=now - random.uniform(0, 60), watched=watched)
        now += _LOOK_S


_KINDS = {"claude": _claude, "codex": _codex, "gemini": _gemini}


@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_it_waits_since_it_began_to(kind: str, seed: int) -> None:
    belief: Belief | None = None
    seen = set()
    for look in _looks(kind, Random(seed)):  # noqa: S311 - chance that can be had again
        belief = judge(look, belief)
        assert belief is not None
        seen.add((belief.word, belief.since, belief.unseen))
    assert len(seen) == 1, seen
    assert {word for word, _, _ in seen} == {"waiting"}


@pytest.mark.parametrize("kind", _KINDS)
def test_from_work_it_comes_to_it_once(kind: str) -> None:
    belief = judge(Look(_PROMPTED, (Sign("screen", "working"),), printed_at=_PROMPTED), None)
    said: list[tuple[Word, float]] = []
    for look in _looks(kind, Random(7)):  # noqa: S311 - chance that can be had again
        belief = judge(look, belief)
        assert belief is not None
        if not said or said[-1] != (belief.word, belief.since):
            said.append((belief.word, belief.since))
    assert [word for word, _ in said] == ["waiting"]
