"""The whole look; it changes nothing, starts no server and leaves nothing but remembered answers."""

from pathlib import Path

from hqt.doctor import folders, harnesses, inside, jail, keeping, notices, programs, scene
from hqt.doctor.check import Report
from hqt.sandbox import untrusted
from hqt.services.launches import Caller


def examine(caller: Caller, current: Path | None) -> Report:
    """Look at everything that hqt stands on; what can't be seen in one place hides nothing of another.

    `current`: the caller's folder. A harness that lies in it or in a session's project is not run, as an
    agent could have put it there.
    """
    suspect = _unless_it_holds_home(current, caller)
    seen = scene.look(caller, suspect)
    return Report(
        (
            programs.python(),
            programs.tmux(seen.tmux),
            keeping.server(seen),
            programs.git(untrusted.program("git", caller.env, *suspect)),
            *jail.checks(),
            *(harnesses.check(name, seen, current) for name in seen.caller.harnesses.names),
            *folders.checks(seen),
            folders.config_file(seen),
            inside.tmux_config(seen),
            notices.check(seen),
            keeping.database(seen),
            keeping.panes(seen),
        )
    )


def _unless_it_holds_home(current: Path | None, caller: Caller) -> tuple[Path, ...]:
    """The caller's folder, where an agent may have put a program; no agent works in one that holds HOME."""
    home = Path(caller.env.get("HOME", "/"))
    return () if current is None or home == current or current in home.parents else (current,)
