"""Two sessions of one agent in one folder, stopped and brought back in turn: each keeps its own words."""

import pytest

from tests.fakes.script import Talk
from tests.real.agent import Agent
from tests.world import needs_bwrap, needs_tmux

pytestmark = [pytest.mark.harness, needs_tmux, needs_bwrap]

_TURNS = 3


def test_two_sessions_in_one_folder_never_swap(agent: Agent) -> None:
    said = {session: [f"the words of {session}"] for session in ("1", "2")}
    for session, (first,) in said.items():
        agent.start(first)
        agent.wait_for(f"FAKE-OK: {first}", session)
    for turn in range(_TURNS):
        for session in said:
            assert agent.world.hqt("stop", session).returncode == 0
        for session in sorted(said, reverse=turn % 2 == 0):
            assert agent.world.hqt("resume", "--no-fallback", session).returncode == 0
            # gemini takes a prompt before it has taken up what was said
            agent.wait_for(f"FAKE-OK: {said[session][-1]}", session)
            agent.wait_for(agent.kind.ready, session)
            words = f"turn {turn} of {session}"
            agent.type(words, session)
            agent.wait_for(f"FAKE-OK: {words}", session)
            assert Talk(words, earlier=tuple(said[session])) in agent.talks()
            said[session].append(words)
