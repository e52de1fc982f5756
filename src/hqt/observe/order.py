"""In which order sessions stand, and which of them needs its human next."""

from collections.abc import Iterable

from hqt.observe.views import SessionView, State

_RANKS: dict[State, int] = {
    "waiting": 0,
    # 1: done
    "starting": 2,
    "working": 2,
    "running": 2,
    "idle": 3,
    "broken": 4,
    "unreachable": 4,
    "lost": 4,
    # 4: failed
    "exited": 5,
    "stopped": 5,
}
_DONE, _FAILED = 1, 4


def is_done(view: SessionView) -> bool:
    """Whether it has worked and nobody has looked since."""
    return view.state == "idle" and view.unseen


def has_failed(view: SessionView) -> bool:
    """Whether it ended by itself and not well."""
    return view.state == "exited" and view.exit is not None and view.exit.code != 0


def needs_human(view: SessionView) -> bool:
    return view.state == "waiting" or is_done(view)


def in_order(views: Iterable[SessionView]) -> tuple[SessionView, ...]:
    """Waiting, done, working, idle, failed, ended; who needs a human stands the higher the longer it does."""
    return tuple(sorted(views, key=_place))


def next_needing(views: Iterable[SessionView], current: str | None) -> SessionView | None:
    """The session to go to from the one whose key is `current`; None where no other needs its human.

    Who is passed over comes again only after all others.
    """
    needing = [view for view in in_order(views) if needs_human(view)]
    here = next((number for number, view in enumerate(needing) if view.key == current), None)
    if here is not None:
        needing = needing[here + 1 :] + needing[:here]
    return needing[0] if needing else None


def _place(view: SessionView) -> tuple[int, str, float, int]:
    if not needs_human(view):
        return _rank(view), "", 0.0, view.id
    return _rank(view), view.since or "", view.since_s, view.id


def _rank(view: SessionView) -> int:
    if is_done(view):
        return _DONE
    return _FAILED if has_failed(view) else _RANKS[view.state]
