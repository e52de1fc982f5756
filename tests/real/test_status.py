"""What `hqt list` says of a real agent while it works, asks, rests and ends, in a jail and out of it."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.real.agent import Agent
from tests.real.kinds import CLAUDE, CODEX, KEY, Kind
from tests.world import needs_bwrap, needs_tmux, wait_until

pytestmark = [pytest.mark.harness, needs_tmux, needs_bwrap]

_SOON_S = 20.0  # a real agent on a busy machine
_LONG_S = 72.0
_TRUST = {"claude": "trust this folder", "codex": "Trust this folder"}
_OPEN_READY = {"claude": "? for shortcuts", "codex": CODEX.ready}
_MODES = pytest.mark.parametrize("jailed", [True, False], ids=["jailed", "open"])
pick = pytest.mark.parametrize("agent", [CLAUDE, CODEX], indirect=True, ids=lambda kind: kind.harness)


def _began(agent: Agent, *, jailed: bool) -> None:
    """A session without a prompt, at rest; an open one is asked for trust and gets it."""
    if not jailed:
        _set_up_by_hand(agent.kind, agent.world.home)
    agent.world.json("new", "--harness", agent.kind.harness, *(["-s"] if jailed else []))
    if not jailed:
        agent.wait_for(_TRUST[agent.kind.harness])
        _expect(agent, "waiting")
        assert agent.world.json("list")[0]["reason"] is not None
        agent.press("Enter")
    agent.wait_for(agent.kind.ready if jailed else _OPEN_READY[agent.kind.harness])
    _expect(agent, "idle")
    assert agent.world.json("list")[0]["unseen"] is False


def _set_up_by_hand(kind: Kind, home: Path) -> None:
    """What a user has done before: a jail's copy has it already."""
    if kind is CLAUDE:
        approved = f'"customApiKeyResponses": {{"approved": ["{KEY[-20:]}"]}}'
        (home / ".claude.json").write_text(f'{{"hasCompletedOnboarding": true, {approved}}}')


def _state(agent: Agent) -> str:
    (found,) = agent.world.json("list", "--all")
    assert isinstance(found["state"], str)
    return found["state"]


def _expect(agent: Agent, state: str) -> None:
    assert wait_until(lambda: _state(agent) == state, within_s=_SOON_S), (
        f"no {state!r}: {agent.world.hqt('status', '1', '--explain').stdout}\n{agent.screen()}"
    )


@contextmanager
def _at_a_gate(agent: Agent, *, jailed: bool) -> Iterator[Path]:
    """The agent runs a tool that ends once something is written to the path, or else on leaving."""
    gate = agent.world.project / "gate"
    os.mkfifo(gate)
    (agent.world.project / "gate.sh").write_text("cat gate\n")
    agent.type(f"{'%bash' if jailed else '%ask'} sh gate.sh")
    if not jailed:
        _expect(agent, "waiting")
        assert agent.world.json("list")[0]["reason"]
        agent.press("Enter")
    _expect(agent, "working")
    try:
        yield gate
    finally:
        os.close(os.open(gate, os.O_RDWR))  # a tool may outlive its agent


@pick
@_MODES
def test_it_works_until_its_tool_ends_and_is_done_then(agent: Agent, *, jailed: bool) -> None:
    _began(agent, jailed=jailed)
    with _at_a_gate(agent, jailed=jailed) as gate:
        gate.write_text("open\n")
        agent.wait_for("FAKE-DONE")
        _expect(agent, "idle")
        assert agent.world.json("list")[0]["unseen"] is True


@pytest.mark.parametrize("agent", [CLAUDE], indirect=True, ids=["claude"])
def test_a_question_is_one_however_long_it_waits(agent: Agent) -> None:
    """A59: after a minute it reminds by a notification of its own."""
    _began(agent, jailed=False)
    agent.type("%ask touch made")
    _expect(agent, "waiting")
    time.sleep(1)  # by then it has said all that it says of its question
    seen = set()
    end = time.monotonic() + _LONG_S
    while time.monotonic() < end:
        (found,) = agent.world.json("list")
        seen.add((found["state"], found["since"], found["reason"]))
        time.sleep(0.3)
    assert len(seen) == 1, seen


@pytest.mark.parametrize("agent", [CLAUDE], indirect=True, ids=["claude"])
@_MODES
def test_one_key_takes_no_conversation_out_of_its_pane(agent: Agent, *, jailed: bool) -> None:
    """In its view of agents a daemon goes on with it, and a second key ends what is in the pane."""
    _began(agent, jailed=jailed)
    agent.type("hello")
    agent.wait_for("FAKE-OK: hello")
    agent.press("Left")
    agent.type("%recall")
    agent.wait_for('FAKE-RECALL: ["hello"]')
    _expect(agent, "idle")


@pick
@_MODES
def test_an_interrupt_ends_the_work(agent: Agent, *, jailed: bool) -> None:
    _began(agent, jailed=jailed)
    with _at_a_gate(agent, jailed=jailed):
        agent.press("Escape")
        _expect(agent, "idle")


@pick
@_MODES
def test_an_agent_that_is_left_has_exited(agent: Agent, *, jailed: bool) -> None:
    _began(agent, jailed=jailed)
    agent.type("/exit")
    _expect(agent, "exited")


@pick
@_MODES
def test_an_agent_that_is_killed_at_work_has_exited(agent: Agent, *, jailed: bool) -> None:
    _began(agent, jailed=jailed)
    with _at_a_gate(agent, jailed=jailed):
        os.kill(agent.pid(), signal.SIGKILL)
        _expect(agent, "exited")
