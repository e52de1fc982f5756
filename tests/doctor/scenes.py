"""What doctor's checks stand on, in a test's world."""

import os

from hqt.doctor import scene
from hqt.doctor.scene import Scene
from hqt.services.launches import Caller
from tests.world import World


def caller(world: World, **env: str) -> Caller:
    return Caller({**world.env, **env}, os.geteuid(), 0o022, "/bin/sh")


def look(world: World, **env: str) -> Scene:
    return scene.look(caller(world, **env))
