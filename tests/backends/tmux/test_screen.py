"""Captured rows come out safe and as they looked."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.backends.tmux import screen

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
SCREENS = st.lists(
    st.sampled_from(
        ["\x1b", "\x1b[", "\x1b]", "\x1bP", "\x1b[31m", "\x1b[0m", "\x1b[2J", "\x07", "\x9b", "\x0e", "\x0f"]
    )
    | st.text(max_size=3)
).map("".join)


@given(SCREENS)
def test_without_colours_no_control_character_is_left(text: str) -> None:
    assert not any(CONTROL.search(row) for row in screen.rows(text, ansi=False))


@given(SCREENS)
def test_with_colours_nothing_but_colours_is_left(text: str) -> None:
    for row in screen.rows(text, ansi=True):
        assert not CONTROL.search(re.sub(r"\x1b\[[0-9;:]*m", "", row))


@given(SCREENS)
def test_colours_change_no_text(text: str) -> None:
    plain = screen.rows(text, ansi=False)
    coloured = screen.rows(text, ansi=True)
    assert [re.sub(r"\x1b\[[0-9;:]*m", "", row).rstrip() for row in coloured] == plain


def test_each_row_wears_its_own_colours() -> None:
    text = "\x1b[1m\x1b[31mred\nstill\x1b[32m green\nand\x1b[0m plain\nplain\n"
    assert screen.rows(text, ansi=True) == [
        "\x1b[1m\x1b[31mred\x1b[0m",
        "\x1b[1m\x1b[31mstill\x1b[32m green\x1b[0m",
        "\x1b[1m\x1b[32mand\x1b[0m plain\x1b[0m",
        "plain",
    ]


def test_a_reset_that_sets_something_too_forgets_what_was_before() -> None:
    text = "\x1b[38;5;9ma\x1b[0;4mb\nc\x1b[48;2;1;2;3md\ne"
    assert screen.rows(text, ansi=True)[1:] == [
        "\x1b[0;4mc\x1b[48;2;1;2;3md\x1b[0m",
        "\x1b[0;4m\x1b[48;2;1;2;3me\x1b[0m",
    ]


def test_what_a_row_wears_stays_short_whatever_came_before() -> None:
    rainbow = "".join(f"\x1b[38;5;{number}mx" for number in range(256))
    assert len(screen.rows(f"{rainbow}\ny", ansi=True)[1]) < 20


def test_line_drawing_is_drawn_also_over_rows_and_colours() -> None:
    assert screen.rows("\x0elq\x1b[31mk\nmqj\x0fmqj", ansi=False) == ["┌─┐", "└─┘mqj"]


@pytest.mark.parametrize(
    ("text", "rows"),
    [("", []), ("\n \n\x1b[31m\n", []), ("\na  \n\n", ["", "a"]), ("a\x85b\u2028c", ["ab\u2028c"])],
)
def test_blank_rows_at_the_end_are_left_out(text: str, rows: list[str]) -> None:
    assert screen.rows(text, ansi=False) == rows


def test_a_link_leaves_its_text_only() -> None:
    text = "\x1b]8;;http://x\x1b\\here\x1b]8;;\x1b\\ and \x1b]0;t\x07there"
    assert screen.rows(text, ansi=True) == ["here and there"]
