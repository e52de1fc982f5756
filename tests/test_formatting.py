"""What both faces say of a session is short, exact and safe for a terminal."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt import formatting
from hqt.db.columns import stamp
from hqt.observe.views import Exit, SessionView
from hqt.sandbox import SandboxPolicy
from hqt.values import replace

_VIEW = SessionView(
    id=3,
    key="0000000a",
    name="shop-claude",
    project=Path("/home/a/shop"),
    project_name="shop",
    cwd=Path("/home/a/shop"),
    given=Path("/home/a/link"),
    harness="claude",
    args=("--model", "m"),
    env_names=(),
    state="exited",
    exit=Exit(signal=15),
    sandbox=SandboxPolicy("ro", net=False),
    invalid=None,
    conversation="5e55-1",
    conversation_source="minted",
    created_at="2026-06-10T12:00:00Z",
    ended_at="2026-06-10T12:01:00Z",
    note="a note",
)


@pytest.mark.parametrize(
    ("invalid", "policy", "words"),
    [
        (None, None, "OPEN"),
        (None, SandboxPolicy(), "rw net"),
        (None, SandboxPolicy("ro", net=False), "ro offline"),
        ("it can't be read", None, "INVALID"),
    ],
)
def test_the_jail_is_said_in_a_word(invalid: str | None, policy: SandboxPolicy | None, words: str) -> None:
    assert formatting.jail_words(replace(_VIEW, invalid=invalid, sandbox=policy)) == words


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (None, "exited"),
        (Exit(code=0), "exited (0)"),
        (Exit(code=3), "exited (3)"),
        (Exit(signal=9), "exited (KILL)"),
        (Exit(signal=63), "exited (signal 63)"),
    ],
)
def test_an_end_is_said_with_its_code_or_signal(found: Exit | None, words: str) -> None:
    assert formatting.state_words(replace(_VIEW, exit=found)) == words


def test_what_is_idle_and_unseen_is_called_done() -> None:
    idle = replace(_VIEW, state="idle", exit=None)
    assert [formatting.state_words(replace(idle, unseen=unseen)) for unseen in (False, True)] == [
        "idle",
        "done",
    ]


def test_a_moment_of_another_day_has_its_date() -> None:
    assert re.fullmatch(r"\d\d:\d\d:\d\d", formatting.clock(datetime.now(UTC).timestamp()))
    assert re.fullmatch(r"20(09|10)-\d\d-\d\d \d\d:31:30", formatting.clock("2009-02-13T23:31:30Z"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("new\nline", "new\\nline"),
        ("\u202eevil", "\\u202eevil"),
        ("\udcff", "\\udcff"),
        ("é 修复 👨‍👩‍👧 می‌خواهم", "é 修复 👨‍👩‍👧 می‌خواهم"),
    ],
)
def test_what_a_terminal_would_act_on_is_written_out(text: str, shown: str) -> None:
    assert formatting.literal(text) == shown


@given(st.text())
def test_nothing_printed_can_move_the_cursor(text: str) -> None:
    assert formatting.literal(formatting.literal(text)) == formatting.literal(text)
    assert not any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in formatting.literal(text))


@pytest.mark.parametrize(
    ("text", "cells"), [("abc", 3), ("修复", 4), ("e\u0301", 1), ("a\ufe0f", 1), ("می‌خواهم", 7), ("ｈ", 2)]
)
def test_width_counts_the_cells_of_a_terminal(text: str, cells: int) -> None:
    assert formatting.width(text) == cells


@pytest.mark.parametrize(
    ("seconds", "word"), [(0, "0s"), (59, "59s"), (60, "1m"), (7200, "2h"), (90000, "1d"), (-5, "0s")]
)
def test_age_is_in_the_largest_unit_that_fits(seconds: int, word: str) -> None:
    assert formatting.age(stamp(datetime.now(UTC) - timedelta(seconds=seconds))) in (
        word,
        word.replace("59s", "1m").replace("0s", "1s"),
    )


def test_all_that_is_known_of_a_session_is_said_once_and_literally() -> None:
    view = replace(_VIEW, name="a\x1b[31mb", args=("--model", "m n"), env_names=("TOKEN", "HOME"))
    view = replace(view, former=("5e55-0", "5e55-00"), muted=True)
    assert formatting.facts(view) == [
        ("id", "3"),
        ("name", r"a\x1b[31mb"),
        ("state", "exited (TERM)"),
        ("harness", "claude --model 'm n'"),
        ("folder", "/home/a/shop (given as /home/a/link)"),
        ("jail", "ro offline"),
        ("variables", "TOKEN HOME"),
        ("notices", "muted"),
        ("conversation", "5e55-1 (minted)"),
        ("before", "5e55-0 5e55-00"),
        ("created", "2026-06-10T12:00:00Z"),
        ("ended", "2026-06-10T12:01:00Z"),
        ("note", "a note"),
    ]


def test_what_is_not_known_of_a_session_is_left_out() -> None:
    view = replace(_VIEW, given=_VIEW.cwd, state="waiting", exit=None, invalid="it can't be read")
    view = replace(view, conversation=None, ended_at=None, note=None, args=(), reason="asks: may I?")
    assert formatting.facts(view)[2:] == [
        ("state", "waiting"),
        ("reason", "asks: may I?"),
        ("harness", "claude"),
        ("folder", "/home/a/shop"),
        ("jail", "it can't be read"),
        ("created", "2026-06-10T12:00:00Z"),
    ]
