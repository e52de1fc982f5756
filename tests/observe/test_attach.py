"""A terminal inside: who waits is told once, errors do not disturb it, and the key goes on to the next."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from hqt import paths
from hqt.backends.base import Attach, Attended
from hqt.errors import BackendError, DatabaseError
from hqt.observe import beliefs
from hqt.observe.attach import lend_terminal, switch_to_next
from hqt.observe.look import Looker
from hqt.observe.views import SessionView
from hqt.start.caller import Caller
from hqt.status.detect import Belief
from hqt.values import frozen
from tests.backends.fake_backend import FakeBackend
from tests.tui.sample import view

COMMAND = Attach(("enter",), {})


def _unheard(_: Sequence[SessionView]) -> None:
    return


Seen = tuple[SessionView, ...] | Exception


@dataclass(slots=True)
class Ticking(FakeBackend):
    """A terminal that stays inside for several ticks."""

    ticks: int = 1

    def attend(self, command: Attach, tick: Callable[[], None]) -> Attended:
        for _ in range(self.ticks):
            tick()
        return self.attended


@frozen
class Looks(Looker):
    """Sees in turn what it is told to; then the last of it again."""

    seen: list[Seen] = field(default_factory=list)

    def all(self) -> tuple[SessionView, ...]:
        found = self.seen.pop(0) if len(self.seen) > 1 else self.seen[0]
        if isinstance(found, Exception):
            raise found
        return found

    def one(self, text: str) -> SessionView:
        return next(each for each in self.all() if str(each.id) == text)


def looks(tmp_path: Path, backend: FakeBackend, *seen: Seen) -> Looks:
    places = paths.places({"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)}, os.geteuid())
    return Looks(places, Caller.current(), backend, seen=list(seen))


def test_who_waits_is_told_at_once_and_then_only_when_it_changes(tmp_path: Path) -> None:
    backend = Ticking(ticks=6)
    one, two = view(1, state="waiting"), view(2, state="waiting")
    calm = (view(1), view(2, state="working"))
    found = looks(tmp_path, backend, calm, calm, (one, view(2)), (one, two), (one, two), calm)
    assert lend_terminal(found, backend, calm[0], COMMAND, _unheard) is None
    assert backend.announced == [set(), {one.key}, {one.key, two.key}, set()]


@pytest.mark.parametrize("error", [BackendError("tmux gave no answer"), DatabaseError("it is locked")])
def test_a_look_that_fails_does_not_disturb_who_is_inside(error: Exception, tmp_path: Path) -> None:
    backend = Ticking(ticks=3, attended=Attended(0, "0000000b"))
    found = looks(tmp_path, backend, error, error, (view(1, state="waiting"),))
    assert lend_terminal(found, backend, view(1), COMMAND, _unheard) == "0000000b"
    assert backend.announced == [{view(1).key}]


def test_a_session_that_lives_and_could_not_be_entered_is_an_error(tmp_path: Path) -> None:
    backend = FakeBackend(attended=Attended(1, said="open terminal failed: not a terminal"))
    with pytest.raises(BackendError) as raised:
        lend_terminal(looks(tmp_path, backend, (view(1),)), backend, view(1), COMMAND, _unheard)
    said = "tmux could not enter session 1 (open terminal failed: not a terminal): run `hqt doctor`"
    assert str(raised.value) == said
    backend.attended = Attended(1)
    with pytest.raises(BackendError, match=r"session 1 \(exit 1\)"):
        lend_terminal(looks(tmp_path, backend, (view(1),)), backend, view(1), COMMAND, _unheard)


def test_a_session_that_ended_before_it_was_entered_is_none(tmp_path: Path) -> None:
    backend = FakeBackend(attended=Attended(1))
    found = looks(tmp_path, backend, (view(1, state="exited"),))
    assert lend_terminal(found, backend, view(1), COMMAND, _unheard) is None


def test_the_key_goes_on_to_who_waits_longest(tmp_path: Path) -> None:
    backend = FakeBackend()
    new = view(2, state="waiting", since="2026-06-10T12:00:09Z")
    old = view(3, state="waiting", since="2026-06-10T12:00:01Z")
    switch_to_next(looks(tmp_path, backend, (view(1), new, old)), backend, "/dev/pts/1", view(1).key)
    assert (backend.switched, backend.told) == ([("/dev/pts/1", old.key)], [])


def _done(found: Looks, *keys: str) -> None:
    for key in keys:
        found.places.session(key).mkdir(parents=True)
        beliefs._write(found.places, key, "life", Belief("idle", 1.0, "title", "rule", worked=True))


def _seen(found: Looks, key: str) -> bool:
    kept = beliefs._read(found.places, key)
    return kept is not None and not kept.belief.unseen


def test_a_visit_shorter_than_the_time_between_two_looks_was_a_look(tmp_path: Path) -> None:
    first, last, other = view(1), view(2), view(3)
    backend = FakeBackend(attended=Attended(0, last.key))
    found = looks(tmp_path, backend, (first, last, other))
    _done(found, first.key, last.key, other.key)
    lend_terminal(found, backend, first, COMMAND, _unheard)
    assert [_seen(found, each.key) for each in (first, last, other)] == [True, True, False]


def test_who_goes_on_to_the_next_has_looked_at_the_one_before(tmp_path: Path) -> None:
    backend = FakeBackend()
    found = looks(tmp_path, backend, (view(1), view(2, state="waiting")))
    _done(found, view(1).key)
    switch_to_next(found, backend, "c", view(1).key)
    assert _seen(found, view(1).key)


def test_where_no_other_needs_a_human_the_terminal_stays_and_is_told(tmp_path: Path) -> None:
    backend = FakeBackend()
    switch_to_next(looks(tmp_path, backend, (view(1, state="waiting"), view(2))), backend, "c", view(1).key)
    assert (backend.switched, backend.told) == ([], [("c", "no other session needs you")])
