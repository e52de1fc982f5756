"""Two widgets stand beside each other, above each other, or the first alone."""

import pytest
from textual.geometry import Region
from textual.widgets import Static

from hqt.tui.widgets.side_by_side import SideBySide
from tests.tui.stand import CannedServices, stand


@pytest.mark.parametrize(
    ("size", "first", "second"),
    [
        ((120, 30), Region(0, 0, 60, 30), Region(60, 0, 60, 30)),
        ((110, 10), Region(0, 0, 55, 10), Region(55, 0, 55, 10)),
        ((109, 18), Region(0, 0, 109, 9), Region(0, 9, 109, 9)),
        ((109, 17), Region(0, 0, 109, 17), None),
        ((1, 1), Region(0, 0, 1, 1), None),
    ],
)
async def test_the_size_decides(size: tuple[int, int], first: Region, second: Region | None) -> None:
    one, other = Static("one"), Static("other")
    async with stand(CannedServices(), SideBySide(one, other)).run_test(size=size) as pilot:
        await pilot.pause()
        assert (one.region, other.region if other.display else None) == (first, second)


async def test_the_second_is_hidden_until_it_is_wanted_again() -> None:
    both = SideBySide(Static("one"), Static("other"))
    async with stand(CannedServices(), both).run_test(size=(120, 30)) as pilot:
        seen = []
        for _ in range(3):
            await pilot.pause()
            seen.append(both.children[1].region.width)
            both.toggle()
        assert seen == [60, 0, 60]
