"""Rows of an agent's screen become strips: its text to the letter, its colours, nothing that acts."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.color import Color
from rich.style import Style

from hqt.backends.tmux import screen
from hqt.tui.widgets.ansi import plain, strip

RED = Style(color=Color.from_ansi(1))

_letters = st.text(st.characters(categories=["L", "N", "P", "S", "Zs", "Mn", "Co"]), max_size=12)
_sequences = st.lists(st.integers(0, 300), max_size=6).map(lambda codes: f"\x1b[{';'.join(map(str, codes))}m")
_coloured = st.lists(_letters | _sequences).map("".join)


def parts(row: str) -> list[tuple[str, Style | None]]:
    return [(segment.text, segment.style) for segment in strip(row)]


@pytest.mark.parametrize(
    ("codes", "style"),
    [
        ("1", Style(bold=True)),
        ("2;3", Style(dim=True, italic=True)),
        ("4:3", Style(underline=True)),
        ("4;4:0", Style(underline=False)),
        ("7;9", Style(reverse=True, strike=True)),
        ("31", RED),
        ("91", Style(color=Color.from_ansi(9))),
        ("47", Style(bgcolor=Color.from_ansi(7))),
        ("103", Style(bgcolor=Color.from_ansi(11))),
        ("38;5;200", Style(color=Color.from_ansi(200))),
        ("38:5:200", Style(color=Color.from_ansi(200))),
        ("48;2;1;2;3", Style(bgcolor=Color.from_rgb(1, 2, 3))),
        ("38:2:1:2:3", Style(color=Color.from_rgb(1, 2, 3))),
        ("38:2::1:2:3", Style(color=Color.from_rgb(1, 2, 3))),
        ("58:2::1:2:3;58;5;9;31", RED),
        ("31;1;0", Style.null()),
        ("31;", Style.null()),
    ],
)
def test_the_agents_colours_are_shown(codes: str, style: Style) -> None:
    assert parts(f"\x1b[{codes}mx") == [("x", style)]


@pytest.mark.parametrize("codes", ["39", "49", "38;5;256", "38;2;1;2;300", "38;2;1", "38;5", "38", "38:9:1"])
def test_a_default_or_impossible_colour_is_the_widgets(codes: str) -> None:
    assert parts(f"\x1b[{codes}mx") == [("x", Style.null())]


def test_a_sequence_holds_until_the_next() -> None:
    row = "a\x1b[31mb\x1b[1mc\x1b[39md\x1b[me"
    assert parts(row) == [
        ("a", Style.null()),
        ("b", RED),
        ("c", RED + Style(bold=True)),
        ("d", Style(bold=True)),
        ("e", Style.null()),
    ]


def test_without_colours_the_manner_stays() -> None:
    found = strip("\x1b[31;44;1ma\x1b[38;5;9;7mb", coloured=False)
    assert [(each.text, each.style) for each in found] == [
        ("a", Style(bold=True)),
        ("b", Style(bold=True, reverse=True)),
    ]


def test_the_same_row_is_the_same_strip() -> None:
    assert strip("\x1b[31mwork") is strip("\x1b[31mwork")


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        ("[red]x[/red] [/] [@click=app.quit]", "[red]x[/red] [/] [@click=app.quit]"),
        ("a\x1b]0;title\x07b\r\tc", r"a\x1b]0;title\x07b\r\tc"),
        ("\x1b[2Jx\x1b", r"\x1b[2Jx\x1b"),
        ("safe\u202etxt.exe\u2066\u200b", "safetxt.exe"),
        ("❯\xa0\ue0b0 👩\u200d💻 e\u0301", "❯\xa0\ue0b0 👩\u200d💻 e\u0301"),
        ("\ud800\u2028", r"\ud800\u2028"),
    ],
)
def test_all_else_is_literal(row: str, shown: str) -> None:
    assert (strip(row).text, plain(row)) == (shown, shown)


@given(_coloured)
def test_a_strip_holds_the_rows_text_in_as_many_cells(row: str) -> None:
    text = screen.rows(row, ansi=False)
    (found,) = screen.rows(row, ansi=True) or [""]
    assert [strip(found).text.rstrip()] == (text or [""])
    assert strip(found).cell_length == cell_len(strip(found).text)
    assert plain(found) == strip(found).text


@given(st.text())
def test_any_text_is_a_strip_that_can_not_act(row: str) -> None:
    shown = strip(row).text
    assert not any(unicodedata.category(each) in ("Cc", "Cs", "Zl", "Zp") for each in shown)
    assert plain(row) == shown
