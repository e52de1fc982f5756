"""How soon `hqt list` and the screen show a change of a real agent; needs the agents of `make real`.

    HQT_REAL_PATH=CACHE/claude-2.1.197/node_modules/.bin:CACHE/codex-0.171.0/node_modules/.bin \\
        unshare -n sh -c 'ip link set lo up; exec .venv/bin/python -m bench.truth [ROUNDS]'

An open session of each works, asks, works on, is done, is interrupted and killed; its model is a fake that
answers when it is told to. The time runs from the key, the answer or the signal that brings the change, so
that what the agent itself takes is part of it.
"""

import os
import random
import signal
import statistics
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass

from tests.backends.tmux.terminal import Terminal
from tests.cli.steps import command
from tests.fakes.http import Reply, Request, serving
from tests.real.agent import Agent
from tests.real.kinds import CLAUDE, CODEX, KEY, Kind
from tests.world import new_world, wait_until

Step = tuple[str, str, Callable[[], None]]  # what changes, the state that it brings, and what brings it
See = Callable[[], str]

_ROUNDS = 5
_LIMIT_S = {"list": 1.0, "screen": 1.5}
_LOST_S = 20.0
_LOOK_S = 0.05
_CALM_S = (
    2.2,
    3.2,
)  # before each change: any phase of the screen's second, and what was told before is settled
_TRUST = {"claude": "trust this folder", "codex": "Trust this folder"}
_READY = {"claude": "? for shortcuts", "codex": CODEX.ready}


@dataclass(frozen=True, slots=True)
class Held:
    """A model that answers once it is let."""

    kind: Kind
    gate: threading.Semaphore
    asked: threading.Semaphore

    def answer(self, request: Request) -> Reply:
        if request.body.get("tools"):
            self.asked.release()
            self.gate.acquire(timeout=60)
        return self.kind.answer(request)


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else _ROUNDS
    is_soon = True
    for kind in (CLAUDE, CODEX):
        for face, limit_s in _LIMIT_S.items():
            is_soon &= _told(kind, face, limit_s, _measured(kind, face, rounds))
    return 0 if is_soon else 1


def _measured(kind: Kind, face: str, rounds: int) -> dict[str, list[float]]:
    """Seconds, by what changed."""
    found: dict[str, list[float]] = defaultdict(list)
    for _ in range(rounds):
        held = Held(kind, threading.Semaphore(0), threading.Semaphore(0))
        with (
            new_world() as world,
            serving(held.answer, key=KEY) as model,
            closing(Terminal(world)) as terminal,
        ):
            world.env["PATH"] = f"{os.environ['HQT_REAL_PATH']}:{world.env['PATH']}"
            kind.set_up(world, model.url)
            agent = Agent(kind, world, model)
            _begin(agent)
            see = _listed(agent) if face == "list" else _shown(agent, terminal)
            for name, word, change in _steps(agent, held):
                time.sleep(random.uniform(*_CALM_S))  # noqa: S311 - a phase, no secret
                found[name].append(_taken(see, word, change))
            held.gate.release(100)
    return found


def _begin(agent: Agent) -> None:
    name = agent.kind.harness
    if agent.kind is CLAUDE:  # as a user has set it up
        approved = f'"customApiKeyResponses": {{"approved": ["{KEY[-20:]}"]}}'
        (agent.world.home / ".claude.json").write_text(f'{{"hasCompletedOnboarding": true, {approved}}}')
    agent.world.json("new", "--harness", name)
    agent.wait_for(_TRUST[name])
    agent.press("Enter")
    agent.wait_for(_READY[name])


def _steps(agent: Agent, held: Held) -> Iterator[Step]:
    gate = agent.world.project / "gate"
    os.mkfifo(gate)
    (agent.world.project / "gate.sh").write_text("cat gate\n")

    def opened() -> None:
        gate.write_text("open\n")
        held.asked.acquire(timeout=60)

    def answer() -> None:
        held.asked.acquire(timeout=60)
        held.gate.release()

    _write(agent, "%ask sh gate.sh")
    yield "prompt", "working", lambda: agent.press("Enter")
    yield "question", "waiting", answer
    yield "yes", "working", lambda: agent.press("Enter")
    opened()
    yield "answer", "idle", held.gate.release
    _write(agent, "hello")
    agent.press("Enter")
    held.asked.acquire(timeout=60)
    yield "interrupt", "idle", lambda: agent.press("Escape")
    yield "kill -9", "exited", lambda: os.kill(agent.pid(), signal.SIGKILL)


def _write(agent: Agent, prompt: str) -> None:
    agent._tmux("send-keys", "-l", "-t", agent._pane(), prompt)
    agent.wait_for(prompt)


def _taken(see: See, word: str, change: Callable[[], None]) -> float:
    begun = time.monotonic()
    change()
    _expect(lambda: see() == word, f"no {word} within {_LOST_S:g} s")
    return time.monotonic() - begun


def _expect(true: Callable[[], bool], otherwise: str) -> None:
    if not wait_until(true, within_s=_LOST_S):
        raise SystemExit(otherwise)


def _listed(agent: Agent) -> See:
    return lambda: str(agent.world.json("list", "--all")[0]["state"])


def _shown(agent: Agent, terminal: Terminal) -> See:
    """The state in the row on hqt's screen."""
    world = agent.world
    terminal.run("w", command(), world.env, (120, 40))

    def see() -> str:
        time.sleep(_LOOK_S)
        rows = (line.split() for line in terminal.screen("w").splitlines() if "proj-" in line[:60])
        word = next((words[2 if words[0] == "›" else 1] for words in rows if len(words) > 2), "")
        return "idle" if word == "done" else word

    _expect(lambda: bool(see()), "the screen does not show the session")
    return see


def _told(kind: Kind, face: str, limit_s: float, found: dict[str, list[float]]) -> bool:
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for name, taken in found.items():
        print(
            f"{kind.harness:7} {face:7} {name:10} median {statistics.median(taken):5.2f} s,"
            f" most {max(taken):5.2f} s of {len(taken)} (at most {limit_s:g} s)",
            flush=True,
        )
    return all(each <= limit_s for taken in found.values() for each in taken)


if __name__ == "__main__":
    sys.exit(main())
