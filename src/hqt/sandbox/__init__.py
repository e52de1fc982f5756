"""The jail: the first design's `hqt.sandbox`.

Its names are looked up when they are asked for: a read command needs the policy alone, and the rest of the
jail would be most of its start.
"""

import os
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hqt.sandbox.bwrap import Availability, availability, is_available
    from hqt.sandbox.policy import Bind, SandboxPolicy

__all__ = ["Availability", "Bind", "SandboxPolicy", "availability", "is_available", "wrap"]

_MODULES = {
    "Availability": "hqt.sandbox.bwrap",
    "availability": "hqt.sandbox.bwrap",
    "is_available": "hqt.sandbox.bwrap",
    "Bind": "hqt.sandbox.policy",
    "SandboxPolicy": "hqt.sandbox.policy",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(_MODULES[name]), name)
    globals()[name] = found
    return found


def wrap(command: list[str], cwd: Path, policy: "SandboxPolicy", binds: "list[Bind]") -> list[str]:
    """The `bwrap … -- <command>` argv for this machine as it is now; nothing is started by it.

    Raises JailError where no such jail can be had. The environment is not in it (`environment`).
    """
    # here: as above
    from hqt.errors import JailError
    from hqt.paths import places
    from hqt.sandbox import host as hosts
    from hqt.sandbox import project as projects
    from hqt.sandbox.argv import Fds, compose
    from hqt.sandbox.bwrap import availability
    from hqt.sandbox.files.private import Private

    found = availability(cwd.resolve())
    refusal = found.refusal(policy)
    if refusal is not None or found.bwrap is None:
        raise JailError(refusal or "a jail can't be made here: run `hqt doctor`")
    uid = os.geteuid()
    here = places(os.environ, uid)
    private = Private.of(here.home, here.own())
    project = projects.guarded(projects.survey(cwd, policy, private), policy, private, os.environ)
    host = hosts.survey(
        found.bwrap, found.features, os.environ, uid, policy, private, project.path, terminal=os.isatty(0)
    )
    resolved = hosts.resolve(binds, private, project.path)
    return compose(command, project, policy, resolved, (), host, Fds())
