"""What both faces hand down and get back: choices in, frozen views of a session out."""

from pathlib import Path
from typing import Literal, NamedTuple

from hqt.backends.base import Size
from hqt.sandbox import SandboxPolicy
from hqt.values import frozen

State = Literal[
    "starting",
    "working",
    "waiting",  # needs its human
    "idle",  # at its prompt; `unseen` until looked at
    "running",  # alive, and nothing finer is known of it
    "exited",
    "stopped",  # by the user
    "lost",  # gone with its tmux or a reboot
    "unreachable",  # its tmux lives, but without a socket or in another runtime folder
    "broken",  # its row cannot be read or honoured
]
DEFAULT_SIZE = Size(columns=120, rows=40)
# its program runs and can be entered
RUNNING: frozenset[State] = frozenset(("working", "waiting", "idle", "running"))
ALIVE: frozenset[State] = RUNNING | {"starting", "unreachable"}


@frozen
class Exit:
    """How an agent ended: exactly one of the two where it is known."""

    code: int | None = None
    signal: int | None = None


@frozen
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
    conversation_source: str | None  # minted, hook, discovered, adopted
    created_at: str  # UTC, ISO 8601
    ended_at: str | None
    note: str | None
    since: str | None = None  # when that state began, as far as it is known
    unseen: bool = False  # idle after work that nobody has looked at
    reason: str | None = None  # why it waits, in the words of its screen or its harness
    former: tuple[str, ...] = ()  # conversations that it left, oldest first
    copy_of: str | None = None  # the conversation that its own began with a copy of
    suspended: bool = False  # a signal has stopped its program, which waits to be let go on
    muted: bool = False  # its notices are not told
    since_s: float = 0.0  # `since` in Unix time where it is known finer: many things happen within a second
    watched: bool = False  # a terminal shows it

    @property
    def is_alive(self) -> bool:
        return self.state in ALIVE

    @property
    def is_running(self) -> bool:
        return self.state in RUNNING


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


class Adoption(NamedTuple):
    """A conversation that was started elsewhere, and the session that is to go on with it."""

    directory: Path
    conversation: str  # its id, or how that begins
    harness: str | None = None  # None: whichever has it
    name: str | None = None
    sandbox: SandboxPolicy | None = None


class Outcome(NamedTuple):
    """A start: the session as it is now, and its last lines where it already ended."""

    view: SessionView
    lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
