"""The shell that asks, with the harnesses that its user declares."""

import os
import pwd
from collections.abc import Mapping
from pathlib import Path

from hqt.config.file import load_config
from hqt.harnesses import registry
from hqt.harnesses.registry import BUILT_IN, Harnesses
from hqt.paths import Places
from hqt.sandbox.files.private import Private
from hqt.values import frozen, replace


@frozen
class Caller:
    """The shell that asks: its variables, user and what the kernel gave it."""

    env: Mapping[str, str]
    uid: int
    umask: int
    shell: str = "/bin/sh"  # the login shell, of the passwd database, as the next
    account_home: Path | None = None
    harnesses: Harnesses = BUILT_IN  # hqt's own and those of config.toml (current_caller)

    @classmethod
    def current(cls) -> "Caller":
        umask = os.umask(0o077)
        os.umask(umask)
        uid = os.geteuid()
        try:
            account = pwd.getpwuid(uid)
        except KeyError:  # a container may run as a number that has no account
            return cls(dict(os.environ), uid, umask)
        home = Path(account.pw_dir) if account.pw_dir.startswith("/") else None
        return cls(dict(os.environ), uid, umask, account.pw_shell, home)


def current_caller(found: Places) -> Caller:
    """This process's; ConfigError where config.toml can't be honoured."""
    return with_harnesses(Caller.current(), found)


def with_harnesses(shell: Caller, found: Places) -> Caller:
    """`shell` with its user's harnesses; ConfigError likewise."""
    said = load_config(found.config_file).harnesses
    if not said:
        return shell
    private = Private.of(found.home, found.own(), shell.account_home)
    return replace(shell, harnesses=registry.harnesses(said, found.config_file, private))
