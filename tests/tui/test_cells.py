"""Text in cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.tui.cells import fit, plain, width


@pytest.mark.parametrize(
    ("text", "cells", "fitted"),
    [
        ("shop", 6, "shop  "),
        ("shop-claude", 6, "shop-…"),
        ("修复 bug", 8, "修复 bug"),
        ("修复 bug", 4, "修 …"),  # half a sign is a blank
        ("e\u0301te\u0301", 4, "e\u0301te\u0301 "),
        ("shop", 1, "…"),
        ("shop", 0, ""),
        ("shop", -3, ""),
    ],
)
def test_text_is_cut_and_filled_by_cells(text: str, cells: int, fitted: str) -> None:
    assert fit(text, cells) == fitted


@given(st.text(), st.integers(-3, 60))
def test_whatever_is_fitted_has_exactly_its_width(text: str, cells: int) -> None:
    assert width(fit(plain(text), cells)) == max(cells, 0)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("[/] [red]x[/red]", "[/] [red]x[/red]"),
        ("a\x1b[2Jb\nc\x7f", "a\\x1b[2Jb\\nc\\x7f"),
        ("\u202eright to left", "\\u202eright to left"),
        ("👨\u200d👩\u200d👧 x", "👨👩👧 x"),
        ("❤\ufe0f", "❤"),
        ("نام\u200cه", "نام\u200cه"),
    ],
)
def test_what_terminals_act_on_or_count_differently_is_made_plain(text: str, made: str) -> None:
    assert plain(text) == made
