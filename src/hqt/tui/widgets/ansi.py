"""Captured rows as Textual's strips: the agent's colours, and nothing else that a row could do."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from hqt.formatting import literal
from hqt.values import frozen, replace

_SGR = re.compile(r"\x1b\[([0-9;:]*)m")
_KEPT = 4096  # rows: some screens of the largest agents, 2 MB
_NUMBERS_MAX = 64  # of one sequence; tmux writes at most a dozen
_MANNERS = {
    1: Style(bold=True),
    2: Style(dim=True),
    3: Style(italic=True),
    4: Style(underline=True),
    7: Style(reverse=True),
    9: Style(strike=True),
    21: Style(underline=True),  # double, which no strip can show
    22: Style(bold=False, dim=False),
    23: Style(italic=False),
    24: Style(underline=False),
    27: Style(reverse=False),
    29: Style(strike=False),
}


@frozen
class _Pen:
    """What the sequences so far say; a colour that is None is the widget's."""

    foreground: Color | None = None
    background: Color | None = None
    manner: Style = Style.null()

    @property
    def style(self) -> Style:
        return self.manner + Style.from_color(self.foreground, self.background)


@lru_cache(maxsize=_KEPT)
def strip(row: str, *, coloured: bool = True) -> Strip:
    """A row of `capture` with colours, as it looked; default colours are left to the widget.

    Not `coloured`: bold, reverse and their like alone. The same row is the same strip: a screen that
    stands still costs a look-up a line.
    """
    return Strip(Segment(text, pen.style if coloured else pen.manner) for text, pen in _parts(row) if text)


def plain(row: str) -> str:
    """The row's text alone, as its strip shows it."""
    return _shown(_SGR.sub("", row))


def _parts(row: str) -> Iterator[tuple[str, _Pen]]:
    pen, at = _Pen(), 0
    for found in _SGR.finditer(row):
        yield _shown(row[at : found.start()]), pen
        pen, at = _changed(pen, _numbers(found[1])), found.end()
    yield _shown(row[at:]), pen


def _shown(text: str) -> str:
    return text if text.isascii() and text.isprintable() else "".join(map(_sign, text))


def _sign(each: str) -> str:
    """The sign as a cell can show it; what turns the writing's direction or has no width is left out."""
    category = unicodedata.category(each)
    if category in ("Cc", "Cs", "Zl", "Zp"):
        return literal(each)
    return "" if category == "Cf" and literal(each) != each else each


def _numbers(words: str) -> list[list[int]]:
    """`1;4:3;38:2::1:2:3` as its parameters, each with what colons add to it; an empty one is 0."""
    found = words.split(";")[:_NUMBERS_MAX]
    return [[int(number[:4] or 0) for number in word.split(":")] for word in found]


def _changed(pen: _Pen, parameters: list[list[int]]) -> _Pen:
    left = iter(parameters)
    for first, *more in left:
        if first == 0:
            pen = _Pen()
        elif first in _MANNERS:
            code = 24 if (first, more) == (4, [0]) else first
            pen = replace(pen, manner=pen.manner + _MANNERS[code])
        elif first in (38, 48, 58):
            pen = _coloured(pen, first, _of_colons(more) if more else _of_semicolons(left))
        elif first in (39, 49):
            pen = _coloured(pen, first - 1, None)
        else:
            pen = _of_16(pen, first)
    return pen


def _coloured(pen: _Pen, folder_facts: int, colour: Color | None) -> _Pen:
    """58 is an underline's, which no strip can show."""
    if folder_facts == 38:
        return replace(pen, foreground=colour)
    return replace(pen, background=colour) if folder_facts == 48 else pen


def _of_16(pen: _Pen, number: int) -> _Pen:
    for start, folder_facts, bright in ((30, 38, 0), (40, 48, 0), (90, 38, 8), (100, 48, 8)):
        if start <= number <= start + 7:
            return _coloured(pen, folder_facts, Color.from_ansi(number - start + bright))
    return pen


def _of_colons(more: list[int]) -> Color | None:
    """`38:5:n`, and `38:2:r:g:b` with or without the name of a colour space (ITU T.416)."""
    kind, *values = more
    return _colour(kind, values[-3:] if kind == 2 else values[:1])


def _of_semicolons(left: Iterator[list[int]]) -> Color | None:
    kind = next(left, [0])[0]
    count = {2: 3, 5: 1}.get(kind, 0)
    return _colour(kind, [next(left, [-1])[0] for _ in range(count)])


def _colour(kind: int, values: list[int]) -> Color | None:
    if not all(0 <= value <= 255 for value in values):
        return None
    if kind == 5 and len(values) == 1:
        return Color.from_ansi(values[0])
    return Color.from_rgb(*values) if kind == 2 and len(values) == 3 else None
