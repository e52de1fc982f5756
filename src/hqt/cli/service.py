"""The service for a writing command: healed first, and what was found broken is said."""

from hqt.cli.output import say
from hqt.cli.wiring import here, tmux_backend
from hqt.db.engine import open_database
from hqt.services.launches import Caller
from hqt.services.sessions import SessionService


def open_service() -> SessionService:
    """The service of this user; what crashes and reboots left behind is put in order."""
    found, caller = here(), Caller.current()
    database = open_database(found)
    if database.moved_aside is not None:
        say(f"the database was damaged and is moved to {database.moved_aside}: hqt starts with an empty one")
    service = SessionService(found, caller, tmux_backend(found, caller), database)
    service.heal()
    return service
