"""What hqt is doing with sessions at this moment: one thing with each, several side by side."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from hqt.errors import HqtError
from hqt.logs import log
from hqt.tui.app import HqtApp

_Result = TypeVar("_Result")
_AT_ONCE = 16  # of the app's threads; looks and previews have the rest to themselves


class InProgress:
    """Runs changes; `words` says, by the session's key, what is being done with it meanwhile."""

    def __init__(self, app: HqtApp, look: Callable[[], Awaitable[None]], paint: Callable[[], None]) -> None:
        """`look` is awaited when a change is over, before its word goes; `paint` shows the words."""
        self._app = app
        self._look = look
        self._paint = paint
        self._words: dict[str, str] = {}
        self._room = asyncio.Semaphore(_AT_ONCE)

    @property
    def words(self) -> Mapping[str, str]:
        return self._words

    async def run(self, key: str, word: str, work: Callable[[], _Result]) -> _Result | HqtError | None:
        """What `work` returns; None, and nothing is done, while something else is being done with it."""
        if key in self._words:
            return None
        self._words[key] = word
        log.debug("%s %s", key, word)
        self._paint()
        try:
            async with self._room:
                result = await self._app.attempt(work)
            await self._look()
        finally:
            del self._words[key]
            self._paint()
        log.debug("%s %s done", key, word)
        return result
