"""Claude Code and Codex come back with the conversation that was left, whatever happened inside."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.fakes.script import Talk
from tests.real.agent import Agent
from tests.real.kinds import KEY, KINDS
from tests.world import needs_bwrap, needs_tmux, wait_until

pytestmark = [
    pytest.mark.harness,
    needs_tmux,
    needs_bwrap,
    pytest.mark.parametrize(
        "agent",
        [kind for kind in KINDS if kind.harness in ("claude", "codex")],
        ids=lambda kind: kind.harness,
        indirect=True,
    ),
]
_ROUNDS = 6  # of real programs; tests/cli/test_claude.py has 20 of a stand-in


def test_two_sessions_stopped_and_resumed_ten_times_in_turn_never_swap(agent: Agent) -> None:
    said = {session: [f"the words of {session}"] for session in ("1", "2")}
    for session, (first,) in said.items():
        agent.start(first)
        agent.wait_for(f"FAKE-OK: {first}", session)
    for turn in range(10):
        session = "12"[turn % 2]
        _again(agent, session)
        words = f"turn {turn}"
        _say(agent, words, session)
        assert Talk(words, earlier=tuple(said[session])) in agent.talks()
        said[session].append(words)


def test_a_conversation_begun_anew_inside_is_the_one_that_comes_back(agent: Agent) -> None:
    agent.start("before")
    agent.wait_for("FAKE-OK: before")
    agent.type("/clear")
    # both clear the screen; what is typed before that is lost
    assert wait_until(lambda: "FAKE-OK: before" not in agent.screen(), within_s=30), agent.screen()
    agent.wait_for(agent.kind.ready)
    _say(agent, "after", "1")
    assert agent.world.hqt("stop", "1").returncode == 0
    found = _shown(agent)
    assert found["note"].startswith("it went on in another conversation inside, the one before is ")
    assert found["conversation"] not in found["note"]

    assert agent.world.hqt("resume", "--no-fallback", "1").returncode == 0
    agent.wait_for(agent.kind.ready)
    _say(agent, "%recall", "1", answer="FAKE-RECALL")

    (recalled,) = (talk.earlier for talk in agent.talks() if talk.prompt == "%recall")
    assert recalled[-1] == "after"  # claude tells its model of the /clear as well
    assert "before" not in recalled


def test_an_open_session_reports_its_conversation_and_asks_nothing_more(agent: Agent) -> None:
    _answer_first_questions(agent)
    agent.world.json("new", "--harness", agent.kind.harness, "--prompt", "hello")
    agent.wait_for("FAKE-OK: hello")
    assert agent.world.hqt("stop", "1").returncode == 0
    known = agent.world.hqt("show", "1").stdout
    source = {"claude": "minted", "codex": "hook"}[agent.kind.harness]
    assert f"({source})" in known
    assert agent.world.hqt("resume", "--no-fallback", "1").returncode == 0
    _say(agent, "%recall", "1", answer='FAKE-RECALL: ["hello"]')


def test_two_that_resume_at_once_start_one(agent: Agent) -> None:
    """A54: a conversation that is open twice is interleaved."""
    agent.start("hello")
    agent.wait_for("FAKE-OK: hello")
    argv = [sys.executable, "-P", "-m", "hqt", "resume", "--no-fallback", "1"]
    told = f"1 proj-{agent.kind.harness}: "
    for _ in range(_ROUNDS):
        assert agent.world.hqt("stop", "1").returncode == 0
        both = [
            subprocess.Popen(argv, env=agent.world.env, stdout=subprocess.PIPE, text=True) for _ in range(2)
        ]
        said = [each.communicate()[0] for each in both]
        assert [each.returncode for each in both] == [0, 0]
        assert all(each.startswith(told) for each in said)
        assert len(_panes(agent)) == 1
    agent.wait_for(agent.kind.ready)
    _say(agent, "%recall", "1", answer='FAKE-RECALL: ["hello"]')


def _again(agent: Agent, session: str) -> None:
    assert agent.world.hqt("stop", session).returncode == 0
    done = agent.world.hqt("resume", "--no-fallback", session)
    assert done.returncode == 0, done
    agent.wait_for(agent.kind.ready, session)


def _say(agent: Agent, words: str, session: str, *, answer: str | None = None) -> None:
    agent.type(words, session)
    agent.wait_for(answer or f"FAKE-OK: {words}", session)


def _shown(agent: Agent) -> Any:  # noqa: ANN401  # JSON
    return agent.world.json("show", "1")


def _panes(agent: Agent) -> list[str]:
    argv = ["tmux", "-u", "-S", str(agent.world.places.socket), "-f", "/dev/null", "list-panes", "-a"]
    done = subprocess.run(argv, env=agent.world.env, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def _answer_first_questions(agent: Agent) -> None:
    """What a user has answered long ago, outside of any jail."""
    if agent.kind.harness == "claude":
        state = {
            "hasCompletedOnboarding": True,
            "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
            "projects": {str(agent.world.project): {"hasTrustDialogAccepted": True}},
        }
        (agent.world.home / ".claude.json").write_text(json.dumps(state))
    else:
        with (agent.world.home / ".codex/config.toml").open("a") as config:
            config.write(f'\n[projects."{agent.world.project}"]\ntrust_level = "trusted"\n')
