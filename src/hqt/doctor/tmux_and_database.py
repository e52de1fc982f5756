"""What keeps sessions: tmux's server and the database, and whether they agree."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from hqt.backends.base import Pane, Panes
from hqt.backends.tmux import commands
from hqt.backends.tmux.server import revive_command
from hqt.db import files, health, migrations
from hqt.doctor.check import Check, Subject, count
from hqt.doctor.facts import Facts
from hqt.errors import BackendError, DatabaseError

_SERVER = Subject("tmux-server", "tmux server")
_DATABASE = Subject("database", "database")
_PANES = Subject("panes", "panes")


def server(scene: Facts) -> Check:
    seen = scene.panes
    if seen is None or scene.places is None:
        return _SERVER.warning("not looked at: tmux or a folder can't be used")
    if isinstance(seen, BackendError):
        return _SERVER.error(seen)
    if seen.reach == "down":
        return _SERVER.ok("down: the first session starts it")
    if seen.reach == "up":
        return _SERVER.ok(f"up, pid {seen.server}, {count(seen.panes, 'pane')}")
    socket = scene.places.socket
    return _SERVER.failed(
        f"unreachable: it lives (pid {seen.server}) with its agents, but its socket {socket} is gone",
        f"`{revive_command(socket, seen.server)}` makes it anew",
    )


def database(scene: Facts) -> Check:
    if scene.places is None:
        return _DATABASE.warning("not looked at: a folder can't be used")
    path = scene.places.database
    try:
        if not files.exists(path):
            return _DATABASE.ok("none yet: the first session makes it")
        version = health.version(path)
    except DatabaseError as error:
        return _DATABASE.error(error)
    if version is None:
        remedy = "copy it if you want to: the next command that writes moves it aside and begins a new one"
        return _DATABASE.failed(f"{path} is damaged", remedy)
    if isinstance(scene.sessions, DatabaseError):
        return _DATABASE.error(scene.sessions)
    age = "" if version == migrations.VERSION else f" (the next change makes it {migrations.VERSION})"
    return _DATABASE.ok(f"{path}, version {version}{age}, {count(scene.sessions or (), 'session')}")


def panes(scene: Facts) -> Check:
    """Panes without a row, as a database that was moved aside leaves them."""
    seen, rows, here = scene.panes, scene.sessions, scene.places
    if not isinstance(seen, Panes) or here is None or rows is None or isinstance(rows, DatabaseError):
        return _PANES.warning("not compared with sessions: tmux or the database can't be read")
    known = {row.key for row in rows}
    orphans = [pane for pane in seen.panes if pane.key not in known]
    if not orphans:
        return _PANES.ok("none without a session")
    named = ", ".join(f"{pane.key} ({pane.title})" for pane in orphans)
    return _PANES.warning(f"{count(orphans, 'pane')} without a session: {named}", _end(orphans, here.socket))


def _end(orphans: Sequence[Pane], socket: Path) -> str:
    tmux, target = f"tmux -S {shlex.quote(str(socket))}", commands.session_target(orphans[0].key)
    each = "" if len(orphans) == 1 else "for each, as for the first: "
    return f"{each}`{tmux} attach -t {target}` shows it, `{tmux} kill-session -t {target}` ends it"
