"""A screen is told by its last lines, and by the first rule that holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.status.detect import Word
from hqt.status.rules import Shown, rule, told

RULES = (
    rule("waiting", r"^\W*1\. Yes\b"),
    rule("working", r"esc to interrupt"),
    rule("idle", r"^❯ *$", lines=3),
)


def word(screen: list[str]) -> Word | None:
    found = told(RULES, screen)
    return None if found is None else found.word


@pytest.mark.parametrize(
    ("screen", "means"),
    [
        ([], None),
        ([""], None),
        (["nothing known"], None),
        (["❯ 1. Yes", "  2. No"], "waiting"),
        (["* Thinking (esc to interrupt)", "❯ "], "working"),
        (["❯ ", "? for shortcuts"], "idle"),
    ],
)
def test_the_first_rule_that_holds_tells(screen: list[str], means: str | None) -> None:
    assert word(screen) == means


def test_without_rules_nothing_is_told() -> None:
    assert told((), ["❯ 1. Yes"]) is None


def test_what_stands_far_above_the_end_was_said_before() -> None:
    assert word(["❯ 1. Yes", *["text"] * 24]) is None
    assert word(["❯ 1. Yes", *["text"] * 23]) == "waiting"


def test_a_rule_may_look_at_fewer_lines() -> None:
    assert word(["❯ ", "a", "b"]) == "idle"
    assert word(["❯ ", "a", "b", "c"]) is None


@given(st.lists(st.sampled_from(["", " ", "\t"]), max_size=60))
def test_empty_lines_at_the_end_change_nothing(empty: list[str]) -> None:
    assert word(["❯ 1. Yes", *empty]) == "waiting"


def test_a_line_without_end_is_looked_at_up_to_a_width() -> None:
    assert word(["x" * 1_000_000 + "esc to interrupt"]) is None


def test_the_line_that_told_is_kept_for_a_person_to_read() -> None:
    assert told(RULES, ["some text", "  ❯ 1. Yes  ", "2. No"]) == Shown(
        "waiting", "❯ 1. Yes", r"^\W*1\. Yes\b"
    )


def test_the_last_line_that_asks_says_why() -> None:
    asking = rule("waiting", "^Esc to cancel", lines=2, asks=r"\w[^|]*\?")
    screen = ["What is it?", "| Do you want to proceed?  |", "1. Yes", "Esc to cancel"]
    assert told([asking], screen) == Shown("waiting", "Do you want to proceed?", "^Esc to cancel")
    assert told([asking], ["1. Yes", "Esc to cancel"]) == Shown("waiting", "Esc to cancel", "^Esc to cancel")
