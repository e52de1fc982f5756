"""Looks that never pile up: one at a time, and whoever waits for one shares it."""

import asyncio
from collections.abc import Awaitable, Callable


class Refresh:
    """Keeps looks apart. A slow tmux or a stopped process leaves no backlog."""

    def __init__(self, look: Callable[[], Awaitable[None]]) -> None:
        self._look = look
        self._turn = asyncio.Lock()
        self._begun = 0

    async def tick(self) -> None:
        """Look, unless a look is under way."""
        if not self._turn.locked():
            await self.fresh()

    async def fresh(self) -> None:
        """Return after a look that began after this call; many callers share one."""
        before = self._begun
        async with self._turn:
            if self._begun == before:
                self._begun += 1
                await self._look()
