"""One thing with each session, several side by side."""

import asyncio
import threading

from hqt.errors import HqtError, ServiceError
from hqt.tui.app import HqtApp
from hqt.tui.main.in_progress import InProgress
from tests.tui.stand import CannedServices


async def _nothing() -> None:
    return None


async def test_one_thing_with_each_session_at_a_time_and_its_word_while_it_lasts() -> None:
    painted: list[dict[str, str]] = []
    doing = InProgress(HqtApp(CannedServices()), _nothing, lambda: painted.append(dict(doing.words)))
    gate = threading.Event()
    first = asyncio.create_task(doing.run("a", "stopping…", lambda: gate.wait(10)))
    await asyncio.sleep(0)
    assert await doing.run("a", "resuming…", lambda: True) is None
    assert await doing.run("b", "resuming…", lambda: 7) == 7
    gate.set()
    assert await first is True
    assert painted == [{"a": "stopping…"}, {"a": "stopping…", "b": "resuming…"}, {"a": "stopping…"}, {}]


async def test_a_refusal_is_a_value_and_leaves_no_word() -> None:
    def refuse() -> None:
        raise ServiceError("no")

    doing = InProgress(HqtApp(CannedServices()), _nothing, lambda: None)
    assert isinstance(await doing.run("a", "stopping…", refuse), HqtError)
    assert doing.words == {}


async def test_a_hundred_at_once_leave_threads_for_looks() -> None:
    app, gate, begun = HqtApp(CannedServices()), threading.Event(), threading.Semaphore(0)

    def work() -> None:
        begun.release()
        gate.wait(10)

    async with app.run_test():
        doing = InProgress(app, _nothing, lambda: None)
        changes = [asyncio.create_task(doing.run(str(number), "stopping…", work)) for number in range(100)]
        await asyncio.to_thread(begun.acquire)
        assert await app.attempt(lambda: "looked") == "looked"
        gate.set()
        await asyncio.gather(*changes)
    assert doing.words == {}
