"""The screen as a program: its screens, its one place for errors, and the way into a session and back."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from textual.app import App

from hqt.errors import HqtError
from hqt.tui.desk import Desk

_Result = TypeVar("_Result")


class HqtApp(App[None]):
    """hqt's screen. All that takes time runs in threads; keys are never held up."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk

    async def attempt(self, work: Callable[[], _Result]) -> _Result | HqtError:
        """What `work` returns, run in a thread; a deliberate error is a value, shown where it belongs."""
        try:
            return await asyncio.to_thread(work)
        except HqtError as error:
            return error
