"""`hqt send` with the real programs: what is sent is submitted, once and whole, whatever its length."""

import pytest

from tests.fakes.script import Talk
from tests.real.agent import Agent
from tests.real.kinds import CLAUDE, CODEX
from tests.world import needs_bwrap, needs_tmux

pytestmark = [pytest.mark.harness, needs_tmux, needs_bwrap]

pick = pytest.mark.parametrize("agent", [CLAUDE, CODEX], indirect=True, ids=lambda kind: kind.harness)


def send(agent: Agent, text: str) -> None:
    done = agent.world.hqt("send", "1", "-", input=text)
    assert (done.returncode, done.stderr) == (0, ""), f"{done.stderr}\n{agent.screen()}"
    done = agent.world.hqt("wait", "1", "--for", "idle", "--timeout", "60")
    assert (done.returncode, done.stderr) == (0, ""), f"{done.stderr}\n{agent.screen()}"


@pick
def test_each_text_is_one_prompt(agent: Agent) -> None:
    """Just after a resume, too, where claude drops an Enter that comes early."""
    done = agent.world.hqt("new", "--harness", agent.kind.harness, "-s", "--prompt", "zero", "--wait")
    assert (done.returncode, done.stdout.splitlines()[-1].partition(": ")[2]) == (0, "done"), agent.screen()
    long = "".join(f"line {number} of a long text\n" for number in range(6_000))[:200_000].strip()
    sent = ["zero", "a short one", "two\nlines", long]
    for text in sent[1:3]:
        send(agent, text)
    assert agent.world.hqt("stop", "1").returncode == 0
    assert agent.world.hqt("resume", "--no-fallback", "1").returncode == 0
    send(agent, sent[3])
    prompts = [talk.prompt for talk in agent.talks() if not talk.results]
    assert [len(prompt) for prompt in prompts] == [len(text) for text in sent]
    assert agent.talks()[-1] == Talk(sent[-1], earlier=tuple(sent[:-1]))
