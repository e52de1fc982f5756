"""A terminal inside a session: entered, told who else waits, and watched until it comes back."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from hqt.backends.base import Attach, Backend
from hqt.errors import BackendError, DatabaseError
from hqt.observe.beliefs import mark_seen
from hqt.observe.look import Looker
from hqt.observe.order import next_needing
from hqt.observe.suspended import let_continue
from hqt.observe.views import SessionView


def lend_terminal(
    looker: Looker,
    backend: Backend,
    view: SessionView,
    command: Attach,
    heard: Callable[[Sequence[SessionView]], None],
) -> str | None:
    """Give this terminal to the session until it comes back; the key of the session that it showed last.

    `heard` is called with each look meanwhile. None where the key is not known, as when the session was
    removed. Raises BackendError where tmux could not enter a session that lives.
    """
    told: frozenset[str] | None = None

    def tell() -> None:
        nonlocal told
        # what can't be seen now is seen a second later; the terminal is the agent's meanwhile
        with suppress(BackendError, DatabaseError):
            views = looker.all()
            heard(views)
            # as tmux does with what is stopped without a jail: no shell is there to do it
            let_continue([each for each in views if each.watched], backend)
            waiting = frozenset(each.key for each in views if each.state == "waiting")
            if waiting != told:
                backend.announce(waiting)
                told = waiting

    home = backend.attend(command, tell)
    if home.code != 0 and looker.one(str(view.id)).is_alive:
        raise BackendError(
            f"tmux could not enter session {view.id} ({home.said or f'exit {home.code}'}): run `hqt doctor`"
        )
    # a visit may be shorter than the time between two looks
    for key in {view.key, home.last or view.key}:
        mark_seen(looker.places, key)
    return home.last


def switch_to_next(looker: Looker, backend: Backend, client: str, current: str) -> None:
    """Let a terminal that is inside the session whose key is `current` show the next that needs its human.

    `client`: the backend's name of the terminal. Where there is none it stays, and is told so.
    """
    found = next_needing(looker.all(), current)
    if found is None:
        backend.tell(client, "no other session needs you")
    else:
        mark_seen(looker.places, current)  # also where it was shown for less than the time between two looks
        backend.switch(client, found.key)
