"""The preview shows one session, and asks for no more than can be seen."""

import threading
from pathlib import Path

from textual.screen import Screen

from hqt.errors import HqtError, JailError
from hqt.explain.explain import Explanation
from hqt.observe.views import SessionView
from hqt.tui.widgets.preview import Preview
from hqt.tui.widgets.screen_rows import ScreenRows
from hqt.tui.widgets.side_by_side import SideBySide
from tests.tui.sample import view
from tests.tui.stand import CannedServices, seen, stand, until

OPEN = Explanation("session shop", "Claude Code", Path("/home/a"), Path("/home/a/shop"), None)
ENDED = view(9, state="stopped", ended_at="2026-06-10T12:00:00Z")


async def test_it_shows_the_screen_and_why_it_ended() -> None:
    preview, services = Preview(), CannedServices()
    services.rows = lambda _: ["\x1b[31m[red]first\x1b[0m", "last"]
    app = stand(services, preview)
    async with app.run_test(size=(40, 6)) as pilot:
        preview.view = view(1, state="lost", note="[/] noted")
        await until(pilot, lambda: "last" in seen(app))
        assert seen(app) == [
            " gone with tmux or a reboot: r resumes",
            " it · [/] noted",
            " Screen  Jail",
            "[red]first",
            "last",
            "",
        ]


async def test_only_the_session_on_which_the_choice_rests_is_asked_for() -> None:
    preview, services = Preview(), CannedServices()
    app = stand(services, preview)
    async with app.run_test() as pilot:
        for number in range(1, 30):
            preview.view = view(number, state="stopped")
            preview._look()  # what the clock does in between
        await app.workers.wait_for_complete()
        assert services.asked in ([], [("screen", 29)])
        await until(pilot, lambda: "shop-claude" in seen(app))
        assert services.asked == [("screen", 29)]


async def test_one_request_is_in_flight_and_a_late_answer_is_not_shown_for_another() -> None:
    preview, services, gates = Preview(), CannedServices(), {1: threading.Event(), 9: threading.Event()}

    def slow(of: SessionView) -> list[str]:
        gates[of.id].wait(10)
        return [f"screen of {of.id}"]

    services.rows = slow
    app = stand(services, preview)
    async with app.run_test() as pilot:
        preview.view = view(1)
        await until(pilot, lambda: bool(services.asked))
        preview.view = ENDED
        preview._rested()
        await pilot.pause()
        assert services.asked == [("screen", 1)]
        gates[1].set()
        await until(pilot, lambda: ("screen", 9) in services.asked)
        assert "screen of 1" not in seen(app)
        gates[9].set()
        await until(pilot, lambda: "screen of 9" in seen(app))
        assert services.asked == [("screen", 1), ("screen", 9)]


async def test_one_that_lives_is_asked_again_and_one_that_ended_once() -> None:
    preview, services = Preview(), CannedServices()
    services.rows = lambda of: [f"{of.state} {len(services.asked)}"]
    app = stand(services, preview)
    async with app.run_test() as pilot:
        preview.view = view(1)
        await until(pilot, lambda: "running 3" in seen(app))
        preview.view = view(1, state="exited", ended_at="2026-06-10T12:00:00Z")
        await until(pilot, lambda: any(row.startswith("exited ") for row in seen(app)[2:]))
        asked = len(services.asked)
        preview.turn()
        await until(pilot, lambda: ("jail", 1) in services.asked)
        preview.turn()
        await pilot.pause()
        assert services.asked[asked:] == [("jail", 1)]


async def test_one_that_can_not_be_reached_is_asked_once() -> None:
    preview, services = Preview(), CannedServices()
    services.rows = _refused
    app = stand(services, preview)
    async with app.run_test(size=(40, 8)) as pilot:
        preview.view = view(1, state="unreachable")
        await until(pilot, lambda: "tmux's socket is gone: revive it" in seen(app))
        preview.turn()
        await until(pilot, lambda: "no explanation was given" in seen(app))
        preview.turn()
        await until(pilot, lambda: "tmux's socket is gone: revive it" in seen(app))
        assert services.asked == [("screen", 1), ("jail", 1)]


def _refused(_: SessionView) -> list[str]:
    raise HqtError("tmux's socket is gone: revive it")


async def test_the_mouse_turns_its_pages_and_leaves_the_keys_with_the_list() -> None:
    preview, services, table = Preview(), CannedServices(), ScreenRows()
    app = stand(services, SideBySide(table, preview))
    async with app.run_test(size=(120, 20)) as pilot:
        table.focus()
        preview.view = view(1)
        await until(pilot, lambda: any("shop-claude" in row for row in seen(app)))
        await pilot.click(preview, offset=(10, 0))
        await until(pilot, lambda: preview.page == "jail")
        await pilot.click(preview, offset=(10, 5))
        assert app.focused is table
        await pilot.press("tab")
        assert preview.has_focus_within


async def test_nothing_is_asked_while_another_screen_is_on_top_of_it() -> None:
    preview, services = Preview(), CannedServices()
    async with stand(services, preview).run_test() as pilot:
        await pilot.app.push_screen(Screen())
        preview.view = view(1)
        preview._rested()
        await pilot.app.workers.wait_for_complete()
        assert services.asked == []
        await pilot.app.pop_screen()
        await until(pilot, lambda: bool(services.asked))


async def test_an_error_is_told_in_its_place_and_goes() -> None:
    preview, services = Preview(), CannedServices()
    fails = threading.Event()
    fails.set()

    def rows(_: SessionView) -> list[str]:
        if fails.is_set():
            raise HqtError("tmux said [/] no: wait")
        return ["well again"]

    services.rows = rows
    app = stand(services, preview)
    async with app.run_test(size=(40, 4)) as pilot:
        preview.view = view(1)
        await until(pilot, lambda: "tmux said [/] no: wait" in seen(app))
        fails.clear()
        await until(pilot, lambda: "well again" in seen(app))
        assert "tmux said [/] no: wait" not in seen(app)


async def test_the_jail_is_told_once_and_fits_every_width() -> None:
    preview, services = Preview(), CannedServices()
    services.explanation = OPEN
    app = stand(services, preview)
    async with app.run_test(size=(60, 9)) as pilot:
        preview.view = view(1)
        preview.turn()
        await until(pilot, lambda: "session shop: Claude Code in ~/shop, open" in seen(app))
        assert seen(app)[2] == "There is no jail. The agent sees and writes all that you"
        await pilot.resize_terminal(30, 9)
        await until(pilot, lambda: seen(app)[3] == "There is no jail. The agent")
        assert services.asked == [("jail", 1)]


async def test_a_refusal_is_told_in_the_jails_place() -> None:
    preview, services = Preview(), CannedServices()
    services.explanation = JailError("bwrap is missing: install it")
    app = stand(services, preview)
    async with app.run_test(size=(60, 9)) as pilot:
        preview.view = ENDED
        preview.turn()
        await until(pilot, lambda: "bwrap is missing: install it" in seen(app))


async def test_it_survives_any_size_and_no_session() -> None:
    preview, services = Preview(), CannedServices()
    async with stand(services, preview).run_test(size=(1, 1)) as pilot:
        for size in ((1, 1), (2, 30), (200, 1), (80, 24)):
            await pilot.resize_terminal(*size)
            preview.view = view(1)
            await pilot.pause()
            preview.view = None
            preview.turn()
            await pilot.pause()


async def test_what_is_done_is_seen_after_two_seconds_of_its_screen_and_not_of_its_jail() -> None:
    preview, services = Preview(), CannedServices()
    app = stand(services, preview)
    async with app.run_test() as pilot:
        preview.view = view(1, state="idle", unseen=True)
        preview.turn()
        await until(pilot, lambda: ("jail", 1) in services.asked)
        preview.turn()
        await until(pilot, lambda: ("saw", 1) in services.asked)
    before = services.asked[: services.asked.index(("saw", 1))]
    assert before[before.index(("jail", 1)) + 1 :] == [("screen", 1)] * 8


async def test_what_is_not_done_needs_nobody_to_have_seen_it() -> None:
    preview, services = Preview(), CannedServices()
    app = stand(services, preview)
    async with app.run_test() as pilot:
        preview.view = view(1, state="working")
        await until(pilot, lambda: services.asked.count(("screen", 1)) > 9)
    assert ("saw", 1) not in services.asked
