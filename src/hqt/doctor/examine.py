"""The whole look; it changes nothing, starts no server and leaves nothing but remembered answers."""

from pathlib import Path

from hqt.doctor import (
    facts,
    folders,
    harnesses,
    jail,
    notifications,
    programs,
    tmux_and_database,
    tmux_config,
)
from hqt.doctor.check import Report
from hqt.sandbox.files import untrusted
from hqt.start.caller import Caller


def examine(caller: Caller, current: Path | None) -> Report:
    """Look at everything that hqt stands on; what can't be seen in one place hides nothing of another.

    `current`: the caller's folder. A harness that lies in it or in a session's project is not run, as an
    agent could have put it there.
    """
    suspect = _unless_it_holds_home(current, caller)
    seen = facts.look(caller, suspect)
    return Report(
        (
            programs.python(),
            programs.tmux(seen.tmux),
            tmux_and_database.server(seen),
            programs.git(untrusted.program("git", caller.env, *suspect)),
            *jail.checks(),
            *(harnesses.check(name, seen, current) for name in seen.caller.harnesses.names),
            *folders.checks(seen),
            folders.config_file(seen),
            tmux_config.tmux_config(seen),
            notifications.check(seen),
            tmux_and_database.database(seen),
            tmux_and_database.panes(seen),
        )
    )


def _unless_it_holds_home(current: Path | None, caller: Caller) -> tuple[Path, ...]:
    """The caller's folder, where an agent may have put a program; no agent works in one that holds HOME."""
    home = Path(caller.env.get("HOME", "/"))
    return () if current is None or home == current or current in home.parents else (current,)
