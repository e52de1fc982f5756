"""Claude Code and Codex as far as conversations go: what they do on disk and tell their hooks."""

import json
import subprocess
import tomllib
import uuid
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

from hqt.backends.base import SpawnRequest
from hqt.harnesses.claude import transcripts
from hqt.status import events
from tests.world import World


@dataclass(slots=True)
class Agent(ABC):
    """One life of a program, as a pane was asked to run it."""

    request: SpawnRequest
    home: Path
    conversation: str | None = field(init=False)

    name: ClassVar[str]
    help: ClassVar[str]

    def __post_init__(self) -> None:
        self.conversation = self._begun()

    def say(self, words: str) -> None:
        """A prompt; the first one makes the transcript."""
        if self.conversation is None:
            self.conversation = str(uuid.uuid4())
        with self.transcript().open("a") as file:
            file.write(self._line(words) + "\n")
        self._heard()

    def recall(self) -> list[str]:
        """All that was said in the conversation that it is in."""
        found = [json.loads(line) for line in self.transcript().read_text().splitlines()]
        return [line["said"] for line in found if "said" in line]

    @abstractmethod
    def renew(self) -> None:
        """Leave the conversation for a new one: /clear, /new."""

    @abstractmethod
    def transcript(self) -> Path: ...

    @abstractmethod
    def _begun(self) -> str | None:
        """The conversation that its command line names."""

    @abstractmethod
    def _line(self, words: str) -> str: ...

    def _heard(self) -> None:
        return

    @abstractmethod
    def _hook(self) -> str: ...

    def report(self, conversation: str | None) -> None:
        """Run its start hook, as it does for each conversation that it enters."""
        env = dict(self.request.env)
        if str(events.INSIDE) in self.request.argv:
            env[events.VARIABLE] = self.request.argv[self.request.argv.index(str(events.INSIDE)) - 1]
        told = {"session_id": conversation, "cwd": str(self.request.cwd), "hook_event_name": "SessionStart"}
        argv, told_text = ["/bin/sh", "-c", self._hook()], json.dumps(told)
        done = subprocess.run(argv, env=env, input=told_text, capture_output=True, text=True, check=True)
        assert (done.stdout, done.stderr) == ("", "")

    def _word_after(self, flag: str) -> str | None:
        argv = self.request.argv
        return argv[argv.index(flag) + 1] if flag in argv else None


class Claude(Agent):
    name = "claude"
    help = ""

    def renew(self) -> None:
        self.conversation = str(uuid.uuid4())
        self.report(self.conversation)

    def transcript(self) -> Path:
        folder = self.home / ".claude/projects" / transcripts.slug(self.request.cwd)
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{self.conversation}.jsonl"

    def _begun(self) -> str | None:
        resumed, new = self._word_after("--resume"), self._word_after("--session-id")
        self.conversation = resumed or new
        # it refuses the one that is not there, and to make the one that is
        assert self.transcript().exists() == bool(resumed)
        self.report(self.conversation)
        return self.conversation

    def _line(self, words: str) -> str:
        said = {"type": "user", "sessionId": self.conversation, "cwd": str(self.request.cwd), "said": words}
        return json.dumps(said | {"timestamp": datetime.now(UTC).isoformat()}, separators=(",", ":"))

    def _hook(self) -> str:
        settings = json.loads(self._word_after("--settings") or "")
        command: str = settings["hooks"]["SessionStart"][0]["hooks"][0]["command"]
        return command


@dataclass(slots=True)
class Codex(Agent):
    """It reports with the first prompt, not at its start."""

    reported: bool = field(init=False, default=False)

    name: ClassVar[str] = "codex"
    help: ClassVar[str] = " --dangerously-bypass-hook-trust"

    def renew(self) -> None:
        self.conversation = None
        self.reported = False

    def transcript(self) -> Path:
        folder = Path(self.request.env.get("CODEX_HOME", str(self.home / ".codex"))) / "sessions/2026/11/29"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"rollout-2026-11-29T20-00-00-{self.conversation}.jsonl"
        if not path.exists():
            meta = {"id": self.conversation, "cwd": str(self.request.cwd)}
            payload = meta | {"timestamp": datetime.now(UTC).isoformat()}
            path.write_text(json.dumps({"type": "session_meta", "payload": payload}) + "\n")
        return path

    def _begun(self) -> str | None:
        argv = self.request.argv
        return argv[argv.index("-C") + 2] if "resume" in argv else None

    def _line(self, words: str) -> str:
        return json.dumps({"type": "event", "said": words})

    def _heard(self) -> None:
        if not self.reported:
            self.reported = True
            self.report(self.conversation)

    def _hook(self) -> str:
        (setting,) = (word for word in self.request.argv if word.startswith("hooks.SessionStart="))
        command: str = tomllib.loads(setting)["hooks"]["SessionStart"][0]["hooks"][0]["command"]
        return command


KINDS = (Claude, Codex)


def install(world: World, kind: type[Agent]) -> None:
    """A program of that name, which answers only for its --help."""
    world.tool(kind.name, f"echo '{kind.help}'")
