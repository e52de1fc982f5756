"""The screen as a program: its screens, its one place for errors, and the way into a session and back."""

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import ClassVar, Protocol, TypeVar, runtime_checkable

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen

from hqt.errors import HqtError
from hqt.tui.desk import Desk

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
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        # Textual's own way out, ctrl-q, is here the way back from a session: pressed once too often it
        # must not leave hqt as well
        Binding("ctrl+q", "nothing", show=False, priority=True),
    ]

    def __init__(
        self,
        desk: Desk,
        main: Callable[[], Screen[None]] | None = None,
        *,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        super().__init__()
        self.desk = desk
        self.now = now
        self.last_words: list[str] = []  # said in the terminal once the screen is gone
        self._main = main

    def get_default_screen(self) -> Screen[None]:
        return super().get_default_screen() if self._main is None else self._main()

    def on_mount(self) -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS, "hqt"))

    async def attempt(self, work: Callable[[], _Result]) -> _Result | HqtError:
        """What `work` returns, run in a thread; a deliberate error is a value, shown where it belongs."""
        try:
            return await asyncio.to_thread(work)
        except HqtError as error:
            return error

    def lend(self, work: Callable[[], _Result]) -> _Result | HqtError:
        """What `work` returns, which has the terminal to itself; nothing else happens here meanwhile."""
        with self.suspend():
            try:
                return work()
            except HqtError as error:
                return error

    def action_nothing(self) -> None:
        """For keys that must do nothing."""

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The command palette: all that this screen can do, and the themes."""
        if isinstance(screen, OffersCommands):
            yield from screen.commands()
        yield SystemCommand("theme", "choose colours, light or dark", self.action_change_theme)
