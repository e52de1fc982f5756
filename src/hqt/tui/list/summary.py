"""The line above the list: how many sessions need their human, and how many there are of each kind."""

from collections import Counter
from collections.abc import Iterable

from hqt.observe.order import has_failed, is_done
from hqt.observe.views import SessionView
from hqt.tui.cells import fit, width

_STRESSED = ("waiting", "done", "working", "failed")
_WHERE_ROOM_IS = ("starting", "running", "idle", "unreachable", "lost", "exited", "stopped")


def summary(views: Iterable[SessionView], cells: int) -> str:
    """`3 waiting · 2 done · 5 working · 1 failed`, then the other kinds as far as they fit; no zeros."""
    found = Counter(map(_kind, views))
    stressed = [f"{found[kind]} {kind}" for kind in _STRESSED if found[kind]]
    told = " · ".join(stressed)
    if width(told) > cells:
        return fit(" ".join(stressed), cells).rstrip()
    for kind in _WHERE_ROOM_IS:
        longer = " · ".join(filter(None, (told, f"{found[kind]} {kind}" if found[kind] else "")))
        if width(longer) > cells:
            break
        told = longer
    return told


def _kind(view: SessionView) -> str:
    if is_done(view):
        return "done"
    return "failed" if has_failed(view) or view.state == "broken" else view.state
