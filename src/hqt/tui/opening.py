"""The screen from its start to its end: what it works with, and what is said when it is gone."""

import sys
from contextlib import suppress

from hqt import logbook
from hqt.backends.tmux.backend import TmuxBackend
from hqt.backends.tmux.control import ControlClient
from hqt.services.asking import caller
from hqt.services.ringing import Bell
from hqt.tui import leaving
from hqt.tui.app import HqtApp
from hqt.tui.desk import Desk
from hqt.tui.inside import InsideKeys
from hqt.tui.screens.sessions import SessionsScreen
from hqt.wiring import here, open_service, tmux_settings
from hqt.wording import literal


def run(*, debug: bool) -> int:
    """Show the screen until it is left; the exit code. HqtError where it can't even be opened."""
    found = here()
    asking = caller(found)
    settings = tmux_settings(found, asking)
    logbook.keep(found.log, debug=debug)
    logbook.log.info("opened")
    control = ControlClient(settings)
    desk = Desk(found, asking, TmuxBackend(settings, control), open_service, Bell(found))
    app = HqtApp(desk, SessionsScreen, inside=InsideKeys.of(settings), state=found.state)
    try:
        with leaving.orderly(app, found.log):
            app.run()
    finally:
        control.close()
    if app.has_crashed:
        app.last_words.append(f"the screen failed, which is hqt's fault: {found.log} tells how")
    with suppress(OSError):  # the terminal is gone, of which HUP may have told
        for sentence in app.last_words:
            print(f"hqt: {literal(sentence)}", file=sys.stderr)
    return app.return_code or 0
