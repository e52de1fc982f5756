"""From surveys to what a pane is asked for: the pure plan, and what must be made before it runs."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from hqt.backends.base import Source
from hqt.errors import JailError, ServiceError, about
from hqt.harnesses.base import HarnessConfigurator, SpawnConfig
from hqt.integrity import tripwire
from hqt.integrity.tripwire import Trace
from hqt.launch import FILTER_FD, FIRST_COPY, STATUS_FD
from hqt.sandbox import SandboxPolicy, seccomp
from hqt.sandbox.argv import ARGUMENT_MAX, Fds, compose
from hqt.sandbox.environment import NEVER, environment, matches
from hqt.sandbox.git.survey import Made
from hqt.sandbox.git.survey import environment as git_environment
from hqt.sandbox.guards import Guards
from hqt.sandbox.policy import Copy
from hqt.start.request import Launch
from hqt.start.survey import Surveys, reachable
from hqt.status import events
from hqt.values import field, frozen

# a pane has its own: these describe the terminal or the session that hqt was called from
_NOT_INHERITED = (
    "TMUX",
    "TMUX_PANE",
    "STY",
    "WINDOW",
    "LINES",
    "COLUMNS",
    "TERMCAP",
    "HQT_SANDBOX",
    "HQT_SESSION",
    events.VARIABLE,
)

_VARIABLE = re.compile("[A-Za-z_][A-Za-z0-9_]*")  # never a pattern, as a harness's declarations may be


@frozen
class Sealed:
    """How a jail's launcher closes itself up; identities of what is still to be made come with `prepare`."""

    filter: bytes
    scopes: bool
    sources: tuple[Source, ...]
    made: tuple[Path, ...]


@frozen
class Plan:
    """What would run, to the last word; nothing is made yet."""

    launch: Launch
    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]
    umask: int
    copies: tuple[Copy, ...] = ()
    makes: tuple[Path, ...] = ()  # folders that must be there, 0700
    git_makes: tuple[Made, ...] = ()  # in the git folder, until the last jail on it ends
    sealed: Sealed | None = None
    guards: Guards = field(default_factory=Guards)
    status: Path | None = None
    events: Path | None = None  # the folder that the harness's hooks write to
    notes: tuple[str, ...] = ()


def plan(launch: Launch, surveys: Surveys) -> Plan:
    """What would run; pure. The only caller of `compose`, so no jail is made any other way."""
    config = _spawn_config(launch, surveys.harness)
    command = launch.command or config.command
    _refuse_unknown(config.command, surveys.harness)
    _refuse_long(command)
    session = surveys.places.session(launch.key) if launch.key else None
    status = session / "status" if session else None
    if launch.sandbox is None:
        return Plan(
            launch=launch,
            argv=command,
            cwd=surveys.cwd,
            env=_open_environment(launch, surveys, config),
            umask=surveys.caller.umask,
            status=status,
            events=surveys.harness.events,
            notes=(*((config.note,) if config.note else ()), *_noticed(surveys.noticed)),
        )
    if surveys.project is None or surveys.host is None:
        raise JailError("a jail was asked for and the machine was not surveyed: report this as a bug")
    fds = Fds(
        status=STATUS_FD, filter=FILTER_FD, copies=tuple(range(FIRST_COPY, FIRST_COPY + len(config.copies)))
    )
    argv = compose(command, surveys.project, launch.sandbox, surveys.binds, config.copies, surveys.host, fds)
    return Plan(
        launch=launch,
        argv=tuple(argv),
        cwd=surveys.cwd,
        env=_jail_environment(launch, launch.sandbox, surveys, config),
        umask=surveys.caller.umask,
        copies=config.copies,
        makes=tuple(bind.src for bind in surveys.binds if bind.create == "dir"),
        git_makes=surveys.project.git.makes,
        sealed=_sealed(surveys),
        guards=surveys.project.guards,
        status=status,
        events=surveys.harness.events,
        notes=(
            *((config.note,) if config.note else ()),
            *surveys.notes,
            *surveys.project.git.notes,
            *surveys.project.guards.notes,
        ),
    )


def _noticed(traces: tuple[Trace, ...]) -> tuple[str, ...]:
    if not traces:
        return ()
    named = tripwire.describe(traces)
    return (
        f"a jailed session worked here and {named}: look before you let an agent without a jail use them",
    )


def _sealed(surveys: Surveys) -> Sealed:
    there = {source.path for source in surveys.sources}
    assert surveys.project is not None  # noqa: S101 - plan has asked
    shown = reachable(surveys.project, surveys.binds)
    return Sealed(
        filter=seccomp.program(surveys.machine),
        scopes=surveys.scopes,
        sources=surveys.sources,
        made=tuple(dict.fromkeys(path for path in shown if path not in there)),
    )


def _spawn_config(launch: Launch, harness: HarnessConfigurator) -> SpawnConfig:
    sandboxed = launch.sandbox is not None
    if launch.resume:
        if launch.conversation is None:
            raise ServiceError(f"{launch.title} has no conversation to resume: use `hqt resume --fresh`")
        found = harness.build_resume_config(launch.conversation, args=launch.args, sandboxed=sandboxed)
        if found is None:
            raise ServiceError(f"{launch.title} has nothing to resume: use `hqt resume --fresh`")
        return found
    if launch.copy_of is not None:
        copied = harness.build_fork_config(
            launch.copy_of,
            launch.conversation,
            args=launch.args,
            prompt=launch.prompt,
            sandboxed=sandboxed,
        )
        if copied is None:
            raise ServiceError(f"no copy of the conversation {launch.copy_of} can be made: use `hqt new`")
        return copied
    return harness.build_spawn_config(
        args=launch.args, prompt=launch.prompt, conversation=launch.conversation, sandboxed=sandboxed
    )


def _jail_environment(
    launch: Launch, policy: SandboxPolicy, surveys: Surveys, config: SpawnConfig
) -> dict[str, str]:
    _judge_names(launch.env_names)
    passed = (*config.env_pass, *launch.env_names)
    git = git_environment(surveys.project.git) if surveys.project else {}
    hooks = {events.VARIABLE: str(events.INSIDE)} if surveys.harness.events else {}
    return environment(surveys.caller.env, policy, passed, {**git, **config.env_set, **hooks})


@about("env_names")
def _judge_names(names: tuple[str, ...]) -> None:
    for name in names:
        if not _VARIABLE.fullmatch(name):
            raise JailError(f"{name!r} is no name of a variable: give --env the name alone, once for each")
        if matches(name, NEVER):
            raise JailError(
                f"the variable {name} leads out of the jail and never enters it: leave out --env {name}"
            )


def _open_environment(launch: Launch, surveys: Surveys, config: SpawnConfig) -> dict[str, str]:
    left_out = (*_NOT_INHERITED, *surveys.harness.outer_env)
    inherited = {name: value for name, value in surveys.caller.env.items() if name not in left_out}
    if not any(inherited.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG")):
        inherited["LANG"] = "C.UTF-8"
    marker = {"HQT_SESSION": launch.key} if launch.key else {}  # finds what an agent left running
    folder = surveys.harness.events
    return {**inherited, **config.env_set, **marker, **({events.VARIABLE: str(folder)} if folder else {})}


@about("harness")
def _refuse_unknown(command: tuple[str, ...], harness: HarnessConfigurator) -> None:
    """What the program would say itself, said before anything is made."""
    end = command.index("--") if "--" in command else len(command)
    flags = (word.partition("=")[0] for word in command[:end])
    unknown = next((flag for flag in flags if flag in harness.place.lacks), None)
    if unknown is not None:
        raise ServiceError(
            f"{harness.label}, as {command[0]}, does not know {unknown}, which this start needs:"
            " update it; `hqt doctor` tells its version"
        )


@about("args")
def _refuse_long(command: tuple[str, ...]) -> None:
    for word in command:
        if len(os.fsencode(word)) > ARGUMENT_MAX:
            raise ServiceError(
                f"an argument is over the {ARGUMENT_MAX} bytes that the kernel takes: hand it over in a file"
            )
        if "\0" in word:
            raise ServiceError("an argument holds a NUL, which no program can be given: leave it out")
