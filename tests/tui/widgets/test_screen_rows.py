"""Rows are seen through a window that stands where it was put, and painted where they changed."""

import pytest

from hqt.tui.widgets.screen_rows import ScreenRows
from tests.tui.stand import CannedServices, seen, stand, until


class Watched(ScreenRows):
    """Keeps which rows it was told to paint again."""

    def __init__(self) -> None:
        super().__init__()
        self.painted: list[int] = []

    def refresh_line(self, y: int) -> None:
        self.painted.append(y)
        super().refresh_line(y)


def numbered(count: int) -> list[str]:
    return [f"row {number} {'x' * 40}" for number in range(count)]


async def test_what_has_no_room_is_cut_and_the_end_is_in_sight() -> None:
    rows = ScreenRows()
    app = stand(CannedServices(), rows)
    async with app.run_test(size=(9, 3)) as pilot:
        rows.put(numbered(20), at_end=True)
        await pilot.pause()
        assert [line[:8] for line in seen(app)] == ["row 17 x", "row 18 x", "row 19 x"]
        rows.put(numbered(20), at_end=False)
        await pilot.pause()
        assert [line[:8] for line in seen(app)] == ["row 0 xx", "row 1 xx", "row 2 xx"]


async def test_the_end_stays_in_sight_while_it_grows_unless_another_place_was_chosen() -> None:
    rows = ScreenRows()
    app = stand(CannedServices(), rows)
    async with app.run_test(size=(9, 3)) as pilot:
        rows.put(numbered(5), at_end=True)
        await pilot.pause()
        rows.follow(numbered(8))
        await pilot.pause()
        assert [line[:6] for line in seen(app)] == ["row 5 ", "row 6 ", "row 7 "]
        rows.focus()
        await pilot.press("up")
        rows.follow(numbered(9))
        await pilot.pause()
        assert [line[:6] for line in seen(app)] == ["row 4 ", "row 5 ", "row 6 "]


async def test_the_end_stays_in_sight_in_a_smaller_window_and_the_start_where_that_was_chosen() -> None:
    rows = ScreenRows()
    app = stand(CannedServices(), rows)
    async with app.run_test(size=(9, 8)) as pilot:
        rows.put(numbered(6), at_end=True)
        await pilot.resize_terminal(9, 2)
        rows.follow(numbered(6))
        await until(pilot, lambda: [line[:6] for line in seen(app)] == ["row 4 ", "row 5 "])
        rows.put(numbered(6), at_end=False)
        await pilot.resize_terminal(9, 3)
        rows.follow(numbered(7))
        await until(pilot, lambda: [line[:6] for line in seen(app)] == ["row 0 ", "row 1 ", "row 2 "])


async def test_keys_show_what_was_cut_at_the_right() -> None:
    rows = ScreenRows()
    app = stand(CannedServices(), rows)
    async with app.run_test(size=(9, 3)) as pilot:
        rows.put(["0123456789abc"], at_end=True)
        rows.focus()
        for _ in range(9):
            await pilot.press("right")
        await pilot.pause()
        assert seen(app)[0] == "456789abc"


async def test_only_rows_that_changed_are_painted() -> None:
    rows = Watched()
    async with stand(CannedServices(), rows).run_test(size=(60, 9)) as pilot:
        rows.put(["a", "b", "c"], at_end=True)
        await pilot.pause()
        rows.painted.clear()
        rows.follow(["a", "B", "c"])
        rows.follow(["a", "B", "c"])
        assert rows.painted == [1]
        rows.follow(["a", "B", "c", "d"])
        assert rows.painted == [1, 3]


async def test_without_colour_an_agents_red_is_as_readable_as_its_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A71: as a grey it would be as dark as what it stands on."""
    monkeypatch.setenv("NO_COLOR", "1")
    rows = ScreenRows()
    async with stand(CannedServices(), rows).run_test(size=(9, 1)) as pilot:
        rows.put(["\x1b[31mred\x1b[0m text"], at_end=True)
        await pilot.pause()
        shown = {
            segment.style.color for segment in rows.render_line(0) if segment.style and segment.text.strip()
        }
        assert shown == {rows.rich_style.color}
