"""Looks that never pile up."""

import asyncio

from hqt.tui.link.refresh import Refresh


class _Slow:
    """A look that lasts until it is let go."""

    def __init__(self) -> None:
        self.count = 0
        self.gate = asyncio.Event()

    async def look(self) -> None:
        self.count += 1
        await self.gate.wait()


async def _settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_ticks_are_dropped_while_a_look_is_under_way() -> None:
    """A70: a slow tmux, or hqt stopped and continued, leaves no backlog."""
    slow = _Slow()
    looking = Refresh(slow.look)
    ticks = [asyncio.create_task(looking.tick()) for _ in range(1)]
    await _settled()
    ticks += [asyncio.create_task(looking.tick()) for _ in range(300)]
    await _settled()
    assert slow.count == 1
    slow.gate.set()
    await asyncio.gather(*ticks)
    assert slow.count == 1
    await looking.tick()
    assert slow.count == 2


async def test_who_wants_a_fresh_look_gets_one_that_began_later_and_shares_it() -> None:
    slow = _Slow()
    looking = Refresh(slow.look)
    first = asyncio.create_task(looking.fresh())
    await _settled()
    others = [asyncio.create_task(looking.fresh()) for _ in range(100)]
    await _settled()
    assert slow.count == 1
    slow.gate.set()
    await asyncio.gather(first, *others)
    assert slow.count == 2
