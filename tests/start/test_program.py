"""A harness's program is asked only where no jail of its could have made it another."""

import os

import pytest

from hqt.config.harness import DeclaredHarness
from hqt.harnesses import registry
from hqt.sandbox.files.private import Private
from hqt.start.caller import Caller
from hqt.start.program import configure
from hqt.start.request import Launch
from hqt.values import replace
from tests.sessions.sample import KEY
from tests.world import World

MINE = DeclaredHarness("mine", "Mine", ("~/.mine/agent",), new=("--id={id}",), resume=("--back={id}",))


@pytest.mark.parametrize(
    ("rw", "is_asked"),
    [((), True), (("~/.mine/chats/",), True), (("~/.mine/",), False), (("~/.mine/agent",), False)],
)
def test_a_program_that_a_jail_may_write_is_not_run(
    world: World, rw: tuple[str, ...], is_asked: bool
) -> None:
    program = world.home / ".mine/agent"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\ntouch {world.home}/ran\n")
    program.chmod(0o755)
    known = registry.harnesses(
        [replace(MINE, rw=rw)],
        world.places.config / "config.toml",
        Private.of(world.home, world.places.own()),
    )
    caller = Caller(world.env, os.geteuid(), 0o022, harnesses=known)
    launch = Launch("mine", world.project, None, key=KEY, title="mine")
    configure(launch, world.places, caller, world.project)
    assert (world.home / "ran").exists() == is_asked
