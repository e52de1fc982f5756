"""Any command: what the user gives, or the login shell."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from hqt.errors import HarnessError, about
from hqt.harnesses.base import HarnessConfigurator, SpawnConfig

_REFUSING = ("nologin", "false")  # the shells of accounts that nobody logs in to
_FALLBACK = "/bin/sh"


class Generic(HarnessConfigurator):
    name = "generic"
    label = "Command"
    executable = _FALLBACK
    is_agent = False
    sandbox_env: ClassVar = []

    @classmethod
    def wanted(cls, args: Sequence[str], shell: str) -> str:
        if args:
            return args[0]
        return _FALLBACK if not shell or Path(shell).name in _REFUSING else shell

    def has_conversation(self, conversation: str) -> bool:
        return False

    def build_spawn_config(
        self,
        *,
        args: Sequence[str] = (),
        prompt: str | None = None,
        conversation: str | None = None,
        sandboxed: bool = False,
    ) -> SpawnConfig:
        """The command as it was given.

        Raises HarnessError for a prompt: only the command itself knows where it would take one.
        """
        if prompt:
            with about("prompt"):
                raise HarnessError(
                    "a plain command takes no prompt from hqt: put it among the command's words"
                )
        return SpawnConfig(command=tuple(args) or (self.wanted((), self.place.shell),))

    def build_resume_config(
        self, conversation: str, *, args: Sequence[str] = (), sandboxed: bool = False
    ) -> SpawnConfig | None:
        return None
