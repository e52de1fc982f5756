"""What the main screen does to sessions: it asks where many or much is meant, and says what came of it."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import TypeVar

from hqt.backends.base import Size
from hqt.errors import HqtError
from hqt.observe.views import Outcome, SessionView
from hqt.tui.app import HqtApp
from hqt.tui.cells import plain
from hqt.tui.main.in_progress import InProgress
from hqt.tui.main.pending_deletions import PendingDeletions
from hqt.tui.screens.confirm import ConfirmScreen
from hqt.tui.screens.ended import EndedScreen

_Result = TypeVar("_Result")
_Work = Callable[[SessionView], SessionView | Outcome]
_Told = Callable[[SessionView], str]


class Operations:
    """Each change is a worker of its own. `meant` is called when it is sure that a person meant it."""

    def __init__(self, app: HqtApp, look: Callable[[], Awaitable[None]], paint: Callable[[], None]) -> None:
        self._app = app
        self._paint = paint
        self._doing = InProgress(app, look, paint)
        self._deletions = PendingDeletions()

    def words(self) -> Mapping[str, str]:
        """What is being done, by the session's key."""
        return self._doing.words

    def leaving(self, now: datetime) -> Mapping[str, str]:
        """What is said of those that are to be deleted, likewise."""
        return self._deletions.words(now)

    def stop(self, views: tuple[SessionView, ...], meant: Callable[[], None]) -> None:
        services = self._app.services
        self._each(
            views, "Stop", "stopping…", lambda view: services.service.stop_session(str(view.id)), meant
        )

    def resume(
        self, views: tuple[SessionView, ...], size: Size, meant: Callable[[], None], *, fresh: bool
    ) -> None:
        """Those that run are left as they are, which is said where it is all of them."""
        services, ended = self._app.services, tuple(view for view in views if not view.is_running)
        if views and not ended:
            self._app.tell("It is already running. Press enter to enter it, s to stop it.")
            return
        verb, word = ("Start afresh", "starting…") if fresh else ("Resume", "resuming…")

        def work(view: SessionView) -> Outcome:
            return services.service.resume_session(str(view.id), fresh=fresh, size=size)

        self._each(ended, verb, word, work, meant)

    def mute(self, views: tuple[SessionView, ...], meant: Callable[[], None]) -> None:
        """Let all be silent; where they are already, let all be heard again."""
        services, muted = self._app.services, not all(view.muted for view in views)
        wanted = tuple(view for view in views if view.muted != muted)

        def work(view: SessionView) -> SessionView:
            return services.service.mute_session(str(view.id), muted=muted)

        verb, word = ("Mute", "muting…") if muted else ("Unmute", "unmuting…")
        self._each(wanted, verb, word, work, meant, _notices_told)

    async def fork(self, view: SessionView, size: Size) -> str | None:
        """The key of a copy of the session; None where none was made, which is said."""
        services, session = self._app.services, str(view.id)
        done = await self.run(view, "copying…", lambda: services.service.fork_session(session, size=size))
        if done is None:
            return None
        tell_outcome(self._app, done)
        return done.view.key

    def delete(self, views: tuple[SessionView, ...], meant: Callable[[], None]) -> None:
        """Nothing is stopped or removed until `carry_out`."""
        waiting = self._deletions.words(self._app.now())
        wanted = tuple(view for view in views if view.key not in waiting)

        def go() -> None:
            self._deletions.add((view.key for view in wanted), self._app.now())
            meant()

        if wanted:
            self._ask(_question(wanted), "Delete", go)

    def undo(self) -> None:
        if not self._deletions.undo():
            self._app.tell("no deletion to undo")
        self._paint()

    def keep(self, view: SessionView) -> None:
        """Who is entered is not deleted."""
        self._deletions.keep([view.key])

    def carry_out(self, views: Iterable[SessionView]) -> None:
        """Delete those whose time has come."""
        due = self._deletions.take_due(self._app.now())
        for view in views:
            if view.key in due:
                self._app.begin(partial(self._delete, view))

    async def finish(self, views: Iterable[SessionView]) -> None:
        """Delete all that still wait, as the screen is left; what failed is said when it is gone."""
        due = self._deletions.take_due(None)
        for view in views:
            failed = await self._delete(view) if view.key in due else None
            if failed is not None:
                self._app.last_words.append(str(failed))

    async def run(self, view: SessionView, word: str, work: Callable[[], _Result]) -> _Result | None:
        """What `work` returns; None where it failed, which is said, or something else is being done."""
        done = await self._doing.run(view.key, word, work)
        if isinstance(done, HqtError):
            self._app.tell(str(done), is_error=True)
            return None
        return done

    def _each(
        self,
        views: tuple[SessionView, ...],
        verb: str,
        word: str,
        work: _Work,
        meant: Callable[[], None],
        told: _Told | None = None,
    ) -> None:
        def go() -> None:
            meant()
            for view in views:
                self._app.begin(partial(self._one, view, word, work, told))

        if len(views) > 1:
            self._ask(f"{verb} {len(views)} sessions?", verb, go)
        else:
            go()

    async def _one(self, view: SessionView, word: str, work: _Work, told: _Told | None) -> None:
        done = await self.run(view, word, lambda: work(view))
        if isinstance(done, Outcome):
            tell_outcome(self._app, done)
        elif done is not None and told is not None:
            self._app.tell(told(done))

    async def _delete(self, view: SessionView) -> HqtError | None:
        service, session = self._app.services, str(view.id)
        failed = await self._doing.run(view.key, "deleting…", lambda: service.service.delete_session(session))
        if failed is not None:
            self._app.tell(str(failed), is_error=True)
        return failed

    def _ask(self, question: str, yes: str, go: Callable[[], None]) -> None:
        """Not from a worker: the question must be there for the very next key, however fast it is typed."""
        self._app.push_screen(ConfirmScreen(question, yes), lambda answer: go() if answer else None)


def tell_outcome(app: HqtApp, outcome: Outcome) -> None:
    """Say what a start had to note; one that ended at once shows its last lines."""
    for note in outcome.notes:
        app.tell(note)
    if not outcome.view.is_alive:
        app.push_screen(EndedScreen(outcome))


def _notices_told(view: SessionView) -> str:
    return f"{view.name} is {'muted' if view.muted else 'heard again'}"


def _question(views: tuple[SessionView, ...]) -> str:
    live = sum(view.is_alive for view in views)
    if len(views) > 1:
        return f"Delete {len(views)} sessions?{f' {live} are alive and will be stopped.' if live else ''}"
    ends = " It is alive and will be stopped." if live else ""
    return f"Delete session {views[0].id} {plain(views[0].name)}?{ends}"
