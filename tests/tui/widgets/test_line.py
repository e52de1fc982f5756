"""Keys that come in one read, as over ssh, are done in the order in which they were pressed."""

import pytest
from textual import events
from textual._xterm_parser import XTermParser
from textual.widget import Widget

from hqt.tui.widgets.entry import Entry
from hqt.tui.widgets.line import Line
from hqt.tui.widgets.prompt import Prompt
from tests.tui.stand import CannedServices, stand


def _text(field: Widget) -> str:
    return field.text if isinstance(field, Prompt) else getattr(field, "value", "")


@pytest.mark.parametrize("field", [Prompt, Entry, Line])
@pytest.mark.parametrize(("sent", "text"), [("ab\x7fc", "ac"), ("ab\x1b[DX", "aXb"), ("ab\x1b[HX", "Xab")])
async def test_a_letter_does_not_overtake_the_key_before_it(
    field: type[Widget], sent: str, text: str
) -> None:
    app = stand(CannedServices(), made := field())
    async with app.run_test() as pilot:
        made.focus()
        await pilot.pause()
        for each in XTermParser().feed(sent):
            if isinstance(each, events.Key):
                app.post_message(each)
        await pilot.pause(0.1)
        assert _text(made) == text


async def test_a_break_is_made_where_it_was_asked_for() -> None:
    app = stand(CannedServices(), prompt := Prompt())
    async with app.run_test() as pilot:
        prompt.focus()
        await pilot.pause()
        for each in XTermParser().feed("a\x1b\rb"):
            if isinstance(each, events.Key):
                app.post_message(each)
        await pilot.pause(0.1)
        assert prompt.text == "a\nb"
