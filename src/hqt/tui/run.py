"""The screen from its start to its end: what it works with, and what is said when it is gone."""

import sys
from contextlib import suppress

from hqt import logs
from hqt.backends.tmux.backend import TmuxBackend
from hqt.backends.tmux.control import ControlClient
from hqt.formatting import literal
from hqt.notifications.bell import Bell
from hqt.start.caller import current_caller
from hqt.tui import signals
from hqt.tui.app import HqtApp
from hqt.tui.link.services import Services
from hqt.tui.main.screen import SessionsScreen
from hqt.tui.session_keys import SessionKeys
from hqt.wiring import here, open_service, tmux_settings


def run_screen(*, debug: bool) -> int:
    """Show the screen until it is left; the exit code. HqtError where it can't even be opened."""
    found = here()
    asking = current_caller(found)
    settings = tmux_settings(found, asking)
    logs.keep(found.log, debug=debug)
    logs.log.info("opened")
    control = ControlClient(settings)
    services = Services(found, asking, TmuxBackend(settings, control), open_service, Bell(found))
    app = HqtApp(services, SessionsScreen, inside=SessionKeys.of(settings), state=found.state)
    try:
        with signals.orderly_signals(app, found.log):
            app.run()
    finally:
        control.close()
    if app.has_crashed:
        app.last_words.append(f"this is a bug in hqt, the screen crashed: {found.log} tells how")
    with suppress(OSError):  # the terminal is gone, of which HUP may have told
        for sentence in app.last_words:
            print(f"hqt: {literal(sentence)}", file=sys.stderr)
    return app.return_code or 0
