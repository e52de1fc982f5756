"""An agent is asked first, then ended; nothing of it is left. Real processes, no tmux."""

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from hqt.backends import processes
from hqt.backends.base import Pane, Panes
from hqt.backends.exits import dead_pane
from hqt.sessions import terminate
from tests.backends.fake_backend import FakeBackend
from tests.sessions.sample import pane as a_pane
from tests.sessions.sample import up
from tests.world import needs_bwrap, wait_until

_KEY = os.urandom(4).hex()


@dataclass(slots=True)
class _Agent:
    """A program in the place of a pane's."""

    folder: Path
    made: "list[subprocess.Popen[bytes]]" = field(default_factory=list)

    def start(self, script: str, *before: str) -> Pane:
        """Run `script`, and return once it has said that it is ready."""
        ready = self.folder / "ready"
        env = {"PATH": os.environ["PATH"], "OUT": str(self.folder)} | (
            {} if before else {"HQT_SESSION": _KEY}
        )
        argv = [*before, "/bin/sh", "-c", script]
        self.made.append(subprocess.Popen(argv, env=env, start_new_session=True))
        assert wait_until(ready.exists)
        return a_pane(key=_KEY, pid=self.made[-1].pid)

    @property
    def status(self) -> Path:
        return self.folder / "status"

    def code(self) -> int:
        return self.made[-1].wait()


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[_Agent]:
    made = _Agent(tmp_path)
    yield made
    for process in made.made:
        process.kill()
        process.wait()
    # a loop's last `sleep 0.01` may outlive its killed shell for that long
    assert wait_until(lambda: processes.marked(_KEY) == set())


@pytest.fixture
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminate, "PATIENCE_S", 0.3)


def test_an_agents_own_handler_runs(agent: _Agent) -> None:
    pane = agent.start(
        "trap 'echo bye > $OUT/bye; exit 4' TERM; : > $OUT/ready; while :; do sleep 0.01; done"
    )
    terminate.end_agent(pane, _KEY, agent.status, jailed=False)
    assert (agent.code(), (agent.folder / "bye").read_text()) == (4, "bye\n")


def test_a_shell_that_ignores_the_request_is_hung_up(agent: _Agent) -> None:
    pane = agent.start("trap '' TERM; trap 'exit 5' HUP; : > $OUT/ready; while :; do sleep 0.01; done")
    begun = time.monotonic()
    terminate.end_agent(pane, _KEY, agent.status, jailed=False)
    assert agent.code() == 5
    assert time.monotonic() - begun < 2


@pytest.mark.usefixtures("_hurried")
def test_one_that_will_not_end_is_killed(agent: _Agent) -> None:
    pane = agent.start("trap '' TERM HUP; : > $OUT/ready; while :; do sleep 0.01; done")
    terminate.end_agent(pane, _KEY, agent.status, jailed=False)
    assert agent.code() == -signal.SIGKILL


def test_children_that_left_the_tree_end_too(agent: _Agent) -> None:
    pane = agent.start(
        "(setsid sleep 600 &); env -u HQT_SESSION nohup sleep 600 >/dev/null 2>&1 &\n"
        ": > $OUT/ready; exec sleep 600"
    )
    assert wait_until(lambda: len(processes.descendants(pane.pid) | processes.marked(_KEY)) == 3)
    below = processes.descendants(pane.pid) | processes.marked(_KEY)
    terminate.end_agent(pane, _KEY, agent.status, jailed=False)
    assert agent.code() == -signal.SIGTERM
    assert not any(map(processes.is_alive, below))


def test_what_an_ended_agent_left_running_ends(agent: _Agent) -> None:
    agent.start("(setsid sleep 600 &); : > $OUT/ready")
    agent.code()
    assert len(processes.marked(_KEY)) == 1
    terminate.end_leftovers(_KEY)
    assert processes.marked(_KEY) == set()


def test_what_is_forked_after_a_look_ends_too(agent: _Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    agent.start("(setsid sleep 600 &); : > $OUT/ready")
    agent.code()
    looks: list[int] = []

    def seen(key: str) -> set[int]:
        found = marked(key)
        looks.append(len(found))
        if len(looks) < 3:
            agent.start("(setsid sleep 600 &)")
            agent.code()
        return found

    marked = processes.marked
    with monkeypatch.context() as patched:
        patched.setattr(processes, "marked", seen)
        terminate.end_leftovers(_KEY)
    assert marked(_KEY) == set()
    assert looks == [1, 1, 1, 0]


def test_a_stranger_is_left_alone(agent: _Agent) -> None:
    pane = agent.start(": > $OUT/ready; exec sleep 600")
    other = subprocess.Popen(
        ["/bin/sleep", "600"], env={"HQT_SESSION": "another", "X": f"HQT_SESSION={_KEY}"}
    )
    terminate.end_agent(pane, _KEY, agent.status, jailed=False)
    assert processes.is_alive(other.pid)
    other.kill()
    other.wait()


def test_ending_what_has_ended_is_no_error(agent: _Agent) -> None:
    pane = agent.start(": > $OUT/ready")
    agent.code()
    terminate.end_agent(pane, _KEY, agent.status, jailed=False)


class _Late(FakeBackend):
    """It knows how an agent ended only at the fourth look, as tmux does."""

    looks = 0

    def panes(self) -> Panes:
        self.looks += 1
        return up(a_pane(dead=True, status=0 if self.looks > 3 else None))


def test_a_dead_pane_is_waited_for_until_its_end_is_known() -> None:
    assert dead_pane(_Late(), a_pane().key) == a_pane(dead=True, status=0)


def _jailed(agent: _Agent, script: str) -> Pane:
    """The same inside a jail, whose words go where the launcher puts them."""
    status = agent.status
    bwrap = shutil.which("bwrap")
    assert bwrap is not None
    jail = f"exec {bwrap} --unshare-user --unshare-pid --die-with-parent --bind / / --proc /proc --dev /dev"
    # the launcher ignores Ctrl-C and nothing else
    outer = f'exec 3>"$STATUS"; {jail} --json-status-fd 3 -- "$@"'
    pane = agent.start(script, "/usr/bin/env", f"STATUS={status}", "/bin/sh", "-c", outer, "sh")
    assert wait_until(lambda: "child-pid" in status.read_text())
    return pane


@pytest.mark.real
@needs_bwrap
def test_the_handler_of_a_jailed_agent_runs(agent: _Agent) -> None:
    pane = _jailed(
        agent, "trap 'echo bye > $OUT/bye; exit 4' TERM; : > $OUT/ready; while :; do sleep 0.01; done"
    )
    terminate.end_agent(pane, _KEY, agent.status, jailed=True)
    assert (agent.code(), (agent.folder / "bye").read_text()) == (4, "bye\n")


@pytest.mark.real
@needs_bwrap
@pytest.mark.usefixtures("_hurried")
def test_a_jailed_agent_that_will_not_end_is_killed_with_all_it_started(agent: _Agent) -> None:
    pane = _jailed(
        agent,
        "trap '' TERM HUP; setsid sleep 600 & nohup sleep 600 >/dev/null 2>&1 &\n"
        ": > $OUT/ready; while :; do sleep 0.01; done",
    )
    below = processes.descendants(pane.pid)
    terminate.end_agent(pane, _KEY, agent.status, jailed=True)
    agent.code()
    assert len(below) >= 4
    assert not any(map(processes.is_alive, below))


@pytest.mark.real
@needs_bwrap
def test_a_number_of_another_start_is_not_asked(agent: _Agent) -> None:
    pane = _jailed(agent, "trap 'exit 4' TERM; : > $OUT/ready; while :; do sleep 0.01; done")
    other = subprocess.Popen(["/bin/sh", "-c", "sleep 600 & wait"])
    assert wait_until(lambda: len(processes.descendants(other.pid)) == 2)
    below = processes.descendants(other.pid)
    agent.status.write_text(json.dumps({"child-pid": other.pid}) + "\n")
    terminate.end_agent(pane, _KEY, agent.status, jailed=True)
    assert agent.code() == -signal.SIGKILL
    assert all(map(processes.is_alive, below))
    for pid in below - {other.pid}:
        os.kill(pid, signal.SIGKILL)
    other.kill()
    other.wait()
