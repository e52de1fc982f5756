"""A conversation goes to the one session that it can belong to, or to none."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.conversations.ownership import Learned, from_disk, from_reports
from hqt.db.columns import stamp
from hqt.db.reader import SessionRow
from hqt.harnesses.base import Found
from hqt.values import replace
from tests.sessions.sample import CREATED_UNIX, row

_A, _B = "0000000a", "0000000b"
_KEYS = (_A, _B)
_JAIL = '{"fs": "rw", "net": true}'
_NONE: Mapping[str, tuple[str, ...]] = {}


def _at(seconds: float) -> str:
    return stamp(datetime.fromtimestamp(CREATED_UNIX + seconds, UTC))


def _codex(key: str, begun: float, ended: float | None = None, conversation: str | None = None) -> SessionRow:
    return row(
        key=key,
        harness="codex",
        created_at=_at(begun),
        started_at=_at(begun),
        ended_at=None if ended is None else _at(ended),
        conversation=conversation,
    )


def _found(conversation: str, born: float) -> Found:
    return Found(conversation, CREATED_UNIX + born, Path("/x"))


def _own(mine: SessionRow, rows: list[SessionRow], *found: Found, **reports: tuple[str, ...]) -> str | None:
    """What is discovered, by its id; `reports` by the last letter of the key."""
    said = {f"0000000{letter}": ids for letter, ids in reports.items()}
    learned = from_disk(mine, rows, said, found)
    return learned.conversation if learned else None


def test_the_first_conversation_since_the_start_is_its_own() -> None:
    found = [_found("later", 50), _found("own", 5), _found("before", -60)]
    learned = from_disk(_codex(_A, 0), [_codex(_A, 0)], _NONE, found)
    assert learned == Learned("own", "discovered")


def test_one_that_another_session_has_or_had_is_not_taken() -> None:
    theirs = replace(_codex(_B, -50, ended=-40, conversation="theirs"), former=("left",))
    rows = [_codex(_A, 0), theirs]
    assert _own(rows[0], rows, _found("theirs", 1), _found("left", 2)) is None
    assert _own(rows[0], rows, _found("theirs", 1), _found("left", 2), _found("own", 3)) == "own"


def test_one_that_another_session_reported_is_not_taken() -> None:
    rows = [_codex(_A, 0), _codex(_B, 0, conversation="theirs")]
    assert _own(rows[0], rows, _found("theirs too", 1), b=("theirs", "theirs too")) is None
    assert _own(rows[0], rows, _found("theirs too", 1), _found("own", 2), b=("theirs too",)) == "own"


def test_none_is_taken_while_another_session_in_the_folder_waits_for_its_own() -> None:
    rows = [_codex(_A, 0), _codex(_B, 3)]
    assert [_own(each, rows, _found("whose", 5)) for each in rows] == [None, None]


def test_where_no_other_session_writes_there_is_no_doubt() -> None:
    rows = [_codex(_A, 0), _codex(_B, 0), _codex("0000000c", 0, conversation="theirs")]
    own = [replace(_found("own", 5), exclusive=True), replace(_found("next", 6), exclusive=True)]
    assert _own(rows[0], rows, *own) == "own"
    assert _own(rows[0], rows, replace(_found("theirs", 1), exclusive=True)) is None


def test_beside_a_silent_session_that_has_its_own_only_a_single_one_is_sure() -> None:
    rows = [_codex(_A, 0), _codex(_B, 0, conversation="theirs")]
    assert _own(rows[0], rows, _found("own", 2)) == "own"
    assert _own(rows[0], rows, _found("own", 2), _found("whose", 3)) is None


def test_what_is_reported_is_not_looked_for_on_the_disk() -> None:
    mine = _codex(_A, 0)
    assert _own(mine, [mine], _found("somebody's", 1), a=("own",)) is None


def test_a_session_elsewhere_or_of_another_harness_is_no_rival() -> None:
    mine = _codex(_A, 0)
    elsewhere = row(key=_B, harness="codex", project="/home/a/other")
    other = row(key="0000000c", harness="kiro")
    assert _own(mine, [mine, elsewhere, other], _found("own", 1)) == "own"


def test_one_that_ended_before_is_no_rival() -> None:
    mine = _codex(_A, 100)
    assert _own(mine, [mine, _codex(_B, 0, ended=50)], _found("own", 101)) == "own"


def test_a_session_that_never_started_owns_none() -> None:
    mine = row(harness="codex", started_at=None)
    assert _own(mine, [mine], _found("x", 1)) is None
    assert from_reports(mine, [mine], {mine.key: ("x",)}, {"x": _found("x", 1)}, frozenset()) is None


def test_one_from_after_the_end_is_not_taken() -> None:
    ended = _codex(_A, 0, ended=10)
    assert _own(ended, [ended], _found("of somebody else", 60)) is None


def test_what_the_other_made_in_an_earlier_life_is_not_taken() -> None:
    again = replace(_codex(_B, 50), created_at=_at(0))
    mine = _codex(_A, 0)
    assert _own(mine, [mine, again], _found("of its first life", 5)) is None


def _went(mine: SessionRow, *ids: str, kept: tuple[str, ...] = (), **born: float) -> Learned | None:
    """Where it went by its reports; `born`: what is found on the disk."""
    found = {name: _found(name, moment) for name, moment in born.items()}
    return from_reports(mine, [mine], {mine.key: ids}, found, frozenset(kept))


def test_the_first_that_is_reported_and_found_is_its_own() -> None:
    assert _went(_codex(_A, 0), "own", own=1) == Learned("own", "hook")
    assert _went(_codex(_A, 0), "unused", "own", own=1) == Learned("own", "hook")


def test_a_rotation_is_followed_and_what_was_left_stays_its_own() -> None:
    mine = _codex(_A, 0, conversation="one")
    assert _went(mine, "one", "two", kept=("one",), two=5) == Learned("two", "hook", left=("one",))
    assert _went(mine, "one", "two", "three", kept=("one",), two=5, three=6) == Learned(
        "three", "hook", left=("one", "two")
    )


def test_the_way_back_to_what_was_its_own_is_followed_too() -> None:
    mine = replace(_codex(_A, 100, conversation="two"), former=("one",))
    assert _went(mine, "two", "one", kept=("one", "two")) == Learned("one", "hook", left=("two",))


def test_what_it_visited_meanwhile_stays_its_own() -> None:
    mine = _codex(_A, 0, conversation="one")
    assert _went(mine, "one", "two", "one", kept=("one",), two=5) == Learned("one", "hook", left=("two",))


def test_what_is_known_is_not_learned_again() -> None:
    mine = replace(_codex(_A, 0, conversation="two"), former=("one",))
    assert _went(mine, "one", "two", kept=("one", "two")) is None


@pytest.mark.parametrize("born", [-60, 60])
def test_one_of_another_life_is_not_followed(born: float) -> None:
    mine = _codex(_A, 0, ended=10, conversation="one")
    assert _went(mine, "one", "older", kept=("one",), older=born) is None


def test_one_whose_transcript_is_not_there_is_not_followed() -> None:
    assert _went(_codex(_A, 0, conversation="one"), "one", "empty", kept=("one",)) is None
    assert _went(_codex(_A, 0, conversation="one"), "empty") is None


@pytest.mark.parametrize("theirs", [{"conversation": "x"}, {"former": ("x",)}])
def test_one_that_is_another_sessions_is_not_followed(theirs: dict[str, object]) -> None:
    rows = [_codex(_A, 0), replace(_codex(_B, 0), **theirs)]
    assert from_reports(rows[0], rows, {_A: ("x",)}, {"x": _found("x", 1)}, frozenset()) is None


@pytest.mark.parametrize(
    ("mine", "other", "taken"),
    [(None, None, False), (_JAIL, _JAIL, False), (_JAIL, None, False), (None, _JAIL, True)],
)
def test_what_two_report_is_nobodys_but_a_jail_cannot_deny_it_to_an_open_one(
    mine: str | None, other: str | None, taken: bool
) -> None:
    rows = [replace(_codex(_A, 0), sandbox_json=mine), replace(_codex(_B, 0), sandbox_json=other)]
    reports = {_A: ("x",), _B: ("x",)}
    learned = from_reports(rows[0], rows, reports, {"x": _found("x", 1)}, frozenset())
    assert learned == (Learned("x", "hook") if taken else None)


@dataclass(slots=True)
class _Folder:
    """Two sessions in one folder, who made each conversation there, and in which each session is."""

    hooked: bool
    now: int = 0
    rows: dict[str, SessionRow] = field(default_factory=dict)
    reports: dict[str, tuple[str, ...]] = field(default_factory=dict)
    makers: dict[str, str] = field(default_factory=dict)
    found: list[Found] = field(default_factory=list)
    current: dict[str, str | None] = field(default_factory=dict)

    def start(self, key: str) -> None:
        before = self.rows.get(key)
        if before is None:
            self.rows[key] = _codex(key, self.now)
        elif before.ended_at is not None:
            self.learn(key)
            self._change(key, started_at=_at(self.now), ended_at=None)
        else:
            return
        self.reports[key] = ()
        self.current[key] = self.rows[key].conversation

    def end(self, key: str) -> None:
        if self._lives(key):
            self._change(key, ended_at=_at(self.now))
            self.learn(key)

    def talk(self, key: str) -> None:
        """Words make a conversation where there is none, and are reported."""
        if not self._lives(key):
            return
        conversation = self.current[key]
        if conversation is None:
            conversation = f"{key}-{len(self.found)}"
            self.makers[conversation] = key
            self.found.append(_found(conversation, self.now + 0.5))
            self.current[key] = conversation
        self._report(key, conversation)

    def renew(self, key: str) -> None:
        """Codex's /new; without hooks nobody could tell whose the next one is."""
        if self._lives(key) and self.hooked:
            self.current[key] = None

    def visit(self, key: str) -> None:
        """Its /resume, into any conversation of the folder."""
        if self._lives(key) and self.hooked and self.found:
            self.current[key] = self.found[self.now % len(self.found)].conversation
            self._report(key, str(self.current[key]))

    def learn(self, key: str) -> None:
        if key not in self.rows:
            return
        mine, rows = self.rows[key], list(self.rows.values())
        own = {mine.conversation, *mine.former}
        if self.reports[key]:
            there = {each.conversation: each for each in self.found if each.conversation not in own}
            kept = frozenset(each for each in own if each is not None)
            learned = from_reports(mine, rows, self.reports, there, kept)
        elif mine.conversation is None:
            learned = from_disk(mine, rows, self.reports, self.found)
        else:
            return
        if learned is not None:
            former = (*mine.former, *learned.left)
            self._change(key, conversation=learned.conversation, former=former)

    def _lives(self, key: str) -> bool:
        return key in self.rows and self.rows[key].ended_at is None

    def _report(self, key: str, conversation: str) -> None:
        if self.hooked:
            self.reports[key] = (*self.reports[key], conversation)

    def _change(self, key: str, **changes: object) -> None:
        self.rows[key] = replace(self.rows[key], **changes)


_STEPS = st.tuples(
    st.sampled_from(["start", "talk", "renew", "visit", "learn", "end"]),
    st.sampled_from(_KEYS),
    st.integers(0, 4),
)


@given(st.lists(_STEPS, max_size=30), st.booleans())
def test_two_sessions_in_one_folder_never_swap(steps: list[tuple[str, str, int]], hooked: bool) -> None:
    folder = _Folder(hooked)
    for step, key, pause in steps:
        folder.now += pause
        getattr(folder, step)(key)
        for each in folder.rows.values():
            owned = [found for found in (each.conversation, *each.former) if found is not None]
            assert {folder.makers[found] for found in owned} <= {each.key}


_LIES = st.tuples(st.just("lie"), st.just(_B), st.integers(0, 4))


@given(st.lists(st.one_of(_STEPS, _LIES), max_size=30))
def test_a_jail_that_lies_neither_gets_nor_denies_what_is_an_open_sessions(
    steps: list[tuple[str, str, int]],
) -> None:
    folder = _Folder(hooked=True)
    for step, key, pause in steps:
        folder.now += pause
        if step not in ("lie", "visit"):
            getattr(folder, step)(key)
        if _B in folder.rows:
            folder._change(_B, sandbox_json=_JAIL)
            if step == "lie":
                everything = tuple(each.conversation for each in folder.found)
                folder.reports[_B] = (*folder.reports[_B], *everything, "no id at all")
            liar = folder.rows[_B]
            taken = {found for found in (liar.conversation, *liar.former) if found is not None}
            assert {folder.makers[found] for found in taken} <= {_B}
        if _A in folder.rows and step in ("learn", "end") and key == _A and folder.current[_A]:
            assert folder.rows[_A].conversation == folder.current[_A]
