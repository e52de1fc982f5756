"""Starts foreseen without bwrap: the surveys are real, what is known of bwrap is given."""

import os
from collections.abc import Mapping
from pathlib import Path

from hqt.sandbox import Availability, SandboxPolicy
from hqt.sandbox.bwrap import Layer
from hqt.start import plan, survey
from hqt.start.caller import Caller
from hqt.start.preview import Preview
from hqt.start.request import Launch
from tests.world import World

LAYERS = (
    Layer("system call filter", active=True),
    Layer("scopes", active=False, why_not="no kernel has them"),
)


def foreseen(
    world: World,
    *,
    policy: SandboxPolicy | None,
    harness: str = "generic",
    env: Mapping[str, str] | None = None,
    given: Path | None = None,
    scopes: bool = True,
    key: str | None = None,
) -> Preview:
    """The start of a command in the world's project, or in `given`."""
    known = Availability(
        ok=True, net_off_ok=True, version=(0, 8, 0), bwrap=Path("/usr/bin/bwrap"), scopes=scopes
    )
    launch = Launch(
        harness=harness,
        given=given or world.project,
        sandbox=policy,
        command=("true",),
        key=key,
        title="proj-claude" if key else "a jail",
    )
    caller = Caller({**world.env, **(env or {})}, os.getuid(), 0o022)
    surveys = survey.survey(launch, world.places, caller, known, terminal=True)
    return Preview(surveys, plan.plan(launch, surveys), LAYERS)
