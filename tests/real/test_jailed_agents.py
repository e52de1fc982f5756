"""Claude Code and Codex at work in a jail, stopped and brought back."""

import pytest

from tests.fakes.script import WRITTEN, Talk
from tests.real.agent import PLANTED, Agent
from tests.real.kinds import KEY
from tests.world import needs_bwrap, needs_tmux, processes

pytestmark = [pytest.mark.harness, needs_tmux, needs_bwrap]


def test_it_writes_a_file_on_request_and_cannot_read_a_planted_key(agent: Agent) -> None:
    made = agent.world.project / "made.txt"
    agent.start(f"%write {made}\n%bash cat ~/.ssh/id_rsa", "--fs", "rw")
    agent.wait_for("FAKE-DONE")
    assert made.read_text() == f"{WRITTEN}\n"
    assert "No such file or directory" in agent.talks()[-1].results[1]
    assert PLANTED not in agent.everything_told()


def test_in_a_read_only_jail_the_write_fails_and_it_goes_on(agent: Agent) -> None:
    made = agent.world.project / "made.txt"
    agent.start(f"%write {made}\n%bash echo still here", "--fs", "ro")
    agent.wait_for("FAKE-DONE")
    refused, after = agent.talks()[-1].results
    assert not made.exists()
    assert agent.kind.unwritable in refused.lower()
    assert after.strip() == "still here"


def test_resume_brings_back_the_same_conversation_in_the_same_jail(agent: Agent) -> None:
    agent.start("the first words", "--fs", "ro")
    agent.wait_for("FAKE-OK: the first words")
    assert agent.world.hqt("stop", "1").returncode == 0
    (stopped,) = agent.world.json("list")
    assert agent.world.hqt("resume", "1").returncode == 0
    agent.wait_for("FAKE-OK: the first words")  # gemini drops what is typed before
    agent.wait_for(agent.kind.ready)

    agent.type("%recall")
    agent.wait_for("FAKE-RECALL: ")  # what of is asserted below: opencode takes brackets for its Markdown
    agent.type("%bash cat ~/.ssh/id_rsa; touch made.txt")
    agent.wait_for("FAKE-DONE")

    (resumed,) = agent.world.json("list")
    assert stopped["state"] == "stopped"
    now = ("state", "since", "unseen")
    assert resumed == stopped | {name: resumed[name] for name in now} | {"exit": None}
    assert resumed["state"] in ("running", "working", "idle")
    assert resumed["sandbox"] == {"fs": "ro", "net": True}
    assert agent.talks().count(Talk("%recall", earlier=("the first words",))) == 1
    assert PLANTED not in agent.everything_told()
    assert not (agent.world.project / "made.txt").exists()


def test_the_jail_of_a_session_holds_a_single_run_too(agent: Agent) -> None:
    made = agent.world.project / "made.txt"
    prompt = f"%write {made}\n%bash cat ~/.ssh/id_rsa"
    jail = ("sandbox", "exec", "--harness", agent.kind.harness, "--")
    done = agent.world.hqt(*jail, *agent.kind.once, prompt)
    assert done.returncode == 0, done.stderr
    assert "FAKE-DONE" in done.stdout
    assert made.read_text() == f"{WRITTEN}\n"
    assert "No such file or directory" in agent.talks()[-1].results[1]


def test_its_api_key_reaches_its_model_and_shows_nowhere(agent: Agent) -> None:
    agent.start("hello")
    agent.wait_for("FAKE-OK: hello")
    assert {request.credential for request in agent.model.log if request.method == "POST"} == {"right"}
    assert KEY not in agent.everything_told()
    assert KEY not in " ".join(processes(agent.world.root).values())
