"""What doctor's checks stand on, in a test's world."""

import os

from hqt.doctor import facts
from hqt.doctor.facts import Facts
from hqt.start.caller import Caller
from tests.world import World


def caller(world: World, **env: str) -> Caller:
    return Caller({**world.env, **env}, os.geteuid(), 0o022, "/bin/sh")


def look(world: World, **env: str) -> Facts:
    return facts.look(caller(world, **env))
