"""What a fake model does next: decided by the user's own words and the results so far, nothing else.

Each line of a prompt that begins with one of these words is a step; any other prompt is echoed:

    %bash CMD      one call of the harness's shell tool
    %ask CMD       the same, saying that the user is to be asked before, where a model can say so
    %write PATH    one call of the harness's tool that writes files, or of its shell where it has none
    %recall        the last answer lists every earlier prompt: the proof that a resume kept them
"""

import json
import re
from dataclasses import dataclass

WRITTEN = "written by the fake model"

_STEP = re.compile(r"^%(ask|bash|write|recall)\b[ \t]*(.*)$", re.MULTILINE)

# texts that harnesses put among the user's messages by themselves, by how they begin
_INJECTED = (
    "<system-reminder>",
    "<environment_context>",
    "<user_instructions>",
    "<permissions",
    "# AGENTS.md",
    "<session_context>",
    "This is the Qwen Code. ",
)


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation as one request tells it."""

    prompt: str = ""
    earlier: tuple[str, ...] = ()  # the prompts before, oldest first
    results: tuple[str, ...] = ()  # what the tools answered since the prompt

    def said(self, text: str) -> "Talk":
        """The talk after one more text among the user's messages."""
        if not text.strip() or text.lstrip().startswith(_INJECTED):
            return self
        earlier = (*self.earlier, self.prompt) if self.prompt else self.earlier
        return Talk(prompt=text.strip(), earlier=earlier)

    def answered(self, result: str) -> "Talk":
        """The talk after one more tool's result."""
        return Talk(self.prompt, self.earlier, (*self.results, result))


@dataclass(frozen=True, slots=True)
class Say:
    text: str


@dataclass(frozen=True, slots=True)
class Bash:
    command: str
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Write:
    path: str

    @property
    def command(self) -> str:
        """The same for a harness whose only tool is a shell."""
        return f"echo '{WRITTEN}' > {self.path}"


def next_step(talk: Talk) -> Say | Bash | Write:
    """The first call that has no result yet; after the last one, the closing words."""
    steps = _STEP.findall(talk.prompt)
    calls = [(word, rest.strip()) for word, rest in steps if word != "recall"]
    if len(talk.results) < len(calls):
        word, rest = calls[len(talk.results)]
        return Write(rest) if word == "write" else Bash(rest, asks=word == "ask")
    return Say(_closing(talk, recalls=("recall", "") in steps))


def _closing(talk: Talk, *, recalls: bool) -> str:
    if recalls:
        return "FAKE-RECALL: " + json.dumps(talk.earlier)
    if talk.results:
        return "FAKE-DONE: " + json.dumps([_first_line(result) for result in talk.results])
    return "FAKE-OK: " + talk.prompt


def _first_line(text: str) -> str:
    return next(iter(text.strip().splitlines()), "")
