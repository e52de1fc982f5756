"""When a session is where it is waited for."""

import os
import threading
from collections.abc import Callable, Collection
from dataclasses import field
from pathlib import Path

import pytest

from hqt import paths
from hqt.db import reader
from hqt.db.reader import SessionRow
from hqt.errors import HqtError, NoSuchSession, ServiceError, TimedOut
from hqt.observe.look import Looker
from hqt.observe.views import SessionView, State
from hqt.paths import Places
from hqt.sessions import wait as wait_module
from hqt.sessions.wait import Verdict, Wanted, Wish, verdict, wait_for
from hqt.start.caller import Caller
from hqt.values import frozen
from tests.backends.fake_backend import FakeBackend
from tests.sessions.sample import row
from tests.tui.sample import view


@pytest.mark.parametrize(
    ("state", "wanted", "found"),
    [
        ("idle", "idle", "there"),
        ("idle", "any", "there"),
        ("idle", "waiting", "not yet"),
        ("waiting", "waiting", "there"),
        ("waiting", "idle", "not yet"),
        ("working", "any", "not yet"),
        ("running", "any", "not yet"),
        ("starting", "exited", "not yet"),
        ("exited", "any", "there"),
        ("stopped", "exited", "there"),
        ("lost", "exited", "there"),
        ("exited", "idle", "never"),
        ("lost", "waiting", "never"),
    ],
)
def test_where_a_session_is(state: State, wanted: Wanted, found: Verdict) -> None:
    assert verdict(view(1, state=state), wanted) == found


def test_what_is_done_is_idle() -> None:
    assert verdict(view(1, state="idle", unseen=True), "idle") == "there"


@frozen
class Looks(Looker):
    """Sees in turn what it is told to; then the last of it again."""

    seen: list[tuple[SessionView, ...]] = field(default_factory=list)

    def all(self) -> tuple[SessionView, ...]:
        return self.seen.pop(0) if len(self.seen) > 1 else self.seen[0]

    def told_in(self, keys: Collection[str]) -> tuple[Path, ...]:
        return tuple(self.places.session(key) / "events" for key in keys)


Waits = Callable[..., list[tuple[int, str]]]


@pytest.fixture
def waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Waits:
    """Wait for sessions 1 and 2 over given looks; what was told, by id and state."""
    places = paths.places({"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)}, os.geteuid())
    places.session("00000001").mkdir(parents=True)

    def find(_: Places, text: str) -> SessionRow:
        return row(id=int(text), key=f"{int(text):08x}")

    monkeypatch.setattr(reader, "find", find)

    def run(
        wish: Wish,
        *seen: tuple[SessionView, ...],
        timeout_s: float | None = 30,
        told: list[SessionView] | None = None,
    ) -> list[tuple[int, str]]:
        told = [] if told is None else told
        looker = Looks(places, Caller.current(), FakeBackend(), seen=list(seen))
        wait_for(looker, ["1", "2", "1"], wish, timeout_s=timeout_s, tell=told.append)
        return [(each.id, each.state) for each in told]

    return run


def test_each_is_told_as_it_arrives(waits: Waits) -> None:
    working = view(1, state="working")
    looks = ((working, view(2, state="idle")), (working, view(2)), (view(1, state="idle"), view(2)))
    assert waits(Wish("idle"), *looks) == [(2, "idle"), (1, "idle")]


def test_the_first_is_enough_where_that_is_asked(waits: Waits) -> None:
    assert waits(Wish("idle", first=True), (view(1, state="working"), view(2, state="idle"))) == [(2, "idle")]
    both = (view(1, state="idle"), view(2, state="idle"))
    assert waits(Wish("idle", first=True), both) == [(1, "idle")]  # one is told, as the caller asked for one
    ended = view(1, state="exited")
    looks = ((ended, view(2, state="working")), (ended, view(2, state="idle")))
    assert waits(Wish("idle", first=True), *looks) == [(2, "idle")]


def refusal(
    waits: Waits,
    wish: Wish,
    *seen: tuple[SessionView, ...],
    timeout_s: float = 30,
    told: list[SessionView] | None = None,
) -> HqtError:
    with pytest.raises(HqtError) as raised:
        waits(wish, *seen, timeout_s=timeout_s, told=told)
    return raised.value


def test_one_that_ended_is_waited_for_in_vain(waits: Waits) -> None:
    found = refusal(waits, Wish("idle"), (view(1, state="working"), view(2, state="exited")))
    assert isinstance(found, ServiceError)
    assert (found.exit_code, str(found)) == (
        1,
        "session 2 is exited and will not be idle: see `hqt show 2`",
    )


def test_who_is_there_is_told_before_the_failure_of_another(waits: Waits) -> None:
    told: list[SessionView] = []
    found = refusal(waits, Wish("idle"), (view(1, state="idle"), view(2, state="lost")), told=told)
    assert str(found).startswith("session 2 is lost and will not be idle")
    assert [each.id for each in told] == [1]


def test_the_time_that_is_over_is_told_with_the_states(waits: Waits) -> None:
    found = refusal(waits, Wish("idle"), (view(1, state="working"), view(2, state="waiting")), timeout_s=0.1)
    assert isinstance(found, TimedOut)
    assert (found.exit_code, str(found)) == (
        5,
        "session 1 is working, 2 is waiting after 0.1 s: wait longer, or look with `hqt capture 1`",
    )


def test_one_that_was_removed_is_no_session(waits: Waits) -> None:
    found = refusal(waits, Wish("any"), (view(2, state="idle"),))
    assert isinstance(found, NoSuchSession)


def test_a_mere_command_is_never_known_to_be_idle(waits: Waits) -> None:
    shell = view(1, state="running", harness="generic")
    assert str(refusal(waits, Wish("idle"), (shell, view(2, state="idle")))) == (
        "session 1 runs a command that does not tell when it is idle: wait for it with --for exited"
    )


def test_after_a_prompt_idle_counts_once_it_worked_or_has_been_so_for_long(
    waits: Waits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Looks, "judged", lambda *_: None)
    long_idle = view(1, state="idle", since="2026-06-10T12:00:00Z")
    assert waits(Wish("any", worked=True), (long_idle, view(2, state="waiting"))) == [
        (1, "idle"),
        (2, "waiting"),
    ]
    fresh = view(1, state="idle", since="2999-01-01T00:00:00Z")
    found = refusal(waits, Wish("any", worked=True), (fresh, view(2, state="waiting")), timeout_s=0.1)
    assert isinstance(found, TimedOut)


def test_agents_with_hooks_are_waited_for_by_their_words_alone(
    tmp_path: Path, waits: Waits, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next look of its own would come after the time is over."""
    monkeypatch.setattr(wait_module, "_FRESH_S", 0.0)
    monkeypatch.setattr(wait_module, "_CALM_S", 600.0)
    for number in (1, 2):
        folder = tmp_path / f".local/share/hqt/sessions/{number:08x}/events"
        folder.mkdir(parents=True)
        (folder / "words").write_text("working\n")
    working, idle = ((view(1, state=state), view(2, state=state)) for state in ("working", "idle"))
    is_over = threading.Event()
    telling = threading.Thread(target=_tell_until, args=(folder / "words", is_over))
    telling.start()
    try:
        assert waits(Wish("idle"), working, working, idle, timeout_s=60) == [(1, "idle"), (2, "idle")]
    finally:
        is_over.set()
        telling.join()


def _tell_until(words: Path, is_over: threading.Event) -> None:
    while not is_over.wait(0.2):
        with words.open("a") as file:
            file.write("idle\n")
