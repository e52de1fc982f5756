"""The whole look; it changes nothing, starts no server and leaves nothing but remembered answers."""

from pathlib import Path

from hqt.doctor import folders, harnesses, jail, keeping, programs, scene
from hqt.doctor.check import Report
from hqt.harnesses import registry
from hqt.services.launching import Caller


def examine(caller: Caller, current: Path | None) -> Report:
    """Look at everything that hqt stands on; what can't be seen in one place hides nothing of another.

    `current`: the caller's folder. A harness that lies in it or in a session's project is not run, as an
    agent could have put it there.
    """
    seen = scene.look(caller)
    return Report(
        (
            programs.python(),
            programs.tmux(seen.tmux),
            keeping.server(seen),
            programs.git(programs.on_path("git", caller.env)),
            *jail.checks(),
            *(harnesses.check(name, seen, current) for name in registry.NAMES),
            *folders.checks(seen),
            folders.config_file(seen),
            keeping.database(seen),
            keeping.panes(seen),
        )
    )
