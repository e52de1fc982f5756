"""Names: printable, never an id, and one of its own for each session."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.errors import ServiceError
from hqt.sessions import names
from hqt.sessions.names import validate_name


@pytest.mark.parametrize(
    "name",
    ["app.v1", "#(touch PWN)", "#{pid}", "a'b\"c", "-x", "修复 bug", "👨‍👩‍👧 x", "می‌خواهم", "1a", "²", " x"],
)
def test_printable_text_is_a_name(name: str) -> None:
    assert validate_name(name) == name


@pytest.mark.parametrize(
    "name", ["", " ", "a\nb", "a\x1b[31m", "a\tb", "\u202eevil", "\udc80", "\u200d", "x" * 201]
)
def test_what_cannot_be_seen_or_is_too_long_is_no_name(name: str) -> None:
    with pytest.raises(ServiceError, match="can't be used: choose 1 to 200 printable characters"):
        validate_name(name)


@pytest.mark.parametrize("name", ["7", "007", "１２", "٣"])
def test_a_number_is_no_name(name: str) -> None:
    with pytest.raises(ServiceError, match="numbers are ids: add a letter"):
        validate_name(name)


def test_the_automatic_names_count_on() -> None:
    taken = {"shop-claude", "shop-claude-2", "shop-claude-4"}
    assert names.automatic("shop", "codex", taken) == "shop-codex"
    assert names.automatic("shop", "claude", taken) == "shop-claude-3"


def test_a_folder_with_a_line_break_gives_a_printable_name() -> None:
    assert names.automatic("new\nline", "claude", ()) == "new_line-claude"


@given(st.text(min_size=1, max_size=300), st.sampled_from(["claude", "generic"]), st.integers(0, 12))
def test_every_automatic_name_may_be_given_and_is_free(project: str, harness: str, before: int) -> None:
    taken: set[str] = set()
    for _ in range(before + 1):
        name = names.automatic(project, harness, taken)
        assert validate_name(name) == name
        assert name not in taken
        taken.add(name)
