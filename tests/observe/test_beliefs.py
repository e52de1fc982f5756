"""What is believed of an agent is gathered in one look, kept for all processes, and only of this life."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import pytest

from hqt import paths
from hqt.backends.base import Pane, Panes
from hqt.db import reader
from hqt.errors import BackendError
from hqt.harnesses.generic import Generic
from hqt.harnesses.registry import Harnesses
from hqt.observe import beliefs
from hqt.observe.beliefs import Judgement, judge_all, mark_seen
from hqt.observe.look import Looker
from hqt.paths import Places
from hqt.start.caller import Caller
from hqt.status import events
from hqt.status.detect import Belief, Look, Sign
from hqt.status.rules import rule
from hqt.values import replace
from tests.backends.fake_backend import FakeBackend
from tests.sessions.sample import KEY, pane, row, up

_NOW = 2_000_000_000.0
OTHER = "0000000b"


class Robot(Generic):
    name = "robot"
    reports = True
    screen_rules = (rule("waiting", "^ask"), rule("working", "^busy"), rule("idle", "^ready"))
    title_rules = (rule("working", "spins"),)
    bell = "waiting"

    def registry(self, pid: int, now: float) -> Sign | None:
        return Sign("registry", "idle", now - 1) if pid == 7 else None


@dataclass(slots=True)
class Screens(FakeBackend):
    """Panes that show what a test says."""

    shown: dict[str, list[str]] = field(default_factory=dict)
    calls: int = 0

    def screens(self, panes: Sequence[Pane]) -> Mapping[str, list[str]]:
        self.calls += 1
        return {each.key: self.shown[each.key] for each in panes if each.key in self.shown}


class Blind(FakeBackend):
    def screens(self, panes: Sequence[Pane]) -> Mapping[str, list[str]]:
        raise BackendError("one ended between the two calls")


@dataclass(frozen=True, slots=True)
class Stand:
    places: Places
    caller: Caller
    backend: Screens = field(default_factory=Screens)

    def look(self, panes: Panes, backend: FakeBackend | None = None) -> tuple[Judgement, ...]:
        rows = [row(harness="robot"), row(id=2, key=OTHER, harness="robot")]
        return judge_all(rows, panes, self.places, self.caller, backend or self.backend)

    def belief(self, panes: Panes, key: str = KEY) -> Belief | None:
        return next((each.belief for each in self.look(panes) if each.key == key), None)


@pytest.fixture
def stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stand:
    env = {"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)}
    places = paths.places(env, os.geteuid())
    for key in (KEY, OTHER):
        places.session(key).mkdir(parents=True)
    monkeypatch.setattr(beliefs, "time", Clock)
    Clock.now = _NOW
    return Stand(places, Caller(env, os.geteuid(), 0o022, harnesses=Harnesses({"robot": Robot})))


class Clock:
    now: ClassVar[float] = _NOW

    @classmethod
    def time(cls) -> float:
        return cls.now


def test_every_source_is_seen_strongest_first(stand: Stand) -> None:
    folder = stand.places.session(KEY) / events.FOLDER
    events.renew(folder)
    (folder / events.WORDS).write_text("working\n")
    os.utime(folder / events.WORDS, (_NOW - 9, _NOW - 9))
    stand.backend.shown = {KEY: ["ask me"]}
    seen = stand.look(up(pane(pid=7, said="it spins", rang=True, printed_at=5, watched=True)))
    assert seen == (
        Judgement(
            KEY,
            Look(
                _NOW,
                (
                    Sign("hook", "working", _NOW - 9, worked=True),
                    Sign("registry", "idle", _NOW - 1),
                    Sign("title", "working", pattern="spins"),
                    Sign("bell", "waiting"),
                    Sign("screen", "waiting", reason="ask me", pattern="^ask"),
                ),
                printed_at=5,
                watched=True,
                tells=True,
            ),
            Belief("waiting", _NOW, "bell", "shown by its bell now", "ask me", worked=True),
        ),
    )


def test_all_screens_come_in_one_call_and_dead_panes_are_not_asked(stand: Stand) -> None:
    stand.backend.shown = {KEY: ["busy"], OTHER: ["ready"]}
    seen = stand.look(up(pane(), pane(key=OTHER)))
    assert [each.belief and each.belief.word for each in seen] == ["working", "idle"]
    assert stand.look(up(pane(dead=True))) == ()
    assert stand.backend.calls == 1


def test_another_process_goes_on_from_what_was_believed(stand: Stand) -> None:
    for word in ("ready", "busy"):
        stand.backend.shown = {KEY: [word]}
        assert stand.belief(up(pane()))
        Clock.now += 4
    stand.backend.shown = {KEY: ["ready"]}
    doubted = stand.belief(up(pane()))
    Clock.now += 1
    again = Stand(stand.places, stand.caller, stand.backend).belief(up(pane()))
    assert doubted is not None
    assert (doubted.word, doubted.doubt) == ("working", "idle")
    assert again is not None
    assert (again.word, again.since, again.unseen) == ("idle", _NOW + 8, True)


def test_a_failed_look_changes_nothing(stand: Stand) -> None:
    stand.backend.shown = {KEY: ["ask"]}
    before = stand.belief(up(pane()))
    (after,) = stand.look(up(pane()), Blind())
    assert after.belief == before


def test_a_new_life_begins_without_what_was_believed_of_the_last(stand: Stand) -> None:
    stand.backend.shown = {KEY: ["ask"]}
    assert stand.belief(up(pane()))
    stand.backend.shown = {}
    assert stand.belief(up(pane(pane="%2"))) is None


def test_what_a_person_has_looked_at_is_no_longer_done(stand: Stand) -> None:
    for word in ("ready", "busy", "ready", "ready"):
        stand.backend.shown = {KEY: [word]}
        belief = stand.belief(up(pane()))
        Clock.now += 4
    mark_seen(stand.places, KEY)
    seen = stand.belief(up(pane()))
    assert belief is not None
    assert belief.unseen
    assert seen == replace(belief, seen_at=Clock.now)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"life": 1, "belief": {"word": "idle"}}'])
def test_a_memory_that_cannot_be_read_is_none(stand: Stand, text: str) -> None:
    (stand.places.session(KEY) / "belief.json").write_text(text)
    stand.backend.shown = {KEY: ["ready"]}
    belief = stand.belief(up(pane()))
    assert belief is not None
    assert belief.word == "idle"


def test_a_session_that_was_removed_meanwhile_stays_removed(stand: Stand) -> None:
    stand.places.session(KEY).rmdir()
    stand.backend.shown = {KEY: ["ready"]}
    assert stand.belief(up(pane()))
    assert not stand.places.session(KEY).exists()


def test_agents_write_in_their_own_folders_what_they_do(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Claude Code in its registry as well, which jails have apart; a mere command writes nowhere."""
    others = {"id": 2, "key": OTHER, "harness": "claude"}
    open_, jailed = row(harness="claude"), row(**others, sandbox_json="{}")
    plain, gone = row(id=3, key="0000000c", harness="generic"), row(id=4, key="0000000d", harness="gone")
    monkeypatch.setattr(reader, "rows", lambda _: [open_, jailed, plain, gone])
    looker = Looker(stand.places, Caller(stand.caller.env, os.geteuid(), 0o022), stand.backend)
    folder, registry = stand.places.session, stand.places.home / ".claude/sessions"
    assert looker.told_in([KEY]) == (folder(KEY) / "events", registry)
    assert looker.told_in([OTHER]) == (folder(OTHER) / "events", folder(OTHER) / "claude-sessions")
    assert looker.told_in(["0000000c", "0000000d"]) == ()
