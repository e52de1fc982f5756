"""The screen as a program: its screens, its one place for errors, and the way into a session and back."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from logging import DEBUG, ERROR
from pathlib import Path
from typing import ClassVar, Protocol, TypeVar, runtime_checkable

from textual import work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Key
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.widgets import Input, TextArea

from hqt.errors import HqtError
from hqt.logs import log
from hqt.tui import theme
from hqt.tui.cells import plain
from hqt.tui.dialog.draft import Draft
from hqt.tui.link.services import Services
from hqt.tui.session_keys import SessionKeys
from hqt.tui.terminal_output import TerminalOutput

_Result = TypeVar("_Result")
_THREADS = 32  # changes take at most half of them


def utc_now() -> datetime:
    return datetime.now(UTC)


@runtime_checkable
class OffersCommands(Protocol):
    """A screen whose actions stand in the command palette."""

    def commands(self) -> Iterable[SystemCommand]: ...


class HqtApp(App[None]):
    """hqt's screen. All that takes time runs in threads; keys are never held up."""

    TITLE = "hqt"
    CSS_PATH = Path(__file__).with_name("app.tcss")
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        # Textual's own way out, ctrl-q, is here the way back from a session: pressed once too often it
        # must not leave hqt as well
        Binding("ctrl+q", "nothing", show=False, priority=True),
    ]

    def __init__(
        self,
        services: Services,
        main: Callable[[], Screen[None]] | None = None,
        *,
        now: Callable[[], datetime] = utc_now,
        inside: SessionKeys | None = None,
        state: Path | None = None,
    ) -> None:
        """`state`: the folder that the chosen theme is kept in; None: it is not kept."""
        super().__init__()
        self.services = services
        self.now = now
        self.inside = inside or SessionKeys()
        self.draft: Draft | None = None  # of a session, left in its dialog
        self.last_words: list[str] = []  # said in the terminal once the screen is gone
        self.is_lent = False
        self.has_crashed = False
        self._main = main
        self._state = state
        kept = theme.remembered_theme(state) if state is not None else None
        if kept in self.available_themes:  # another version of Textual may have others
            self.theme = kept

    def get_driver_class(self) -> type[Driver]:
        chosen = super().get_driver_class()
        return TerminalOutput if chosen is LinuxDriver else chosen

    def get_default_screen(self) -> Screen[None]:
        return super().get_default_screen() if self._main is None else self._main()

    def on_mount(self) -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS, "hqt"))
        self.theme_changed_signal.subscribe(self, lambda _: self._keep_theme())

    def on_key(self, event: Key) -> None:
        """Give a letter to the input that has the focus, which it missed only by being typed just before.

        Textual sends a key to whatever had the focus when it was read; all the rest of a burst such as
        `/deploy` would be obeyed as keys of the list, `d` among them.
        """
        if event.is_printable and isinstance(self.focused, Input | TextArea):
            event.prevent_default().stop()
            self.post_message(Key(event.key, event.character))

    async def attempt(self, work: Callable[[], _Result]) -> _Result | HqtError:
        """What `work` returns, run in a thread; a deliberate error is a value, shown where it belongs."""
        try:
            return await asyncio.to_thread(work)
        except HqtError as error:
            return error

    @work
    async def begin(self, do: Callable[[], Awaitable[object]]) -> None:
        """Do it beside all else.

        Not by a coroutine for run_worker: Python complains of one that hqt's end left unbegun.
        """
        await do()

    def tell(self, sentence: str, *, is_error: bool = False) -> None:
        """A word that passes by itself; what is in it is shown literally."""
        severity: SeverityLevel = "error" if is_error else "information"
        log.log(ERROR if is_error else DEBUG, "%s", sentence)
        self.notify(plain(sentence), severity=severity, markup=False)

    @work
    async def _keep_theme(self) -> None:
        state, name = self._state, self.theme
        if state is not None and name != theme.remembered_theme(state):
            kept = await self.attempt(lambda: theme.remember_theme(state, name))
            if isinstance(kept, HqtError):
                self.tell(str(kept), is_error=True)

    def lend(self, work: Callable[[], _Result]) -> _Result | HqtError:
        """What `work` returns, which has the terminal to itself; nothing else happens here meanwhile."""
        with self.suspend():
            self.is_lent = True
            try:
                return work()
            except HqtError as error:
                return error
            finally:
                self.is_lent = False

    def leave(self, code: int) -> None:
        """End with that exit code, from wherever it is called, such as a signal's handler."""
        if self._loop is None:  # not begun, or over: there is no terminal to give back
            raise SystemExit(code)
        self._loop.call_soon_threadsafe(lambda: self.exit(return_code=code))

    def action_help_quit(self) -> None:
        """Ctrl-c, which people press to leave."""
        self.notify("q quits hqt; the agents go on")

    def action_nothing(self) -> None:
        """For keys that must do nothing."""

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The command palette: all that this screen can do, and the themes."""
        if isinstance(screen, OffersCommands):
            yield from screen.commands()
        yield SystemCommand("theme", "choose colours, light or dark", self.action_change_theme)

    def _fatal_error(self) -> None:
        # Textual would print a traceback with the values of variables, what people typed among them
        self.has_crashed = True
        log.exception("the screen failed")
        self._close_messages_no_wait()
