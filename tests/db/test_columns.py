"""What single columns hold."""

import os
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.db.columns import dump_words, load_words, new_key, stamp


@given(st.lists(st.text() | st.binary().map(os.fsdecode)))
def test_words_come_back_as_they_were_even_if_they_are_not_utf_8(words: list[str]) -> None:
    dumped = dump_words(words)
    assert dumped.isascii()
    assert load_words(dumped) == tuple(words)


@pytest.mark.parametrize("text", ["", "null", "{}", '"a"', "[1]", '["a"', "[" * 100_000])
def test_anything_but_a_list_of_texts_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        load_words(text)


def test_times_are_utc_to_the_second() -> None:
    moment = datetime(2026, 6, 10, 14, 0, 0, 999_999, tzinfo=timezone(timedelta(hours=2)))
    assert stamp(moment) == "2026-06-10T12:00:00Z"
    assert datetime.fromisoformat(stamp(moment)) == datetime(2026, 6, 10, 12, tzinfo=UTC)


def test_keys_are_eight_random_hex_digits() -> None:
    keys = {new_key() for _ in range(100)}
    assert len(keys) == 100
    assert all(len(key) == 8 and set(key) <= set("0123456789abcdef") for key in keys)
