"""The screen from its start to its end: what it works with, and what is said when it is gone."""

import sys

from hqt.services.launches import Caller
from hqt.tui.app import HqtApp
from hqt.tui.desk import Desk
from hqt.tui.screens.sessions import SessionsScreen
from hqt.wiring import here, open_service, tmux_backend
from hqt.wording import literal


def run(*, debug: bool) -> int:
    """Show the screen until it is left; the exit code."""
    found, caller = here(), Caller.current()
    app = HqtApp(
        Desk(found, caller, tmux_backend(found, caller), lambda: open_service(app_tells)), SessionsScreen
    )

    def app_tells(sentence: str) -> None:
        app.last_words.append(sentence)

    app.run()
    for sentence in app.last_words:
        print(f"hqt: {literal(sentence)}", file=sys.stderr)
    return app.return_code or 0
