"""What is asked for: a launch, and the shell that asks."""

from pathlib import Path
from typing import TYPE_CHECKING

from hqt.sandbox import SandboxPolicy
from hqt.values import frozen

if TYPE_CHECKING:
    from hqt.db.reader import SessionRow


@frozen
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


def policy_of(row: "SessionRow") -> SandboxPolicy | None:
    """The row's policy, None for an open session; JailError where it cannot be read."""
    return None if row.sandbox_json is None else SandboxPolicy.from_json(row.sandbox_json)
