"""The table of keys."""

import inspect

import pytest

from hqt.tui import actions
from hqt.tui.cells import width
from hqt.tui.main.screen import SessionsScreen


def test_every_key_does_one_thing_that_the_screen_can_do() -> None:
    keys = [each.key for each in actions.ACTIONS]
    assert len(set(keys)) == len(keys)
    for each in actions.ACTIONS:
        assert inspect.isfunction(getattr(SessionsScreen, f"action_{each.name.partition('(')[0]}")), each


def test_the_help_has_every_key() -> None:
    told = [each for _, group in actions.groups() for each in group]
    assert told == list(actions.ACTIONS)
    assert [name for name, _ in actions.groups()] == ["Go", "Start and end", "Keep order", "Look", "hqt"]


@pytest.mark.parametrize("cells", [120, 78, 38, 20, 0])
def test_the_footer_keeps_to_its_line_and_always_leads_to_all_keys(cells: int) -> None:
    shown = actions.footer(cells)
    line = "  ".join(f"{each.sign} {each.short}" for each in shown)
    assert line.endswith("? keys  q quit")
    assert width(line) <= max(cells, width("? keys  q quit"))
