"""Text in terminal cells: what is foreign made plain, and fitted to a width to the cell."""

from rich.cells import cell_len, set_cell_size

from hqt.formatting import literal

# terminals differ by whole cells in what they make of emoji joined or dressed by these; without them the
# parts of 👨‍👩‍👧 stand side by side, and every column after a name stays where it is
_DRESSING = str.maketrans("", "", "\u200d\ufe0e\ufe0f")


def plain(text: str) -> str:
    """`text` with nothing in it that a terminal acts on, or that terminals count differently."""
    return literal(text).translate(_DRESSING)


def width(text: str) -> int:
    return cell_len(text)


def fit(text: str, cells: int) -> str:
    """`text` in exactly so many cells: what is too long ends in …, what is short in blanks."""
    if cells <= 0:
        return ""
    if cell_len(text) <= cells:
        return text + " " * (cells - cell_len(text))
    return set_cell_size(text, cells - 1) + "…"
