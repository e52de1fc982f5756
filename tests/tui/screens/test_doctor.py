"""Doctor's report stands on the screen as the command tells it."""

from hqt.doctor.check import Check, Report
from hqt.tui.screens.doctor import DoctorScreen
from tests.tui.stand import CannedServices, seen, stand, until

GIT = Check("git", "git", "missing", "[/] not on PATH\x1b[2J", "install it: `apt install git`")
BAD = Report((GIT, Check("tmux", "tmux", "failed", "not there")))
GOOD = Report((Check("git", "git", "ok", "2.39"),))


async def test_it_tells_what_works_with_remedies_and_looks_again() -> None:
    services = CannedServices()
    services.reports = [BAD, GOOD]
    app = stand(services)
    async with app.run_test(size=(50, 8)) as pilot:
        app.push_screen(DoctorScreen())
        await until(pilot, lambda: any("hqt can't" in row for row in seen(app)))
        assert seen(app) == [
            " doctor",
            r" missing  git   [/] not on PATH\x1b[2J",
            "                -> install it: `apt install git`",
            " failed   tmux  not there",
            " hqt can't work here: 1 of 2 failed",
            "",
            "",
            " esc back  c copy  r look again",
        ]
        await pilot.press("r")
        await until(pilot, lambda: " hqt works here" in seen(app))
        assert seen(app)[1] == " ok       git  2.39"


async def test_it_fits_another_width_and_is_copied() -> None:
    services = CannedServices()
    services.reports = [BAD]
    app = stand(services)
    async with app.run_test(size=(80, 9)) as pilot:
        app.push_screen(DoctorScreen())
        await until(pilot, lambda: any("hqt can't" in row for row in seen(app)))
        await pilot.press("c")
        assert app.clipboard.splitlines()[1] == "               -> install it: `apt install git`"
        await pilot.resize_terminal(40, 9)
        await until(
            pilot,
            lambda: (
                seen(app)[2:4] == ["                -> install it:", "                   `apt install git`"]
            ),
        )


async def test_it_survives_any_size_and_is_closed_by_the_key_that_opened_it() -> None:
    services = CannedServices()
    services.reports = [BAD]
    app = stand(services)
    async with app.run_test(size=(1, 1)) as pilot:
        before = app.screen
        app.push_screen(DoctorScreen())
        await until(pilot, lambda: not services.reports)
        await pilot.press("D")
        await until(pilot, lambda: app.screen is before)
