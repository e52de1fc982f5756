"""One command in a jail; without click, as scripts call it often."""

import os

from hqt.errors import exits_with
from hqt.launch import CANNOT_LAUNCH
from hqt.paths import places
from hqt.sandbox.policy import Fs, SandboxPolicy
from hqt.start.caller import current_caller
from hqt.start.folders import folder
from hqt.start.request import Launch
from hqt.start.run_once import execute


def run_command(
    command: tuple[str, ...],
    *,
    fs: Fs | None,
    net: bool | None,
    harness: str,
    env_names: tuple[str, ...],
    directory: str,
) -> int:
    """Run it; exits as it does, or with 125 where hqt refuses it: 1 and 4 may be the command's own."""
    with exits_with(CANNOT_LAUNCH):  # as env(1) and docker-run(1)
        launch = Launch(
            harness=harness,
            given=folder(directory),
            sandbox=policy(fs, net),
            env_names=env_names,
            command=command,
            title="this command",
        )
        found = places(os.environ, os.geteuid())
        return execute(launch, found, current_caller(found))


def policy(fs: Fs | None, net: bool | None) -> SandboxPolicy:
    """The policy of the options, each None where it was not given."""
    default = SandboxPolicy()
    return SandboxPolicy(fs=fs or default.fs, net=default.net if net is None else net)
