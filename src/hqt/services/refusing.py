"""Why a session can't be started, stopped or changed as it is, each a sentence."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from hqt.backends.base import Backend, Pane
from hqt.db import reader
from hqt.db.reader import SessionRow
from hqt.errors import JailError, ServiceError
from hqt.harnesses.base import HarnessConfigurator
from hqt.paths import Places
from hqt.sandbox import Bind
from hqt.sandbox.private import Private
from hqt.services import ending
from hqt.services.views import SessionView


def unreachable(view: SessionView, backend: Backend) -> None:
    """Raise ServiceError where its tmux lives without a socket, or is not the one that is looked at."""
    if view.state == "unreachable":
        seen = backend.panes()
        if seen.reach == "unreachable":
            raise ServiceError(
                f"session {view.id} lives, but its tmux lost its socket:"
                f" `kill -USR1 {seen.server}` makes it anew"
            )
        raise ServiceError(f"session {view.id} {view.note or 'was out of reach a moment ago: try again'}")


def alive(view: SessionView, pane: Pane | None = None) -> None:
    """Raise ServiceError where it lives, be it with a broken row: its jail can't be changed then."""
    if view.is_alive or (pane is not None and not pane.dead):
        raise ServiceError(f"session {view.id} is alive: `hqt stop {view.id}` before its jail is changed")


def elsewhere(row: SessionRow, places: Places) -> None:
    """Raise ServiceError where it lives in another tmux than the one that is looked at.

    For one whose row can't be honoured: of any other its view says so, `unreachable`.
    """
    status = places.session(row.key) / "status"
    server = ending.server_elsewhere(row.key, status, jailed=row.sandbox_json is not None)
    if server is not None:
        raise ServiceError(f"session {row.id} {ending.said_elsewhere(server, places.socket)}")


def in_projects(
    harness: HarnessConfigurator, binds: Iterable[Bind], places: Places, private: Private, project: Path
) -> None:
    """Raise JailError where a declared harness's jail, of `project`, would write a project by another way.

    Which projects there are is not known when config.toml is judged.
    """
    written = [bind.src for bind in binds if bind.writable] if harness.is_declared else []
    for each, whose in _projects(places, private, project) if written else ():
        for path in written:
            if path.is_relative_to(each) or each.is_relative_to(path):
                raise JailError(
                    f"{path} of harness.{harness.name}.rw is, holds or lies in {each}, the project of"
                    f" {whose}: name what lies elsewhere, or leave it out"
                )


def _projects(places: Places, private: Private, project: Path) -> Iterator[tuple[Path, str]]:
    yield project, "the session itself"
    for row in reader.rows(places):
        path = Path(row.project)
        # an open session may work in the home, which holds all that can be declared
        if private.why_refused(path) is None:
            yield path, f"session {row.id}"


def damaged(view: SessionView) -> None:
    """Raise HqtError where its policy or its row can't be honoured."""
    if view.invalid is not None:
        raise JailError(f"session {view.id} is not started: {view.invalid}")
    if view.state == "broken":
        raise ServiceError(f"session {view.id} is not started: {view.note}")
