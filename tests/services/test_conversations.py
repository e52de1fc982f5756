"""A conversation found on disk goes to the one session that it can belong to, or to none."""

from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hqt.db.columns import stamp
from hqt.db.reader import SessionRow
from hqt.harnesses.base import Found
from hqt.services.conversations import own
from tests.services.sample import CREATED_UNIX, row

_KEYS = ("0000000a", "0000000b")


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


def test_the_first_conversation_since_the_start_is_its_own() -> None:
    found = [_found("later", 50), _found("own", 5), _found("before", -60)]
    assert own(_codex("0000000a", 0), [_codex("0000000a", 0)], found) == "own"


def test_one_that_another_session_has_is_not_taken() -> None:
    rows = [_codex("0000000a", 0), _codex("0000000b", 0, conversation="theirs")]
    assert own(rows[0], rows, [_found("theirs", 1)]) is None
    assert own(rows[0], rows, [_found("theirs", 1), _found("own", 2)]) == "own"


def test_none_is_taken_while_another_session_in_the_folder_waits_for_its_own() -> None:
    rows = [_codex("0000000a", 0), _codex("0000000b", 3)]
    assert [own(each, rows, [_found("whose", 5)]) for each in rows] == [None, None]


def test_a_session_elsewhere_or_of_another_harness_is_no_rival() -> None:
    mine = _codex("0000000a", 0)
    elsewhere = row(key="0000000b", harness="codex", project="/home/a/other")
    other = row(key="0000000c", harness="kiro")
    assert own(mine, [mine, elsewhere, other], [_found("own", 1)]) == "own"


def test_one_that_ended_before_is_no_rival() -> None:
    mine = _codex("0000000a", 100)
    rows = [mine, _codex("0000000b", 0, ended=50)]
    assert own(mine, rows, [_found("own", 101)]) == "own"


def test_a_session_that_never_started_owns_none() -> None:
    mine = row(harness="codex", started_at=None)
    assert own(mine, [mine], [_found("x", 1)]) is None


def test_one_from_after_the_end_is_not_taken() -> None:
    ended = _codex("0000000a", 0, ended=10)
    assert own(ended, [ended], [_found("of somebody else", 60)]) is None


def test_what_the_other_made_in_an_earlier_life_is_not_taken() -> None:
    again = row(**{**_fields(_codex("0000000b", 50)), "created_at": _at(0)})
    mine = _codex("0000000a", 0)
    assert own(mine, [mine, again], [_found("of its first life", 5)]) is None


@dataclass(slots=True)
class _Folder:
    """Two sessions in one folder, and who made each conversation there."""

    now: int = 0
    rows: dict[str, SessionRow] = field(default_factory=dict)
    makers: dict[str, str] = field(default_factory=dict)
    found: list[Found] = field(default_factory=list)
    talked: set[str] = field(default_factory=set)

    def start(self, key: str) -> None:
        before = self.rows.get(key)
        if before is None:
            self.rows[key] = _codex(key, self.now)
        elif before.ended_at is not None:
            self.learn(key)
            self._change(key, started_at=_at(self.now), ended_at=None)
            self.talked.discard(key)

    def end(self, key: str) -> None:
        if key in self.rows and self.rows[key].ended_at is None:
            self._change(key, ended_at=_at(self.now))
            self.learn(key)

    def talk(self, key: str) -> None:
        """The first words of a life make a conversation, but for one that was resumed."""
        here = self.rows.get(key)
        if here is None or here.ended_at or here.conversation or key in self.talked:
            return
        name = f"{key}-{self.now}"
        self.talked.add(key)
        self.makers[name] = key
        self.found.append(_found(name, self.now + 0.5))

    def learn(self, key: str) -> None:
        if key in self.rows and self.rows[key].conversation is None:
            self._change(key, conversation=own(self.rows[key], self.rows.values(), self.found))

    def _change(self, key: str, **changes: str | None) -> None:
        self.rows[key] = row(**{**_fields(self.rows[key]), **changes})


_STEPS = st.tuples(
    st.sampled_from(["start", "talk", "learn", "end"]), st.sampled_from(_KEYS), st.integers(0, 4)
)


@given(st.lists(_STEPS, max_size=30))
def test_two_sessions_in_one_folder_never_swap(steps: list[tuple[str, str, int]]) -> None:
    folder = _Folder()
    for step, key, pause in steps:
        folder.now += pause
        getattr(folder, step)(key)
        learned = {each.key: each.conversation for each in folder.rows.values() if each.conversation}
        assert {key: folder.makers[conversation] for key, conversation in learned.items()} == {
            key: key for key in learned
        }


def _fields(found: SessionRow) -> dict[str, object]:
    return {each.name: getattr(found, each.name) for each in fields(found)}
