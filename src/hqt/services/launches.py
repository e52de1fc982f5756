"""What is asked for: a launch, and the shell that asks."""

import os
import pwd
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hqt.harnesses.registry import BUILT_IN, Harnesses
from hqt.sandbox import SandboxPolicy


@dataclass(frozen=True, slots=True)
class Launch:
    """What is to run, where and how confined."""

    harness: str
    given: Path  # the folder as the user gave it, absolute
    sandbox: SandboxPolicy | None
    args: tuple[str, ...] = ()
    env_names: tuple[str, ...] = ()  # variables of this shell for a jail
    prompt: str | None = None
    conversation: str | None = None
    resume: bool = False  # into `conversation`; otherwise a fresh start under that id
    copy_of: str | None = None  # the conversation that a fresh start begins with a copy of
    key: str | None = None  # None: `sandbox exec`, which has no session
    title: str = ""
    command: tuple[str, ...] | None = None  # run this instead of the harness, in the harness's jail


@dataclass(frozen=True, slots=True)
class Caller:
    """The shell that asks: its variables, user and what the kernel gave it."""

    env: Mapping[str, str]
    uid: int
    umask: int
    shell: str = "/bin/sh"  # the login shell, of the passwd database, as the next
    account_home: Path | None = None
    harnesses: Harnesses = BUILT_IN  # hqt's own and those of config.toml (wiring.caller)

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
