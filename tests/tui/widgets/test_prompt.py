"""Enter is the dialog's; what breaks a line is told apart from it in every terminal."""

import pytest
from textual import events
from textual._xterm_parser import XTermParser

from hqt.tui.widgets.prompt import Prompt
from tests.tui.stand import CannedServices, stand


@pytest.mark.parametrize("sent", ["\x1b\r", "\n", "\x1b[13;3u", "\x1b[13;2u"])
async def test_what_a_terminal_sends_breaks_the_line(sent: str) -> None:
    """ESC CR is alt+enter in xterm and tmux, the others are kitty's."""
    keys = [each.key for each in XTermParser().feed(sent) if isinstance(each, events.Key)]
    app = stand(CannedServices(), prompt := Prompt())
    async with app.run_test() as pilot:
        prompt.focus()
        await pilot.press("a", *keys, "b")
        assert prompt.text == "a\nb"


async def test_enter_itself_is_left_to_the_screen() -> None:
    assert [each.key for each in XTermParser().feed("\r") if isinstance(each, events.Key)] == ["enter"]


async def test_a_break_takes_the_place_of_what_is_selected() -> None:
    app = stand(CannedServices(), prompt := Prompt("abc"))
    async with app.run_test() as pilot:
        prompt.focus()
        await pilot.press("right", "shift+right", "alt+enter", "x")
        assert prompt.text == "a\nxc"
