"""The real programs: how each is set up beside a fake model, and what its screen and its model say."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.fakes import anthropic, chat, gemini, openai
from tests.fakes.http import Answer, Object
from tests.fakes.script import Talk
from tests.world import World

KEY = "sk-fake-0123456789-abcdefghij"


@dataclass(frozen=True, slots=True)
class Kind:
    """One of the real programs and the protocol of its model."""

    harness: str
    ready: str  # on its screen once it takes a prompt
    answer: Answer
    read_talk: Callable[[Object], Talk]
    once: tuple[str, ...]  # how it runs without a screen, its prompts off; the prompt follows
    set_up: Callable[[World, str], None]  # with the address of its model
    unwritable: str = "read-only file system"  # what its tool says of a file that can't be written


def _claude(world: World, url: str) -> None:
    world.env["ANTHROPIC_BASE_URL"] = url
    world.env["ANTHROPIC_API_KEY"] = KEY
    world.env["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"] = "1"  # it asks nobody but its model


def _codex(world: World, url: str) -> None:
    world.env["OPENAI_API_KEY"] = KEY
    _write(world.home / ".codex/config.toml", _CODEX_CONFIG.format(url=url))


def _gemini(world: World, url: str) -> None:
    world.env["GEMINI_API_KEY"] = KEY
    world.env["GOOGLE_GEMINI_BASE_URL"] = url
    world.env["COLORTERM"] = "truecolor"  # else it warns


def _qwen(world: World, url: str) -> None:
    world.env.update(OPENAI_API_KEY=KEY, OPENAI_BASE_URL=f"{url}/v1", OPENAI_MODEL="fake-model")


def _opencode(world: World, url: str) -> None:
    world.env["ANTHROPIC_API_KEY"] = KEY
    # it asks nobody but its model
    world.env.update(OPENCODE_DISABLE_AUTOUPDATE="1", OPENCODE_DISABLE_MODELS_FETCH="1")
    # … nor npm, for what its plugins need: nothing listens on that port
    world.env.update(HTTPS_PROXY="http://127.0.0.1:9", NO_PROXY="127.0.0.1")
    options = {"baseURL": f"{url}/v1", "apiKey": "{env:ANTHROPIC_API_KEY}"}
    provider = {"npm": "@ai-sdk/anthropic", "options": options, "models": {"m": {}}}
    config = {"model": "fake/m", "small_model": "fake/m", "provider": {"fake": provider}}
    _write(world.home / ".config/opencode/opencode.json", json.dumps(config))
    _write(world.home / ".config/opencode/.gitignore", "node_modules\n")  # as it leaves it itself


def _pi(world: World, url: str) -> None:
    world.env["ANTHROPIC_API_KEY"] = KEY
    world.env["PI_OFFLINE"] = "1"  # it asks nobody but its model
    provider = {"baseUrl": url, "api": "anthropic-messages", "apiKey": "ANTHROPIC_API_KEY"}
    models = {"providers": {"fake": {**provider, "models": [{"id": "m"}]}}}
    _write(world.home / ".pi/agent/models.json", json.dumps(models))
    _write(
        world.home / ".pi/agent/settings.json", json.dumps({"defaultProvider": "fake", "defaultModel": "m"})
    )


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


_CODEX_CONFIG = """\
model = "fake-model"
model_provider = "fake"
check_for_update_on_startup = false

[model_providers.fake]
name = "fake"
base_url = "{url}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
"""

CLAUDE = Kind(
    harness="claude",
    ready="bypass permissions on",
    answer=anthropic.answer,
    read_talk=anthropic.read_talk,
    once=("claude", "-p", "--dangerously-skip-permissions"),
    set_up=_claude,
)
CODEX = Kind(
    harness="codex",
    ready="Ask Codex to do anything",
    answer=openai.answer,
    read_talk=openai.read_talk,
    once=("codex", "exec", "--dangerously-bypass-approvals-and-sandbox"),
    set_up=_codex,
)
GEMINI = Kind(
    harness="gemini",
    ready="? for shortcuts",  # its place for a prompt is there before it takes one
    answer=gemini.answer,
    read_talk=gemini.read_talk,
    once=("gemini", "--yolo", "--skip-trust", "-p"),
    set_up=_gemini,
)
QWEN = Kind(
    harness="qwen",
    ready="YOLO mode",
    answer=chat.answer,
    read_talk=chat.read_talk,
    once=("qwen", "--yolo", "-p"),
    set_up=_qwen,
)
OPENCODE = Kind(
    harness="opencode",
    ready="ctrl+p commands",
    answer=anthropic.answer,
    read_talk=anthropic.read_talk,
    # among its words a prompt of several would be quoted
    once=("sh", "-c", 'printf %s "$1" | opencode run --auto', "sh"),
    set_up=_opencode,
    unwritable="filesystem.writefile",
)
PI = Kind(
    harness="pi",
    ready="0.0%/",
    answer=anthropic.answer,
    read_talk=anthropic.read_talk,
    once=("pi", "-p"),
    set_up=_pi,
)
KINDS = (CLAUDE, CODEX, GEMINI, QWEN, OPENCODE, PI)
