"""The real programs, each with a fake model and a scratch home."""

import os
from collections.abc import Iterator

import pytest

from tests.fakes import anthropic, openai
from tests.fakes.http import serving
from tests.real.agent import KEY, PLANTED, Agent, Kind
from tests.world import World

CLAUDE = Kind(
    harness="claude",
    ready="bypass permissions on",
    answer=anthropic.answer,
    read_talk=anthropic.read_talk,
    once=("claude", "-p", "--dangerously-skip-permissions"),
)
CODEX = Kind(
    harness="codex",
    ready="Ask Codex to do anything",
    answer=openai.answer,
    read_talk=openai.read_talk,
    once=("codex", "exec", "--dangerously-bypass-approvals-and-sandbox"),
)

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


@pytest.fixture(params=[CLAUDE, CODEX], ids=lambda kind: kind.harness)
def agent(request: pytest.FixtureRequest, world: World) -> Iterator[Agent]:
    """One of the programs, installed and configured and not yet started; a key is planted beside it."""
    folders = os.environ.get("HQT_REAL_PATH")
    if folders is None:
        pytest.skip("the real programs are not here: `make real` brings them")
    kind: Kind = request.param
    with serving(kind.answer, key=KEY) as model:
        world.env["PATH"] = f"{folders}:{world.env['PATH']}"
        _configure(kind, world, model.url)
        _plant(world)
        yield Agent(kind, world, model)


def _configure(kind: Kind, world: World, url: str) -> None:
    if kind is CLAUDE:
        world.env["ANTHROPIC_BASE_URL"] = url
        world.env["ANTHROPIC_API_KEY"] = KEY
        world.env["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"] = "1"  # it asks nobody but its model
    else:
        world.env["OPENAI_API_KEY"] = KEY
        config = world.home / ".codex/config.toml"
        config.parent.mkdir()
        config.write_text(_CODEX_CONFIG.format(url=url))


def _plant(world: World) -> None:
    key = world.home / ".ssh/id_rsa"
    key.parent.mkdir(mode=0o700)
    key.write_text(PLANTED)
