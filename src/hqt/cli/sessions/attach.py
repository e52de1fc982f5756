"""`hqt attach`: enter a session's screen."""

import os
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from hqt.cli.output import say
from hqt.cli.sessions.report import LAST_LINES, say_end, size
from hqt.errors import ServiceError
from hqt.notifications.bell import Bell
from hqt.observe.attach import lend_terminal as give_terminal
from hqt.wiring import open_service

if TYPE_CHECKING:
    from hqt.sessions.service import SessionService


@click.command(epilog="\b\nExample:\n  hqt attach shop-claude")
@click.argument("session")
def attach(session: str) -> None:
    """Enter SESSION's screen, resuming it first where it is not alive; ctrl-q returns."""
    need_terminal("hqt attach")
    enter_screen(open_service(say), session)


def enter_screen(service: "SessionService", session: str) -> None:
    command, outcome = service.attach_session(session, size())
    for note in outcome.notes:
        say(f"note: {note}")
    if not outcome.view.is_alive:
        say_end(outcome.view, outcome.lines)
        raise Exit(1)
    if command.note:
        say(f"note: {command.note}")
    heard = Bell(service.places).sound
    last = give_terminal(service.looker, service.backend, outcome.view, command, heard)
    view = service.looker.of(last) if last else None
    view = view or service.looker.one(str(outcome.view.id))  # its name may have changed meanwhile
    if not view.is_alive:
        service.heal()
        view = service.looker.one(str(view.id))
        say_end(view, service.looker.screen(view, lines=LAST_LINES))


def need_terminal(what: str) -> None:
    if not (os.isatty(0) and os.isatty(1)):
        raise ServiceError(f"{what} needs a terminal: use `hqt capture` to see a screen without one")
