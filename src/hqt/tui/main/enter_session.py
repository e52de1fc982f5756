"""Into a session and back."""

from collections.abc import Awaitable, Callable
from functools import partial

from hqt.backends.base import Attach, Size
from hqt.errors import HqtError
from hqt.observe.views import Outcome, SessionView
from hqt.tui.app import HqtApp
from hqt.tui.main.operations import Operations, tell_outcome
from hqt.tui.screens.ended import EndedScreen
from hqt.tui.screens.new_session import Created


class Entering:
    """Lends the terminal to a session; one that is not alive is resumed first, as `hqt attach` does."""

    def __init__(self, app: HqtApp, changes: Operations, look: Callable[[], Awaitable[None]]) -> None:
        self._app = app
        self._changes = changes
        self._look = look

    async def enter(self, view: SessionView) -> str:
        """The key of the session whose row is to be chosen then: the one shown last inside."""
        services, size = self._app.services, Size(*self._app.size)
        self._changes.keep(view)
        word = "entering…" if view.is_running else "resuming…"
        entered = await self._changes.run(view, word, lambda: services.enter(view, size))
        if entered is None:
            return view.key
        command, outcome = entered
        last = await self._attend(outcome.view, command) if outcome.view.is_alive else None
        tell_outcome(self._app, outcome)  # now: inside it could not be seen
        return last or view.key

    async def begin(self, created: Created) -> str:
        """Enter what was just started, as `enter`; with a prompt it works, and the list stays."""
        view = created.outcome.view
        await self._look()
        is_to_be_entered = view.is_alive and not created.chosen.prompt
        key = await self.enter(view) if is_to_be_entered else view.key
        tell_outcome(self._app, created.outcome)
        return key

    async def _attend(self, view: SessionView, command: Attach) -> str | None:
        app, services = self._app, self._app.services
        # inside hqt's own tmux the command only switches what this terminal shows, and we go on beside it
        attend = partial(services.attend, view, command)
        last = await app.attempt(attend) if services.is_inside else app.lend(attend)
        if isinstance(last, HqtError):
            app.tell(str(last), is_error=True)
            last = None
        if command.note:
            app.tell(command.note)
        ended = await app.attempt(lambda: services.ended(last or view.key))
        await self._look()
        if isinstance(ended, Outcome):
            await app.push_screen(EndedScreen(ended))
        return last
