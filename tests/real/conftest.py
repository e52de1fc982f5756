"""The real programs, each with a fake model and a scratch home."""

import os
from collections.abc import Iterator

import pytest

from tests.fakes.http import serving
from tests.real.agent import PLANTED, Agent
from tests.real.kinds import KEY, KINDS, Kind
from tests.world import World


@pytest.fixture(params=KINDS, ids=lambda kind: kind.harness)
def agent(request: pytest.FixtureRequest, world: World) -> Iterator[Agent]:
    """One of the programs, installed and configured and not yet started; a key is planted beside it."""
    folders = os.environ.get("HQT_REAL_PATH")
    if folders is None:
        pytest.skip("the real programs are not here: `make real` brings them")
    kind: Kind = request.param
    with serving(kind.answer, key=KEY) as model:
        world.env["PATH"] = f"{folders}:{world.env['PATH']}"
        kind.set_up(world, model.url)
        _plant(world)
        yield Agent(kind, world, model)


def _plant(world: World) -> None:
    key = world.home / ".ssh/id_rsa"
    key.parent.mkdir(mode=0o700)
    key.write_text(PLANTED)
