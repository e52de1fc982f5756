"""What control mode prints becomes blocks, and nothing that a screen shows can end one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.backends.tmux.blocks import Block, Blocks, Mismatch

_GUARD = b"1795982218 282 1"
_ROWS = st.one_of(
    st.binary(max_size=20),
    st.sampled_from(
        [b"%end 1 2 1", b"%error 1 2 1", b"%begin 1 2 1", b"%exit", b"%end", b"%output %1 x", b""]
    ),
).filter(lambda row: b"\n" not in row and row[5:] != _GUARD and row[7:] != _GUARD)


def read(*lines: bytes) -> list[Block]:
    blocks = Blocks()
    return [found for line in lines if (found := blocks.take(line)) is not None]


@given(st.lists(_ROWS), st.booleans())
def test_a_block_ends_only_with_the_whole_of_what_began_it(rows: list[bytes], failed: bool) -> None:
    end = b"%error " if failed else b"%end "
    assert read(b"%begin " + _GUARD, *rows, end + _GUARD) == [Block(tuple(rows), failed)]


def test_notifications_between_blocks_are_passed_over() -> None:
    lines = [b"%window-add @1", b"%begin 1 2 1", b"a", b"%end 1 2 1", b"%sessions-changed", b"%exit"]
    assert read(*lines) == [Block((b"a",), failed=False)]


@pytest.mark.parametrize("line", [b"", b"a row", b"%end 1 2 1", b"%error 1 2 1", b"%end", b"\x1b[31m%begin"])
def test_what_is_left_after_a_forged_end_is_noticed(line: bytes) -> None:
    with pytest.raises(Mismatch):
        read(b"%begin 1 2 1", b"%end 1 2 1", line)
