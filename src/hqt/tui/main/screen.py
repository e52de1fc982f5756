"""The main screen: every session at a glance, and all that can be done with them."""

from collections.abc import Iterable
from functools import partial
from typing import ClassVar

from textual import getters, work
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Input

from hqt.backends.base import Size
from hqt.errors import HqtError, NewerDatabase
from hqt.observe.order import next_needing
from hqt.observe.views import SessionView
from hqt.tui import actions
from hqt.tui.app import HqtApp
from hqt.tui.link.refresh import Refresh
from hqt.tui.link.services import Snapshot
from hqt.tui.link.wakeups import Wakeups
from hqt.tui.list.layout import Scene, matching
from hqt.tui.main.enter_session import Entering
from hqt.tui.main.operations import Operations
from hqt.tui.screens.details import DetailsScreen
from hqt.tui.screens.doctor import DoctorScreen
from hqt.tui.screens.help import HelpScreen
from hqt.tui.screens.jail import JailScreen
from hqt.tui.screens.new_session import Created, NewSessionScreen
from hqt.tui.screens.rename import RenameScreen
from hqt.tui.widgets.footer import Footer
from hqt.tui.widgets.line import Line
from hqt.tui.widgets.notices import Notices
from hqt.tui.widgets.preview import Preview
from hqt.tui.widgets.reply import Reply
from hqt.tui.widgets.session_table import SessionTable
from hqt.tui.widgets.side_by_side import SideBySide
from hqt.tui.widgets.summary_line import Summary

_TICK_S = 1.0


class SessionsScreen(Screen[None]):
    """Looks once a second for everything, and when an agent tells; what takes time says so in its row."""

    app = getters.app(HqtApp)
    CSS_PATH = "screen.tcss"
    AUTO_FOCUS = "SessionTable"
    BINDINGS: ClassVar[list[BindingType]] = [*actions.bindings(), Binding("escape", "clear", show=False)]

    def __init__(self) -> None:
        super().__init__()
        self._glance = Snapshot()
        self._marked: frozenset[str] = frozenset()
        self._looking = Refresh(self._look)
        self._hearing = Wakeups(lambda: self.app.begin(self._looking.fresh))
        self._changes = Operations(self.app, self._looking.fresh, self._paint)
        self._entering = Entering(self.app, self._changes, self._looking.fresh)
        self._summary, self._notices, self._footer = Summary(), Notices(), Footer()
        self._table, self._preview = SessionTable(), Preview()
        self._beside = SideBySide(self._table, self._preview)
        self._filter = Line(placeholder="filter: enter keeps it, esc clears it", compact=True)
        self._reply = Reply(home=self._table)

    def compose(self) -> ComposeResult:
        yield self._summary
        yield self._notices
        yield self._beside
        yield self._filter
        yield self._reply
        yield self._footer

    def on_mount(self) -> None:
        self._filter.display = False
        self._begin()
        self.set_interval(_TICK_S, self._tick)
        self._hearing.open()

    def on_unmount(self) -> None:
        self._hearing.close()

    def commands(self) -> Iterable[SystemCommand]:
        """All that keys do, for the command palette."""
        for each in actions.ACTIONS:
            told = f"{each.told} ({each.sign})"
            yield SystemCommand(each.short, told, partial(self.run_action, each.name))

    # what is seen

    @work
    async def _begin(self) -> None:
        await self._looking.fresh()
        # after the first list: it imports for half a second, and puts in order what crashes left
        opened = await self.app.attempt(lambda: self.app.services.service)
        self._notices.say("service", str(opened) if isinstance(opened, HqtError) else None)
        for sentence in self.app.services.told():
            self._notices.say(sentence, sentence)
        await self._looking.fresh()

    def _tick(self) -> None:
        self._changes.carry_out(self._glance.views)
        self._paint()  # the times, also while a look takes long
        self.app.begin(self._looking.tick)

    async def _look(self) -> None:
        seen = await self.app.attempt(self.app.services.glance)
        self._notices.say("look", _complaint(seen))
        if isinstance(seen, Snapshot):
            self._glance = seen
            self._hearing.attend(seen.told_in)
            for _ in range(seen.rings):
                self.app.bell()
            self._marked &= {view.key for view in seen.views}
            self._paint()

    def _paint(self) -> None:
        scene = self._scene()
        self._table.show(scene)
        views = self._glance.views
        before = f"{len(matching(scene))} of {len(views)} match · " if scene.wanted else ""
        self._summary.show(views, before)
        self._preview.view = self._chosen()

    def _scene(self) -> Scene:
        now = self.app.now()
        wanted, changes = self._filter.value, self._changes
        return Scene(self._glance, now, wanted, self._marked, changes.words(), changes.leaving(now))

    def _view(self, key: str | None) -> SessionView | None:
        return next((view for view in self._glance.views if view.key == key), None)

    def _chosen(self) -> SessionView | None:
        return self._view(self._table.chosen)

    def _targets(self) -> tuple[SessionView, ...]:
        """All that are marked and to be seen; where none is, the chosen one."""
        marked = tuple(view for view in matching(self._scene()) if view.key in self._marked)
        chosen = self._chosen()
        return marked or (() if chosen is None else (chosen,))

    def on_session_table_chosen(self, event: SessionTable.Chosen) -> None:
        self._preview.view = self._view(event.key)

    def on_session_table_entered(self, _: SessionTable.Entered) -> None:
        self.action_enter()

    # keys: go

    @work
    async def action_enter(self) -> None:
        view = self._chosen()
        if view is not None:
            self._table.choose(await self._entering.enter(view))

    def action_next(self) -> None:
        view = next_needing(self._glance.views, self._table.chosen)
        if view is None:
            self.app.tell("no other session needs you")
            return
        if view not in matching(self._scene()):
            self._filter.value = ""
            self._paint()
        self._table.choose(view.key)

    def action_filter(self) -> None:
        self._filter.display = True
        self.set_focus(self._filter)  # at once: what is typed next is for it

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

    def action_reply(self) -> None:
        """A line for the chosen one; a question is answered where it is asked."""
        view = self._chosen()
        if view is None:
            return
        if view.state == "waiting":
            self.app.tell("It is asking you something. Press enter to answer.")
        elif not view.is_running:
            self.app.tell("It is not running. Press enter to resume it.")
        else:
            self._reply.begin(view)

    @work
    async def on_reply_sent(self, event: Reply.Sent) -> None:
        view, services = self._view(event.key), self.app.services
        if view is not None:
            sent = await self._changes.run(view, "sending…", lambda: services.send(view, event.text))
            if sent is not None:
                self._reply.forget(event.key, event.text)

    # keys: start, end, keep order

    def action_new(self, sandboxed: bool) -> None:
        view = self._chosen()
        screen = NewSessionScreen(folder=view.cwd if view else None, sandboxed=sandboxed)
        self.app.push_screen(screen, self._begin_new)

    def _begin_new(self, created: Created | None) -> None:
        if created is not None:
            self._enter_new(created)

    @work
    async def _enter_new(self, created: Created) -> None:
        self._table.choose(await self._entering.begin(created))

    def action_stop(self) -> None:
        self._changes.stop(self._targets(), self._unmark)

    def action_resume(self) -> None:
        self._changes.resume(self._targets(), Size(*self.app.size), self._unmark, fresh=False)

    def action_fresh(self) -> None:
        self._changes.resume(self._targets(), Size(*self.app.size), self._unmark, fresh=True)

    def action_delete(self) -> None:
        self._changes.delete(self._targets(), self._unmark)

    def action_mute(self) -> None:
        self._changes.mute(self._targets(), self._unmark)

    def action_undo(self) -> None:
        self._changes.undo()

    @work
    async def action_fork(self) -> None:
        view = self._chosen()
        copy = await self._changes.fork(view, Size(*self.app.size)) if view is not None else None
        if copy is not None:
            self._table.choose(copy)

    def action_jail(self) -> None:
        view = self._chosen()
        if view is None:
            return
        if view.is_alive:
            self.app.tell(f"session {view.id} is alive: stop it with s, then change its jail with J")
        else:
            self.app.push_screen(JailScreen(view), self._look_again)

    def action_rename(self) -> None:
        view = self._chosen()
        if view is not None:
            self.app.push_screen(RenameScreen(view), self._look_again)

    def _look_again(self, _: SessionView | None) -> None:
        self.app.begin(self._looking.fresh)

    def action_mark(self) -> None:
        key = self._table.chosen
        if key is not None:
            self._marked ^= {key}
            self._paint()
            self._table.action_move(1)
            self._saw(key)

    @work
    async def _saw(self, key: str) -> None:
        """Whoever marks what is done has looked at it."""
        view = self._view(key)
        if view is not None and view.unseen:
            await self.app.attempt(lambda: self.app.services.saw(view))
            await self._looking.fresh()

    def _unmark(self) -> None:
        self._marked = frozenset()
        self._paint()

    # keys: look, leave

    def action_preview(self) -> None:
        self._beside.toggle()

    def action_tab(self) -> None:
        self._preview.turn()

    def action_details(self) -> None:
        view = self._chosen()
        if view is not None:
            self.app.push_screen(DetailsScreen(view))

    def action_doctor(self) -> None:
        self.app.push_screen(DoctorScreen())

    def action_help(self) -> None:
        self.app.push_screen(HelpScreen())

    @work
    async def action_quit(self) -> None:
        await self._changes.finish(self._glance.views)
        self.app.exit()


def _complaint(seen: Snapshot | HqtError) -> str | None:
    if isinstance(seen, NewerDatabase) or (isinstance(seen, Snapshot) and seen.is_outdated):
        return "hqt was updated: quit and restart it"
    return str(seen) if isinstance(seen, HqtError) else None
