"""A copy knows what was said before it; what was begun elsewhere goes on as a session."""

import json
import subprocess

import pytest

from tests.fakes.script import Talk
from tests.real.agent import Agent
from tests.real.kinds import KINDS
from tests.world import needs_bwrap, needs_tmux

pytestmark = [pytest.mark.harness, needs_tmux, needs_bwrap]
_FIRST = "the first words"


def those(*names: str) -> pytest.MarkDecorator:
    kinds = [kind for kind in KINDS if kind.harness in names]
    return pytest.mark.parametrize("agent", kinds, ids=lambda kind: kind.harness, indirect=True)


@those("claude", "codex", "pi")
def test_a_copy_recalls_and_the_first_goes_on_without_it(agent: Agent) -> None:
    agent.start(_FIRST)
    agent.wait_for(f"FAKE-OK: {_FIRST}")
    copy = agent.world.json("fork", "1", "--prompt", "%recall")
    assert copy["sandbox"] == {"fs": "rw", "net": True}
    agent.wait_for(f'FAKE-RECALL: ["{_FIRST}"]', "2")
    _again(agent, "1")
    agent.type("the second words")
    agent.wait_for("FAKE-OK: the second words")
    assert Talk("the second words", earlier=(_FIRST,)) in agent.talks()
    _again(agent, "2")
    agent.type("the last words", "2")
    agent.wait_for("FAKE-OK: the last words", "2")
    assert Talk("the last words", earlier=(_FIRST, "%recall")) in agent.talks()
    first, second = (agent.world.json("show", each)["conversation"] for each in "12")
    assert None is not first != second is not None


@those("claude", "codex")
def test_a_copy_in_which_nothing_was_said_comes_back_as_one(agent: Agent) -> None:
    agent.start(_FIRST)
    agent.wait_for(f"FAKE-OK: {_FIRST}")
    agent.world.json("fork", "1")
    agent.wait_for(agent.kind.ready, "2")
    assert agent.world.hqt("stop", "1").returncode == 0
    _again(agent, "2")
    agent.type("%recall", "2")
    agent.wait_for(f'FAKE-RECALL: ["{_FIRST}"]', "2")


@those("claude", "codex")
def test_what_was_begun_without_hqt_goes_on_in_a_jail(agent: Agent) -> None:
    world, env = agent.world, agent.world.env | {"IS_SANDBOX": "1"}
    words = [*agent.kind.once, _FIRST]
    done = subprocess.run(
        words,
        cwd=world.project,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert f"FAKE-OK: {_FIRST}" in done.stdout, done
    (found,) = world.json("adopt")
    assert (found["harness"], found["said"]) == (agent.kind.harness, _FIRST)
    made = world.json("adopt", found["id"][:-2], "-s", "--name", "mine")
    assert (made["name"], made["conversation"]) == ("mine", found["id"])
    assert made["sandbox"] == {"fs": "rw", "net": True}
    agent.wait_for(agent.kind.ready)
    agent.type("%recall")
    agent.wait_for(f'FAKE-RECALL: ["{_FIRST}"]')
    assert json.loads(world.hqt("adopt", "--json").stdout) == []


def _again(agent: Agent, session: str) -> None:
    assert agent.world.hqt("stop", session).returncode == 0
    done = agent.world.hqt("resume", "--no-fallback", session)
    assert done.returncode == 0, done
    agent.wait_for(agent.kind.ready, session)
