"""What may be typed, and when it is not."""

import os
from collections.abc import Callable
from dataclasses import field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt import paths
from hqt.backends.base import Pane, Panes
from hqt.db import reader
from hqt.db.reader import SessionRow
from hqt.errors import ServiceError
from hqt.observe.look import Looker
from hqt.observe.views import SessionView, State
from hqt.paths import Places
from hqt.sessions import send as send_module
from hqt.sessions.send import send_text, typeable
from hqt.start.caller import Caller
from hqt.values import frozen
from tests.backends.fake_backend import FakeBackend
from tests.sessions.sample import pane, row
from tests.tui.sample import view


@given(st.text(st.characters(codec=None), max_size=20))
def test_what_is_typed_holds_no_sign_that_a_terminal_acts_on(text: str) -> None:
    try:
        typed = typeable(text)
    except ServiceError:
        return
    assert typed == text.replace("\r\n", "\n")
    assert not any(sign < " " or "\x7f" <= sign < "\xa0" for sign in typed if sign not in "\n\t")
    typed.encode()


@pytest.mark.parametrize("text", ["a\tb\nc", "é 日本 👍🏽", "it's $(x) ; #{pid} `y`", "\u202e"])
def test_text_stays_as_it_is(text: str) -> None:
    assert typeable(text) == text


def test_more_than_a_megabyte_is_refused() -> None:
    with pytest.raises(ServiceError, match="the text has 1048577 bytes and 1048576 are the most"):
        typeable("x" * 1048577)


@frozen
class Looks(Looker):
    """Sees the session in turn in the states that it is told; then in the last of them again."""

    states: list[State] = field(default_factory=list)

    def one(self, text: str) -> SessionView:
        state = self.states.pop(0) if len(self.states) > 1 else self.states[0]
        return view(int(text), state=state)


class Paned(FakeBackend):
    def panes(self) -> Panes:
        return Panes("up", (self.pane(),), server=7)

    def pane(self) -> Pane:
        return pane(key="00000001")


Sends = Callable[..., list[str]]


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sends:
    """Send a text to a session that is seen in turn in some states; what its program got."""
    places = paths.places({"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)}, os.geteuid())
    found = row(id=1, key="00000001")

    def find(_: Places, text: str) -> SessionRow:
        return found

    monkeypatch.setattr(reader, "find", find)
    monkeypatch.setattr(reader, "by_key", find)
    monkeypatch.setattr(send_module, "_BEGIN_S", 0.1)
    monkeypatch.setattr(send_module, "_READY_S", 0.1)

    def run(text: str, *states: State, enter: bool = True, force: bool = False) -> list[str]:
        backend = Paned()
        looker = Looks(places, Caller.current(), backend, states=list(states))
        try:
            send_text(looker, "1", text, enter=enter, force=force)
        except ServiceError as error:
            return [*backend.typed, f"refused: {error}"]
        return backend.typed

    return run


def test_a_text_is_typed_and_then_submitted(typed: Sends) -> None:
    assert typed("one\n\n", "idle") == ["one", "\r"]
    assert typed("one\n", "idle", enter=False) == ["one\n"]
    assert typed("", "idle") == ["\r"]


def test_an_agent_that_is_about_to_show_itself_is_waited_for(typed: Sends) -> None:
    assert typed("one", "starting", "running", "idle") == ["one", "\r"]
    (refusal,) = typed("one", "running")
    assert refusal.startswith("refused: session 1 does not show that it takes text")
    assert typed("one", "running", force=True) == ["one", "\r"]


def test_a_question_that_comes_before_the_enter_is_not_answered_by_it(typed: Sends) -> None:
    assert typed("one", "idle", "waiting") == [
        "one",
        "refused: session 1 asks you something: answer on its screen, or use `hqt send --force`",
    ]
    assert typed("1", "waiting", force=True) == ["1", "\r"]


@pytest.mark.parametrize("state", ["exited", "stopped", "lost", "broken"])
def test_who_does_not_run_gets_nothing(typed: Sends, state: State) -> None:
    assert typed("one", state) == [f"refused: session 1 is {state}: resume it before sending"]
