"""A question before something that is hard to undo."""

import pytest

from hqt.tui.screens.confirm import ConfirmScreen
from tests.tui.stand import CannedServices, seen, stand


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (["y"], True),
        (["n"], False),
        (["escape"], False),
        (["q"], False),
        (["enter"], False),
        (["right", "enter"], True),
        (["tab", "enter"], True),
        (["left", "left", "enter"], False),
    ],
)
async def test_only_a_yes_is_a_yes(keys: list[str], answer: bool) -> None:
    answers: list[bool | None] = []
    app = stand(CannedServices())
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(ConfirmScreen("Delete [/]?", "Delete"), answers.append)
        await pilot.pause()
        assert any("Delete [/]?" in row for row in seen(app))
        await pilot.press(*keys)
        assert answers == [answer]
