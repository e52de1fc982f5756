"""Sessions whose agent a signal has stopped: they need their human, who lets them go on."""

from collections.abc import Iterable

from hqt.backends import job_control
from hqt.backends.base import Backend, Panes
from hqt.observe.views import SessionView
from hqt.values import replace


def mark_suspended(view: SessionView, panes: Panes) -> SessionView:
    """The view; where its agent is stopped it waits, whatever was believed. Nobody knows since when."""
    pane = panes.of(view.key)
    if pane is None or not view.is_running:
        return view
    if not job_control.is_suspended(pane, jailed=view.sandbox is not None):
        return view
    why = f"suspended by a signal: `hqt resume {view.id}` lets it continue"
    return replace(view, state="waiting", since=None, since_s=0.0, unseen=False, reason=why, suspended=True)


def let_continue(views: Iterable[SessionView], backend: Backend) -> None:
    """Let those of them go on that are suspended."""
    stopped = [view for view in views if view.suspended]
    panes = backend.panes() if stopped else Panes("down")
    for view in stopped:
        pane = panes.of(view.key)
        if pane is not None and not pane.dead:
            job_control.go_on(pane, jailed=view.sandbox is not None)
