"""Waiting until agents are where somebody wants them, woken by what they tell and by their ends."""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Literal

from hqt.db import reader
from hqt.errors import NoSuchSession, ServiceError, TimedOut
from hqt.observe.look import Looker, tells_state
from hqt.observe.views import SessionView
from hqt.sessions.preconditions import refuse_unreachable
from hqt.status import events
from hqt.status.waking import Alarm
from hqt.values import frozen

Wanted = Literal["idle", "waiting", "exited", "any"]
Verdict = Literal["there", "never", "not yet"]

_APART_S = 0.1  # of two looks: a jailed agent may write all the time
_FRESH_S = 3.0  # after an event, in which a screen or a title may still follow it
_SOON_S = 0.5
_SHOWN_S = 1.0  # a screen tells nobody when it changes; so the agents that only show are looked at
_CALM_S = 10.0  # of the others: an interrupt by hand is told by no hook
_UNSEEN_S = 10.0  # an agent that was given a prompt and is idle for so long has worked faster than any look


@frozen
class Wish:
    """What is waited for."""

    wanted: Wanted
    first: bool = False  # for the first of them, not for all
    worked: bool = False  # idle counts only after work


def wait_for(
    looker: Looker,
    sessions: Sequence[str],
    wish: Wish,
    *,
    timeout_s: float | None,
    tell: Callable[[SessionView], None],
) -> None:
    """Return once the sessions are there; `tell` is called with each as it arrives.

    Raises TimedOut, NoSuchSession, and ServiceError for one that can't get there any more.
    """
    begun = time.monotonic()
    deadline = float("inf") if timeout_s is None else begun + timeout_s
    fresh_until = begun + _FRESH_S
    pending = list(dict.fromkeys(reader.find(looker.places, each).key for each in sessions))
    with Alarm() as alarm:
        _watch(alarm, looker, pending)
        while True:
            _attend(alarm, looker, pending)
            found = _look(looker, pending, wish)
            for view in found["there"][: 1 if wish.first else None]:
                tell(view)
            _refuse_lost(found, wish)
            if not found["not yet"] or (found["there"] and wish.first):
                return
            pending = [view.key for view in found["not yet"]]
            pace = _SOON_S if time.monotonic() < fresh_until else _pace(looker, found["not yet"], alarm)
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                raise _timed_out(found["not yet"], timeout_s or 0.0)
            if alarm.sleep(min(pace, left_s)):
                fresh_until = time.monotonic() + _FRESH_S
                time.sleep(_APART_S)


def verdict(view: SessionView, wanted: Wanted) -> Verdict:
    """Whether the session is where it is wanted. What is done is idle."""
    if not view.is_alive:
        return "there" if wanted in ("exited", "any") else "never"
    if view.state == wanted or (wanted == "any" and view.state in ("idle", "waiting")):
        return "there"
    return "not yet"


def _look(looker: Looker, keys: Sequence[str], wish: Wish) -> Mapping[Verdict, list[SessionView]]:
    """Where each of them is, in one look at all."""
    seen = {view.key: view for view in looker.all()}
    if not seen.keys() >= set(keys):
        raise NoSuchSession("a session was removed while you waited for it: `hqt list` shows what is there")
    found: dict[Verdict, list[SessionView]] = {"there": [], "not yet": [], "never": []}
    for key in keys:
        found[_verdict(looker, seen[key], wish)].append(seen[key])
    return found


def _refuse_lost(found: Mapping[Verdict, list[SessionView]], wish: Wish) -> None:
    lost, others = found["never"], (*found["there"], *found["not yet"])
    if lost and not (wish.first and others):
        raise ServiceError(
            f"session {lost[0].id} is {lost[0].state} and will not be {wish.wanted}:"
            f" see `hqt show {lost[0].id}`"
        )


def _verdict(looker: Looker, view: SessionView, wish: Wish) -> Verdict:
    refuse_unreachable(view, looker.backend)
    found = verdict(view, wish.wanted)
    if found == "not yet" and wish.wanted in ("idle", "waiting") and not tells_state(looker, view):
        raise ServiceError(
            f"session {view.id} runs a command that does not tell when it is {wish.wanted}:"
            " wait for it with --for exited"
        )
    if found == "there" and wish.worked and view.state == "idle" and not _has_worked(looker, view):
        return "not yet"
    return found


def _has_worked(looker: Looker, view: SessionView) -> bool:
    judged = looker.judged(str(view.id))
    if judged is not None and judged.belief is not None and judged.belief.worked:
        return True
    since = datetime.fromisoformat(view.since) if view.since else None
    return since is not None and (datetime.now(UTC) - since).total_seconds() >= _UNSEEN_S


def _watch(alarm: Alarm, looker: Looker, keys: Sequence[str]) -> None:
    """Wake at what they tell, and at what any look came to believe of them."""
    for folder in (*map(looker.places.session, keys), *looker.told_in(keys)):
        alarm.watch(folder)


def _attend(alarm: Alarm, looker: Looker, keys: Sequence[str]) -> None:
    """Wake at the ends, of which tmux tells nobody that is not in it."""
    panes = looker.backend.panes().panes
    alarm.attend(pane.pid for pane in panes if pane.key in keys and not pane.dead)


def _pace(looker: Looker, views: Sequence[SessionView], alarm: Alarm) -> float:
    """When to look although nothing woke it."""
    return _SHOWN_S if alarm.is_deaf or any(_only_shows(looker, view) for view in views) else _CALM_S


def _only_shows(looker: Looker, view: SessionView) -> bool:
    words = looker.places.session(view.key) / events.FOLDER / events.WORDS
    return tells_state(looker, view) and not words.exists()


def _timed_out(left: Sequence[SessionView], timeout_s: float) -> TimedOut:
    states = ", ".join(f"{view.id} is {view.state}" for view in left)
    return TimedOut(
        f"session {states} after {timeout_s:g} s: wait longer, or look with `hqt capture {left[0].id}`"
    )
