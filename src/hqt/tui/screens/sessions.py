"""The main screen: every session at a glance, and all that can be done with them."""

from collections.abc import Callable, Iterable
from typing import ClassVar

from textual import getters
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Input

from hqt.backends.base import Size
from hqt.errors import HqtError
from hqt.services.ordering import next_needing
from hqt.services.views import Outcome, SessionView
from hqt.tui import actions
from hqt.tui.app import HqtApp
from hqt.tui.arranging import Scene, found
from hqt.tui.cells import plain
from hqt.tui.deleting import Deletions
from hqt.tui.desk import Glance
from hqt.tui.doing import Doing
from hqt.tui.looking import Looking
from hqt.tui.screens.confirm import ConfirmScreen
from hqt.tui.screens.ended import EndedScreen
from hqt.tui.screens.help import HelpScreen
from hqt.tui.screens.rename import RenameScreen
from hqt.tui.widgets.beside import Beside
from hqt.tui.widgets.footer import Footer
from hqt.tui.widgets.notices import Notices
from hqt.tui.widgets.preview import Preview
from hqt.tui.widgets.session_table import SessionTable
from hqt.tui.widgets.summary import Summary

_TICK_S = 1.0


class SessionsScreen(Screen[None]):
    """Looks once a second for everything; what takes time runs beside it and says so in its row."""

    app = getters.app(HqtApp)
    CSS_PATH = "sessions.tcss"
    AUTO_FOCUS = "SessionTable"
    BINDINGS: ClassVar[list[BindingType]] = [*actions.bindings(), Binding("escape", "clear", show=False)]

    def __init__(self) -> None:
        super().__init__()
        self._glance = Glance()
        self._marked: frozenset[str] = frozenset()
        self._deletions = Deletions()
        self._looking = Looking(self._look)
        self._doing = Doing(self.app, self._looking.fresh, self._paint)
        self._summary, self._notices, self._footer = Summary(), Notices(), Footer()
        self._table, self._preview = SessionTable(), Preview()
        self._beside = Beside(self._table, self._preview)
        self._filter = Input(placeholder="filter: enter keeps it, esc shows all", classes="filter")

    def compose(self) -> ComposeResult:
        yield self._summary
        yield self._notices
        yield self._beside
        yield self._filter
        yield self._footer

    def on_mount(self) -> None:
        self._filter.display = False
        self.run_worker(self._begin())
        self.set_interval(_TICK_S, self._tick)

    def commands(self) -> Iterable[SystemCommand]:
        """All that keys do, for the command palette."""
        for each in actions.ACTIONS:
            told = f"{each.told} ({each.sign})"
            yield SystemCommand(each.short, told, self._runner(each.name))

    # what is seen

    async def _begin(self) -> None:
        await self._looking.fresh()
        # after the first list: it imports for half a second, and puts in order what crashes left
        opened = await self.app.attempt(lambda: self.app.desk.service)
        self._notices.say("service", str(opened) if isinstance(opened, HqtError) else None)
        await self._looking.fresh()

    def _tick(self) -> None:
        for key in self._deletions.take_due(self.app.now()):
            self.run_worker(self._delete(key))
        self._paint()  # the times, also while a look takes long
        self.run_worker(self._looking.tick())

    async def _look(self) -> None:
        seen = await self.app.attempt(self.app.desk.glance)
        self._notices.say("look", str(seen) if isinstance(seen, HqtError) else None)
        if isinstance(seen, Glance):
            self._glance = seen
            self._marked &= {view.key for view in seen.views}
            self._paint()

    def _paint(self) -> None:
        scene = self._scene()
        self._table.show(scene)
        shown = found(scene)
        before = f"{len(shown)} of {len(self._glance.views)} match · " if scene.wanted else ""
        self._summary.show(self._glance.views, before)
        self._preview.view = self._view(self._table.chosen)

    def _scene(self) -> Scene:
        now = self.app.now()
        return Scene(
            self._glance, now, self._filter.value, self._marked, self._doing.words, self._deletions.words(now)
        )

    def _view(self, key: str | None) -> SessionView | None:
        return next((view for view in self._glance.views if view.key == key), None)

    def on_session_table_chosen(self, event: SessionTable.Chosen) -> None:
        self._preview.view = self._view(event.key)

    def on_session_table_entered(self, _: SessionTable.Entered) -> None:
        self.action_enter()

    def _tell(self, sentence: str, *, is_error: bool = False) -> None:
        self.notify(plain(sentence), severity="error" if is_error else "information", markup=False)

    # keys: go

    def action_enter(self) -> None:
        view = self._view(self._table.chosen)
        if view is not None:
            self.run_worker(self._enter(view))

    async def _enter(self, view: SessionView) -> None:
        desk, size = self.app.desk, self.app.size
        self._deletions.keep([view.key])
        word = "entering…" if view.is_running else "resuming…"
        agent_size = Size(size.width, size.height)
        entered = await self._doing.run(view.key, word, lambda: desk.enter(view, agent_size))
        if isinstance(entered, HqtError):
            self._tell(str(entered), is_error=True)
        elif entered is not None:
            command, outcome = entered
            self._tell_outcome(outcome)
            if outcome.view.is_alive:
                if command.note:
                    self._tell(command.note)
                await self._attend(outcome.view, lambda: desk.attend(outcome.view, command))

    async def _attend(self, view: SessionView, work: Callable[[], str | None]) -> None:
        """Be in the session; afterwards its row is chosen, or that of the one shown last inside."""
        app = self.app
        last = await app.attempt(work) if app.desk.is_inside else app.lend(work)
        if isinstance(last, HqtError):
            self._tell(str(last), is_error=True)
            last = None
        key = last or view.key
        self._table.choose(key)
        ended = await app.attempt(lambda: app.desk.ended(key))
        await self._looking.fresh()
        if isinstance(ended, Outcome):
            await self.app.push_screen(EndedScreen(ended))

    def _tell_outcome(self, outcome: Outcome) -> None:
        for note in outcome.notes:
            self._tell(note)
        if not outcome.view.is_alive:
            self.app.push_screen(EndedScreen(outcome))

    def action_next(self) -> None:
        view = next_needing(self._glance.views, self._table.chosen)
        if view is None:
            self._tell("no session needs you")
            return
        if view not in found(self._scene()):
            self._filter.value = ""
            self._paint()
        self._table.choose(view.key)

    def action_filter(self) -> None:
        self._filter.display = True
        self._filter.focus()

    def on_input_changed(self, _: Input.Changed) -> None:
        self._paint()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._filter.display = bool(event.value)
        self._table.focus()

    def action_clear(self) -> None:
        """Esc: the filter first, then the marks."""
        if self._filter.display:
            self._filter.value = ""
            self._filter.display = False
            self._table.focus()
        else:
            self._marked = frozenset()
        self._paint()

    # keys: start, end, keep order

    def action_stop(self) -> None:
        service = self.app.desk
        self._for_targets("stop", "stopping…", lambda view: service.service.stop_session(str(view.id)))

    def action_resume(self) -> None:
        self._respawn("resume", "resuming…", fresh=False)

    def action_fresh(self) -> None:
        self._respawn("start afresh", "starting…", fresh=True)

    def action_delete(self) -> None:
        self.run_worker(self._ask_to_delete())

    def action_undo(self) -> None:
        if not self._deletions.undo():
            self._tell("nothing is to be deleted")
        self._paint()

    def action_mark(self) -> None:
        key = self._table.chosen
        if key is not None:
            self._marked ^= {key}
            self._paint()
            self._table.action_move(1)

    def action_rename(self) -> None:
        view = self._view(self._table.chosen)
        if view is not None:
            self.run_worker(self._rename(view))

    async def _rename(self, view: SessionView) -> None:
        if await self.app.push_screen_wait(RenameScreen(view)) is not None:
            await self._looking.fresh()

    def _targets(self) -> tuple[SessionView, ...]:
        """All that are marked; where none is, the chosen one."""
        keys = self._marked or {self._table.chosen}
        return tuple(view for view in self._glance.views if view.key in keys)

    def _respawn(self, verb: str, word: str, *, fresh: bool) -> None:
        desk, size = self.app.desk, Size(self.app.size.width, self.app.size.height)
        self._for_targets(
            verb, word, lambda view: desk.service.resume_session(str(view.id), fresh=fresh, size=size)
        )

    def _for_targets(
        self, verb: str, word: str, work: Callable[[SessionView], SessionView | Outcome]
    ) -> None:
        self.run_worker(self._each(self._targets(), verb, word, work))

    async def _each(
        self,
        views: tuple[SessionView, ...],
        verb: str,
        word: str,
        work: Callable[[SessionView], SessionView | Outcome],
    ) -> None:
        if len(views) > 1 and not await self._asked(f"{verb.capitalize()} {len(views)} sessions?", verb):
            return
        self._marked = frozenset()
        for view in views:
            self.run_worker(self._one(view, word, work))

    async def _one(
        self, view: SessionView, word: str, work: Callable[[SessionView], SessionView | Outcome]
    ) -> None:
        done = await self._doing.run(view.key, word, lambda: work(view))
        if isinstance(done, HqtError):
            self._tell(str(done), is_error=True)
        elif isinstance(done, Outcome):
            self._tell_outcome(done)

    async def _ask_to_delete(self) -> None:
        views = self._targets()
        if not views:
            return
        what = (
            f"session {views[0].id} {plain(views[0].name)}" if len(views) == 1 else f"{len(views)} sessions"
        )
        live = sum(view.is_alive for view in views)
        ends = (
            " It is alive and will be ended."
            if live and len(views) == 1
            else f" {live} are alive." * bool(live)
        )
        if await self._asked(f"Delete {what}?{ends}", "delete"):
            self._deletions.add((view.key for view in views), self.app.now())
            self._marked = frozenset()
            self._paint()

    async def _asked(self, question: str, verb: str) -> bool:
        return await self.app.push_screen_wait(ConfirmScreen(question, verb.capitalize()))

    async def _delete(self, key: str) -> HqtError | None:
        view, desk = self._view(key), self.app.desk
        if view is None:
            return None
        failed = await self._doing.run(key, "deleting…", lambda: desk.service.delete_session(str(view.id)))
        if failed is not None:
            self._tell(str(failed), is_error=True)
        return failed

    # keys: look, leave

    def action_preview(self) -> None:
        self._beside.toggle()

    def action_tab(self) -> None:
        self._preview.turn()

    def action_help(self) -> None:
        self.app.push_screen(HelpScreen())

    def action_quit(self) -> None:
        self.run_worker(self._quit())

    async def _quit(self) -> None:
        for key in self._deletions.take_due(None):
            failed = await self._delete(key)
            if failed is not None:
                self.app.last_words.append(str(failed))
        self.app.exit()

    def _runner(self, action: str) -> Callable[[], object]:
        async def run() -> None:
            await self.run_action(action)

        return run
