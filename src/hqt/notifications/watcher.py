"""The loop that looks at all sessions, tells what is to be told, and ends with the last agent."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from hqt.errors import BackendError, DatabaseError
from hqt.notifications.history import History, busy_keys
from hqt.notifications.transitions import Notice, is_settled
from hqt.observe.look import Looker
from hqt.observe.views import SessionView
from hqt.status.waking import Alarm

_PACE_S = 1.0  # a screen that changes wakes nobody, nor does a terminal that is attached
_APART_S = 0.1  # of two looks: a jailed agent may write all the time
_PATIENCE_S = 30.0  # for a look that comes off, and for the record of the last end

Give = Callable[[Notice, Sequence[SessionView]], None]  # a notice, with all that its look saw


def watch(looker: Looker, history: History, give: Give) -> tuple[SessionView, ...]:
    """Call `give` for each notice until no agent lives, or for half a minute no look came off.

    Returns what the last look saw.
    """
    needed_at = time.monotonic()
    views: tuple[SessionView, ...] = ()
    while time.monotonic() - needed_at < _PATIENCE_S:
        with Alarm() as alarm:  # anew, as one that has ended is to wake nobody
            _attend(alarm, looker, views)
            seen = _look(looker)
            if seen is not None:
                views = seen
                in_hand = busy_keys(looker.places, views)
                for notice in history.news(views, in_hand):
                    give(notice, views)
                if any(view.is_alive for view in views):
                    needed_at = time.monotonic()
                elif not in_hand and all(map(is_settled, views)):
                    break
            if alarm.sleep(_PACE_S):
                time.sleep(_APART_S)
    return views


def _look(looker: Looker) -> tuple[SessionView, ...] | None:
    """None where it did not come off: tmux is under load, or another process holds the database."""
    with suppress(BackendError, DatabaseError):
        return looker.all()
    return None


def _attend(alarm: Alarm, looker: Looker, views: Sequence[SessionView]) -> None:
    """Wake at what hooks tell, at what any look came to believe, and at ends."""
    keys = {view.key for view in views if view.is_alive}
    with suppress(BackendError, DatabaseError):
        for folder in (*map(looker.places.session, keys), *looker.told_in(keys)):
            alarm.watch(folder)
        panes = looker.backend.panes().panes
        alarm.attend(pane.pid for pane in panes if pane.key in keys and not pane.dead)
