"""All that is known of a session can be read, scrolled to and copied."""

from hqt.errors import HqtError, JailError
from hqt.tui.screens.details import DetailsScreen
from tests.tui.sample import view
from tests.tui.stand import CannedServices, seen, stand, until

VIEW = view(1, state="stopped", note="[/] a note\x1b[2J", name="[red]shop[/red]")


async def test_everything_is_told_literally() -> None:
    services = CannedServices()
    services.rows = lambda _: ["\x1b[31m[link=x]last\x1b[0m", "line"]
    app = stand(services)
    async with app.run_test(size=(50, 16)) as pilot:
        app.push_screen(DetailsScreen(VIEW))
        await until(pilot, lambda: any("line" in row for row in seen(app)[11:]))
        assert seen(app) == [
            " session 1 [red]shop[/red]",
            " id            1",
            " name          [red]shop[/red]",
            " state         stopped",
            " harness       claude",
            " folder        /home/a/shop",
            " jail          rw net",
            " created       2026-06-10T12:00:00Z",
            r" note          [/] a note\x1b[2J",
            "",
            " ▌ its last lines",
            " ▌ [link=x]last",
            " ▌ line",
            "",
            "",
            " esc back  c copy  a the command that would run",
        ]


async def test_the_command_is_told_on_demand_and_copied_with_all_else() -> None:
    services = CannedServices()
    services.words = ("bwrap", "--setenv", "a b")
    app = stand(services)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(DetailsScreen(VIEW))
        await until(pilot, lambda: any("its last lines" in row for row in seen(app)))
        assert ("argv", 1) not in services.asked
        await pilot.press("a", "a")
        await until(pilot, lambda: any("bwrap --setenv 'a b'" in row for row in seen(app)))
        await pilot.press("c")
        assert services.asked == [("screen", 1), ("argv", 1)]
        assert app.clipboard.splitlines() == [
            "id            1",
            "name          [red]shop[/red]",
            "state         stopped",
            "harness       claude",
            "folder        /home/a/shop",
            "jail          rw net",
            "created       2026-06-10T12:00:00Z",
            r"note          [/] a note\x1b[2J",
            "",
            "its last lines",
            "[red]shop[/red]",
            "",
            "the command that would run now",
            "bwrap --setenv 'a b'",
        ]


async def test_what_can_not_be_had_is_said_in_its_place() -> None:
    services = CannedServices()
    services.words = JailError("bwrap is missing: install it")

    def fails(_: object) -> list[str]:
        raise HqtError("tmux is gone: start it")

    services.rows = fails
    app = stand(services)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(DetailsScreen(VIEW))
        await pilot.press("a")
        await until(pilot, lambda: " ▌ bwrap is missing: install it" in seen(app))
        assert " ▌ tmux is gone: start it" in seen(app)


async def test_a_wide_screen_keeps_its_shape_and_is_scrolled_sideways() -> None:
    services = CannedServices()
    services.rows = lambda _: [f"┌{'─' * 58}┐", f"│{'the end':>58}│", f"└{'─' * 58}┘"]
    app = stand(services)
    async with app.run_test(size=(50, 18)) as pilot:
        app.push_screen(DetailsScreen(VIEW))
        await until(pilot, lambda: any("┌" in row for row in seen(app)))
        assert [row.strip()[:3] for row in seen(app)[11:14]] == ["▌ ┌", "▌ │", "▌ └"]
        for _ in range(20):
            await pilot.press("right")
        await until(pilot, lambda: any("the end│" in row for row in seen(app)))
        assert [row.strip()[-1] for row in seen(app)[11:14]] == ["┐", "│", "┘"]


async def test_it_is_scrolled_by_keys_and_closed_by_the_key_that_opened_it() -> None:
    services = CannedServices()
    services.rows = lambda _: [f"row {number}" for number in range(20)]
    app = stand(services)
    async with app.run_test(size=(30, 10)) as pilot:
        before = app.screen
        app.push_screen(DetailsScreen(VIEW))
        await until(pilot, lambda: app.screen is not before)
        await pilot.press("end")
        await until(pilot, lambda: any("row 19" in row for row in seen(app)))
        await pilot.resize_terminal(1, 1)
        await pilot.press("i")
        await until(pilot, lambda: app.screen is before)
