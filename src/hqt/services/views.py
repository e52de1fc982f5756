"""What both faces exchange with the services: choices in, frozen views of a session out."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from hqt.backends.base import Size
from hqt.sandbox import SandboxPolicy

State = Literal["starting", "running", "exited", "stopped", "lost", "unreachable", "broken"]
DEFAULT_SIZE = Size(columns=120, rows=40)
ALIVE: frozenset[State] = frozenset(("starting", "running", "unreachable"))


@dataclass(frozen=True, slots=True)
class Exit:
    """How an agent ended: exactly one of the two where it is known."""

    code: int | None = None
    signal: int | None = None


@dataclass(frozen=True, slots=True)
class SessionView:
    id: int
    key: str
    name: str
    project: Path  # real path
    project_name: str
    cwd: Path  # real path
    given: Path  # as the user gave it; a link where it differs from cwd
    harness: str
    args: tuple[str, ...]
    env_names: tuple[str, ...]
    state: State
    exit: Exit | None
    sandbox: SandboxPolicy | None  # None with `invalid` None: open
    invalid: str | None  # the sentence that says why the stored policy cannot be honoured
    conversation: str | None
    conversation_source: str | None  # minted, discovered
    created_at: str  # UTC, ISO 8601
    ended_at: str | None
    note: str | None

    @property
    def is_alive(self) -> bool:
        return self.state in ALIVE


class NewSession(NamedTuple):
    """What a person chose; the fields are `create_session`'s parameters."""

    directory: Path
    harness: str
    name: str | None = None
    sandbox: SandboxPolicy | None = None
    args: tuple[str, ...] = ()
    env_names: tuple[str, ...] = ()
    prompt: str | None = None
    size: Size = DEFAULT_SIZE


class Outcome(NamedTuple):
    """A start: the session as it is now, and its last lines where it already ended."""

    view: SessionView
    lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
