"""What a notice says, to people and to programs; what an agent wrote acts on neither."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.notifications.message import body, event, title
from hqt.notifications.transitions import Notice
from hqt.observe.views import Exit, SessionView
from hqt.values import replace
from tests.tui.sample import VIEW

SINCE = "2026-06-10T12:00:05Z"


def asking(reason: str | None) -> Notice:
    return Notice(replace(VIEW, state="waiting", since=SINCE, reason=reason), "working", "waiting")


def failed(found: Exit | None) -> Notice:
    return Notice(replace(VIEW, state="exited", since=SINCE, exit=found), "working", "failed")


DONE = Notice(replace(VIEW, state="idle", unseen=True, since=SINCE), None, "done")


@pytest.mark.parametrize(
    ("notice", "said"),
    [
        (asking("Run `rm x`?"), ("shop-claude needs you", "shop\nRun `rm x`?")),
        (asking(None), ("shop-claude needs you", "shop")),
        (DONE, ("shop-claude is done", "shop")),
        (failed(Exit(code=3)), ("shop-claude failed (3)", "shop\nexited (3)")),
        (failed(Exit(signal=9)), ("shop-claude failed (KILL)", "shop\nexited (KILL)")),
        (failed(None), ("shop-claude failed", "shop")),
    ],
)
def test_a_notice_says_who_what_and_why(notice: Notice, said: tuple[str, str]) -> None:
    assert (title(notice), body(notice)) == said


def test_an_event_holds_all_that_a_program_needs() -> None:
    assert json.loads(event(asking("Run it?"))) == {
        "id": 1,
        "name": "shop-claude",
        "project": "/home/a/shop",
        "harness": "claude",
        "from": "working",
        "to": "waiting",
        "reason": "Run it?",
        "at": SINCE,
    }


def test_markup_of_an_agent_is_shown_as_it_is() -> None:
    assert body(asking("<a href='x'>&</a>")) == "shop\n&lt;a href='x'&gt;&amp;&lt;/a&gt;"


@given(st.text(max_size=600))
def test_nothing_that_an_agent_writes_acts_or_is_long(text: str) -> None:
    notice = asking(text)
    told = json.loads(event(notice))["reason"] or ""
    assert told.isprintable() or set(told) <= _printable(told)
    assert len(told) <= 200
    assert "\n" not in event(notice)
    assert body(notice).count("\n") <= 1


def _printable(text: str) -> set[str]:
    """With the joiners that names may hold (wording.literal)."""
    return {each for each in text if each.isprintable() or each in "\u200c\u200d"}


def test_a_name_is_literal_in_a_title_and_whole_in_an_event() -> None:
    named: SessionView = replace(VIEW, name="a\x1b]0;x\x07b", state="idle", unseen=True, project=Path("/p"))
    assert title(Notice(named, "working", "done")) == "a\\x1b]0;x\\x07b is done"
