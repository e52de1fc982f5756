"""The loop that looks at all sessions, tells what is to be told, and ends with the last agent."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from hqt.errors import BackendError, DatabaseError
from hqt.services import locks
from hqt.services.ledger import Ledger
from hqt.services.looking import Looker
from hqt.services.noticing import Notice, is_settled
from hqt.services.views import SessionView
from hqt.status.waking import Alarm

_PACE_S = 1.0  # a screen that changes wakes nobody, nor does a terminal that is attached
_APART_S = 0.1  # of two looks: a jailed agent may write all the time
_PATIENCE_S = 30.0  # for a look that comes off, and for the record of the last end


def watch(looker: Looker, ledger: Ledger, give: Callable[[Notice], None]) -> None:
    """Call `give` for each notice until no agent lives, or for half a minute no look came off."""
    needed_at = time.monotonic()
    views: tuple[SessionView, ...] = ()
    while time.monotonic() - needed_at < _PATIENCE_S:
        with Alarm() as alarm:  # anew, as one that has ended is to wake nobody
            _attend(alarm, looker, views)
            seen = _look(looker)
            if seen is not None:
                views = seen
                for notice in ledger.news(views, _busy(looker, views)):
                    give(notice)
                if any(view.is_alive for view in views):
                    needed_at = time.monotonic()
                elif all(map(is_settled, views)):
                    return
            if alarm.sleep(_PACE_S):
                time.sleep(_APART_S)


def _look(looker: Looker) -> tuple[SessionView, ...] | None:
    """None where it did not come off: tmux is under load, or another process holds the database."""
    with suppress(BackendError, DatabaseError):
        return looker.all()
    return None


def _busy(looker: Looker, views: Sequence[SessionView]) -> set[str]:
    """Those that ended and are in a command's hands: it may go on with a fresh start."""
    ended = (view.key for view in views if view.state == "exited")
    return {key for key in ended if locks.is_held(looker.places.session(key))}


def _attend(alarm: Alarm, looker: Looker, views: Sequence[SessionView]) -> None:
    """Wake at what hooks tell, at what any look came to believe, and at ends."""
    keys = {view.key for view in views if view.is_alive}
    with suppress(BackendError, DatabaseError):
        for folder in (*map(looker.places.session, keys), *looker.told_in(keys)):
            alarm.watch(folder)
        panes = looker.backend.panes().panes
        alarm.attend(pane.pid for pane in panes if pane.key in keys and not pane.dead)
