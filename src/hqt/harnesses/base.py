"""What hqt needs to know of a harness, declared; nothing here or in a harness's file starts a program."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from hqt.sandbox import Bind
from hqt.sandbox.policy import Copy
from hqt.status import events
from hqt.status.detect import Sign, Word
from hqt.status.rules import ScreenRule
from hqt.values import field, frozen

__all__ = [
    "Bind",
    "Copy",
    "Elsewhere",
    "Found",
    "HarnessConfigurator",
    "NamedCommand",
    "Place",
    "Program",
    "SpawnConfig",
]


@frozen
class Program:
    """An installed program and the host paths that it needs to be found and started."""

    path: Path  # absolute, as found on PATH: links not followed, so that the next update is followed
    real: Path  # the file itself
    shown: tuple[Path, ...] = ()  # hops of the link, interpreter, package tree; in a jail each read-only
    script: bool = False  # started by a `#!` line

    @property
    def inside(self) -> Path:
        """What a jail starts: a script by its real path, as node looks for its packages from there."""
        return self.real if self.script else self.path


@frozen
class Place:
    """Where a harness runs: all that a configurator may look at."""

    home: Path
    env: Mapping[str, str]
    uid: int
    cwd: Path  # the project's real path
    program: Program | None = None  # None: not installed, or not looked for
    shell: str = "/bin/sh"  # the user's login shell
    knows: frozenset[str] = frozenset()  # of `probes`, the words that the program's --help has
    lacks: frozenset[str] = frozenset()  # of `flags`, those that its --help was read for and does not have
    session: Path | None = None  # the session's private folder on the host; None in `sandbox exec`
    jailed: bool = False
    texts: Mapping[Path, bytes] = field(default_factory=dict)  # content of the files that `reads` names
    present: frozenset[Path] = frozenset()  # of the paths that `looks_at` names, those that exist


@frozen
class SpawnConfig:
    """What to run. Flags are already where this program wants them."""

    command: tuple[str, ...]
    env_set: Mapping[str, str] = field(default_factory=dict)
    env_pass: tuple[str, ...] = ()  # names or patterns (fnmatch) of host variables, for a jail
    copies: tuple[Copy, ...] = ()
    note: str | None = None  # said before the start, such as a login that would not outlive the jail


@frozen
class Found:
    """A conversation found on disk."""

    conversation: str
    born: float  # Unix time of its start
    path: Path
    exclusive: bool = False  # it lies where no other session's harness writes


@frozen
class Elsewhere:
    """A conversation that can be resumed, whoever started it."""

    conversation: str
    born: float  # Unix time of its start
    said: str | None  # the first line of its first prompt, as its transcript has it; None: not found


@frozen
class NamedCommand:
    """A command that a settings file names: an MCP server, a hook, a status line."""

    file: Path
    entry: str  # where in it, such as mcpServers.search
    words: tuple[str, ...]  # the program and its arguments; `~` and variables not yet expanded


@frozen
class Evidence:
    """What is known of a harness and how, a sentence each; docs/harnesses.md is made from it."""

    source: str | None = None  # where its program comes from
    version: str | None = None  # of the program that was run; None: it never was
    run: tuple[str, ...] = ()  # seen with that version
    read: tuple[str, ...] = ()  # believed of its documentation, its source or its users' reports
    unknown: tuple[str, ...] = ()


# of `run`: what tests/real does with each program
BY_REAL_TESTS = (
    "In a jail, as root and as an ordinary user: a prompt at the start, a tool that writes, one that a"
    " read-only"
    " jail refuses, a planted key that is not found, a commit in a linked worktree.",
    "Stopped and brought back with its conversation; two sessions in one folder, in turn, never swap.",
)


class HarnessConfigurator(ABC):
    """One harness, configured for one place; made by `registry.configure`."""

    name: ClassVar[str]
    label: ClassVar[str]
    executable: ClassVar[str]
    is_agent: ClassVar[bool] = True  # taken without being named when it is the only one installed
    sandbox_skip_permission_flags: ClassVar[list[str]] = []
    sandbox_env: ClassVar[list[str]] = []  # names or patterns of the variables its jail may see
    outer_env: ClassVar[list[str]] = []  # of a session that hqt is called from: an open agent gets none
    root_env: ClassVar[list[str]] = []  # variables that say where its files are; kept with a session
    is_declared: ClassVar[bool] = False  # in config.toml: what its jails may write is not hqt's own choice
    forks: ClassVar[bool] = False  # it can begin a conversation as a copy of another
    reports: ClassVar[bool] = False  # its start hook tells which conversation it is in (status/events)
    flags: ClassVar[list[str]] = []  # every flag hqt may use, for doctor
    probes: ClassVar[list[str]] = []  # words of its help that change what hqt runs
    help: ClassVar[list[str]] = ["--help"]  # what prints the help that has `flags` and `probes`
    evidence: ClassVar[Evidence] = Evidence()
    unlisted: ClassVar[list[str]] = []  # of `flags`, those that it knows and its help leaves out
    screen_rules: ClassVar[tuple[ScreenRule, ...]] = ()  # what its screen tells, the first that holds
    title_rules: ClassVar[tuple[ScreenRule, ...]] = ()  # and what the title of its terminal tells
    bell: ClassVar[Word | None] = None  # what it says by ringing the bell

    def __init__(self, place: Place) -> None:
        self.place = place

    @classmethod
    def reads(cls, home: Path, env: Mapping[str, str]) -> list[Path]:
        """Host files whose content the configuration depends on."""
        return []

    @classmethod
    def reads_of_project(cls, project: Path) -> list[Path]:
        """Settings files of the project, which agents write: of them `commands` alone may tell."""
        return []

    @classmethod
    def looks_at(cls, home: Path, env: Mapping[str, str]) -> list[Path]:
        """Host paths whose existence the configuration depends on."""
        return []

    @classmethod
    def keeps_apart(cls, home: Path, env: Mapping[str, str]) -> Path | None:
        """The host folder that holds, by their keys, what only jailed sessions themselves can go on with."""
        return None

    @classmethod
    def wanted(cls, args: Sequence[str], shell: str) -> str:
        """The word that is looked up on PATH to start it."""
        return cls.executable

    def mint(self, again: str | None = None) -> str | None:
        """The conversation id for a fresh start, or None where only the harness makes ids.

        It is `again` as long as nothing lies on disk under that id, which a harness would refuse.
        """
        return None

    def has_conversation(self, conversation: str) -> bool:
        """Whether that id can be resumed: its transcript is on disk."""
        return True

    def conversations(self) -> Iterable[Found]:
        """The conversations of this folder that are on disk, for harnesses that make ids themselves."""
        return ()

    def find(self, conversation: str) -> Found | None:
        """The conversation of that id, if its transcript names this folder and it can be resumed."""
        return next((each for each in self.conversations() if each.conversation == conversation), None)

    def elsewhere(self) -> Iterable[Elsewhere]:
        """The conversations of this folder that a person could go on with, for harnesses that tell."""
        return ()

    def holder(self, conversation: str, now: float) -> int | None:
        """The process outside of any jail that has `conversation` open, as far as the harness tells."""
        return None

    def moved(self, conversation: str, old: Path, new: Path) -> None:
        """Let `conversation` be found from `new`; `old` is where its project was. Nothing is deleted."""
        return

    @abstractmethod
    def build_spawn_config(
        self,
        *,
        args: Sequence[str] = (),
        prompt: str | None = None,
        conversation: str | None = None,
        sandboxed: bool = False,
    ) -> SpawnConfig:
        """A fresh start, under the id `conversation` where the harness takes one."""

    @abstractmethod
    def build_resume_config(
        self, conversation: str, *, args: Sequence[str] = (), sandboxed: bool = False
    ) -> SpawnConfig | None:
        """The way back into `conversation`; None where there is nothing to resume."""

    def mint_fork(self) -> str | None:
        """The conversation id for a copy, or None where only the harness makes the ids of copies."""
        return None

    def build_fork_config(
        self,
        conversation: str,
        new_id: str | None,
        *,
        args: Sequence[str] = (),
        prompt: str | None = None,
        sandboxed: bool = False,
    ) -> SpawnConfig | None:
        """A start in a copy of `conversation`, under `new_id` where the harness takes one.

        None where there is nothing to copy. Raises HarnessError with the reason where it can't be copied.
        """
        return None

    def commands(self) -> Iterable[NamedCommand]:
        """What it would run in a jail because its settings, as they are in `texts`, say so."""
        return ()

    def sandbox_binds(self) -> list[Bind]:
        """The host paths of this harness that its jail shows: logins and conversations rw, settings ro."""
        return []

    @property
    def events(self) -> Path | None:
        """The host folder that its hooks write to; None where it has none or this is no session."""
        return self.place.session / events.FOLDER if self.reports and self.place.session else None

    @property
    def told_in(self) -> tuple[Path, ...]:
        """The host folders in which it writes what it does, to wake at; others may write there as well."""
        return () if self.events is None else (self.events,)

    def registry(self, pid: int, now: float) -> Sign | None:
        """What its own list of running agents says of the one in the pane whose process is `pid`."""
        return None

    def word(self, *, sandboxed: bool) -> str:
        """The command's first word: the program as found, its bare name where it is not installed."""
        program = self.place.program
        if program is None:
            return self.executable
        return str(program.inside if sandboxed else program.path)


def unless_given(flags: Sequence[str], args: Sequence[str]) -> list[str]:
    """The flags that the user has not given already: codex refuses one given twice."""
    return [flag for flag in flags if flag not in args]


def new_uuid() -> str:
    """A random UUID, version 4 (RFC 9562); the module uuid would cost each start 8 ms."""
    raw = bytearray(os.urandom(16))
    raw[6] = raw[6] & 0x0F | 0x40
    raw[8] = raw[8] & 0x3F | 0x80
    text = raw.hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
