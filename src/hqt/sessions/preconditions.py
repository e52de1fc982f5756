"""Why a session can't be started, stopped or changed as it is, each a sentence."""

from hqt.backends.base import Backend, Pane
from hqt.db.reader import SessionRow
from hqt.errors import JailError, ServiceError
from hqt.observe.elsewhere import lives_elsewhere, server_elsewhere
from hqt.observe.views import SessionView
from hqt.paths import Places


def refuse_unreachable(view: SessionView, backend: Backend) -> None:
    """Raise ServiceError where its tmux lives without a socket, or is not the one that is looked at."""
    if view.state == "unreachable":
        seen = backend.panes()
        if seen.reach == "unreachable":
            raise ServiceError(
                f"session {view.id} is alive, but its tmux lost its socket:"
                f" `kill -USR1 {seen.server}` recreates it"
            )
        raise ServiceError(f"session {view.id} {view.note or 'was out of reach a moment ago: try again'}")


def refuse_alive(view: SessionView, pane: Pane | None = None) -> None:
    """Raise ServiceError where it lives, be it with a broken row: its jail can't be changed then."""
    if view.is_alive or (pane is not None and not pane.dead):
        raise ServiceError(f"session {view.id} is alive: `hqt stop {view.id}` before its jail is changed")


def refuse_elsewhere(row: SessionRow, places: Places) -> None:
    """Raise ServiceError where it lives in another tmux than the one that is looked at.

    For one whose row can't be honoured: of any other its view says so, `unreachable`.
    """
    status = places.session(row.key) / "status"
    server = server_elsewhere(row.key, status, jailed=row.sandbox_json is not None)
    if server is not None:
        raise ServiceError(f"session {row.id} {lives_elsewhere(server, places.socket)}")


def refuse_damaged(view: SessionView) -> None:
    """Raise HqtError where its policy or its row can't be honoured."""
    if view.invalid is not None:
        raise JailError(f"session {view.id} is not started: {view.invalid}")
    if view.state == "broken":
        raise ServiceError(f"session {view.id} is not started: {view.note}")
