"""The folder that a harness keeps its things in, on the host and in a jail, and its variable."""

import os
from collections.abc import Mapping
from pathlib import Path

from hqt.errors import HarnessError
from hqt.values import frozen


@frozen
class Root:
    """One harness's folder; it need not exist."""

    variable: str
    given: str | None  # the variable's value, None where it is not set
    host: Path
    inside: Path

    def env(self, *, sandboxed: bool) -> dict[str, str]:
        """What the variable must be: the program expands no `~`, and a jail may move the folder."""
        if self.given is None:
            return {}
        if sandboxed:
            return {self.variable: str(self.inside)}
        return {self.variable: str(self.host)} if self.given.startswith("~") else {}


def root(variable: str, default: str, home: Path, env: Mapping[str, str]) -> Root:
    """The folder that `variable` names, `default` under HOME where it is not set.

    In a jail it keeps its place if that is under HOME; one elsewhere is seen at `default`.

    Raises HarnessError for a value that is empty, relative, or `~user`: the program would make a folder
    of that name in the project.
    """
    given = env.get(variable)
    usual = home / default
    if given is None:
        return Root(variable, None, usual, usual)
    host = Path(os.path.normpath(_expanded(variable, given, home)))
    return Root(variable, given, host, host if home in host.parents else usual)


def _expanded(variable: str, given: str, home: Path) -> str:
    if not given:
        raise HarnessError(f'{variable}="" is empty: unset it or give it an absolute path')
    path = str(home) + given[1:] if given == "~" or given.startswith("~/") else given
    if not path.startswith("/"):
        raise HarnessError(f"{variable}={given!r} is not an absolute path: unset it or give it one")
    return path
