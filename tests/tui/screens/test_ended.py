"""The last words of an agent that ended are in sight on any terminal."""

import pytest

from hqt.observe.views import Exit, Outcome
from hqt.tui.screens.ended import EndedScreen
from tests.tui.sample import view
from tests.tui.stand import CannedServices, seen, stand, until

ENDED = view(1, state="exited", exit=Exit(code=3), note="a note")


@pytest.mark.parametrize("size", [(80, 40), (80, 24), (40, 12), (30, 8)])
@pytest.mark.parametrize("line", ["line {}", "a line {} that is too long for a narrow terminal, as most are"])
async def test_its_last_line_and_the_way_on_are_in_sight(size: tuple[int, int], line: str) -> None:
    app = stand(CannedServices())
    async with app.run_test(size=size) as pilot:
        lines = tuple(line.format(number) for number in range(30))
        app.push_screen(EndedScreen(Outcome(ENDED, (*lines, "[/] farewell", ""))))
        await until(pilot, lambda: any("[/] farewell" in row for row in seen(app)))
        assert any("enter returns" in row for row in seen(app))


async def test_how_it_ended_is_said_above_as_many_lines_as_fit() -> None:
    app = stand(CannedServices())
    async with app.run_test(size=(80, 14)) as pilot:
        app.push_screen(EndedScreen(Outcome(ENDED, tuple(f"line {number}" for number in range(30)))))
        await until(pilot, lambda: any("line 29" in row for row in seen(app)))
        shown = [row.strip(" │╭╮╰╯─") for row in seen(app)]
        assert "session 1 shop-claude: exited (3)" in shown
        assert [row.strip(" ▌") for row in shown if "line" in row] == [f"line {n}" for n in range(24, 30)]
