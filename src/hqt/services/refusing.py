"""Why a session can't be started, stopped or changed as it is, each a sentence."""

from hqt.backends.base import Backend
from hqt.db.reader import SessionRow
from hqt.errors import JailError, ServiceError
from hqt.paths import Places
from hqt.services import ending
from hqt.services.views import SessionView


def unreachable(view: SessionView, backend: Backend) -> None:
    """Raise ServiceError where its tmux lives without a socket."""
    if view.state == "unreachable":
        server = backend.panes().server
        raise ServiceError(
            f"session {view.id} lives, but its tmux lost its socket: `kill -USR1 {server}` makes it anew"
        )


def elsewhere(row: SessionRow, places: Places) -> None:
    """Raise ServiceError where a lost session lives in another tmux than the one that is looked at."""
    status = places.session(row.key) / "status"
    server = ending.server_elsewhere(row.key, status, jailed=row.sandbox_json is not None)
    if server is not None:
        raise ServiceError(
            f"session {row.id} lives in another tmux server (pid {server}) than that of"
            f" {places.socket}: set XDG_RUNTIME_DIR as it was when the session was started"
        )


def damaged(view: SessionView) -> None:
    """Raise HqtError where its policy or its row can't be honoured."""
    if view.invalid is not None:
        raise JailError(f"session {view.id} is not started: {view.invalid}")
    if view.state == "broken":
        raise ServiceError(f"session {view.id} is not started: {view.note}")
