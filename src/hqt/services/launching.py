"""From what is to run to what a pane is asked for: surveys, the pure plan, and what must be made first."""

import os
import pwd
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hqt.backends.base import Seal, Size, Source, SpawnRequest
from hqt.errors import HarnessError, JailError, ServiceError
from hqt.harnesses import program as programs
from hqt.harnesses import registry
from hqt.harnesses.base import HarnessConfigurator, Place, Program, SpawnConfig
from hqt.harnesses.probing import probe
from hqt.launch import FILTER_FD, FIRST_COPY, STATUS_FD
from hqt.paths import Places
from hqt.sandbox import Availability, Bind, SandboxPolicy, host, links, project, seccomp
from hqt.sandbox.argv import ARGUMENT_MAX, Fds, compose
from hqt.sandbox.environment import NEVER, environment, matches
from hqt.sandbox.fingerprint import identity
from hqt.sandbox.git import Made
from hqt.sandbox.git import environment as git_environment
from hqt.sandbox.guarding import over
from hqt.sandbox.guards import Guards
from hqt.sandbox.host import Host
from hqt.sandbox.links import Followed
from hqt.sandbox.policy import Copy
from hqt.sandbox.private import Private, is_there, real_path
from hqt.sandbox.project import Project
from hqt.services import caches, holding, tripwire
from hqt.services.tripwire import Trace

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
)

_VARIABLE = re.compile("[A-Za-z_][A-Za-z0-9_]*")  # never a pattern, as a harness's declarations may be


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


@dataclass(frozen=True, slots=True)
class Surveys:
    """All that `plan` needs to know of the world, looked up before."""

    caller: Caller
    places: Places
    harness: HarnessConfigurator
    cwd: Path  # real
    project: Project | None = None  # for a jail, with the next two
    host: Host | None = None
    binds: tuple[Bind, ...] = ()
    sources: tuple[Source, ...] = ()  # what lies at each path that the jail shows and an agent could reach
    machine: str = ""  # uname -m
    scopes: bool = False
    noticed: tuple[Trace, ...] = ()  # what jails left in this project, for an open session
    notes: tuple[str, ...] = ()  # what a jail is asked to show and can't


@dataclass(frozen=True, slots=True)
class Sealed:
    """How a jail's launcher closes itself up; identities of what is still to be made come with `prepare`."""

    filter: bytes
    scopes: bool
    sources: tuple[Source, ...]
    made: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
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
    notes: tuple[str, ...] = ()


def survey(
    launch: Launch, places: Places, caller: Caller, available: Availability | None, *, terminal: bool
) -> Surveys:
    """Look up what `plan` needs; `available`: what is known of bwrap, for a jail.

    `terminal`: whether standard input will be one. Raises HqtError with the sentence that stops the start.
    """
    private = Private.of(places.home, places.own(), caller.account_home)
    shown = _project(launch, private, caller)
    cwd = shown.path if shown else _folder(launch.given)
    harness = configure(launch, places, caller, cwd)
    if launch.sandbox is None or shown is None:
        return Surveys(caller, places, harness, cwd, noticed=tuple(tripwire.noticed(places, cwd)))
    if available is None or available.bwrap is None:
        raise JailError("a jail was asked for and bubblewrap was not looked for: run `hqt doctor`")
    needed = _program_paths(launch, harness, places, caller, cwd)
    machine = host.survey(
        available.bwrap,
        available.features,
        caller.env,
        caller.uid,
        launch.sandbox,
        private,
        cwd,
        needed,
        terminal=terminal,
    )
    wanted = harness.sandbox_binds()
    own = host.resolve(wanted, private, cwd)
    followed = _followed(machine, own, shown, private)
    own = (*own, *followed.binds)
    shown_at = [each.dst for each in machine.tools] + [bind.inside for bind in (*own, *shown.git.mounts)]
    binds = (*own, *host.resolve(caches.binds(places, cwd, shown_at), private, cwd))
    return Surveys(
        caller=caller,
        places=places,
        harness=harness,
        cwd=cwd,
        project=shown,
        host=machine,
        binds=binds,
        sources=tuple(_identities(_reachable(shown, binds))),
        machine=os.uname().machine,
        scopes=available.scopes,
        notes=(*machine.notes, *links.dangling(bind.src for bind in wanted), *followed.notes),
    )


def _followed(machine: Host, own: tuple[Bind, ...], shown: Project, private: Private) -> Followed:
    """What links in settings need that lead out of them, as those of a dotfile manager do."""
    settings = [Bind(each.src, dst=each.dst) for each in machine.settings]
    system = [Bind(each.src, dst=each.dst) for each in (*machine.system, *machine.run, *machine.tools)]
    system += [Bind(real_path(link), dst=link) for _, link in machine.links]
    # what an agent may write, or might in another jail
    places = [Bind(shown.path, writable=True, dst=each) for each in (shown.path, shown.link) if each]
    kept = [bind for bind in own if not bind.writable]
    return links.follow([*kept, *settings], [*system, *own, *shown.git.mounts, *places], private)


def _project(launch: Launch, private: Private, caller: Caller) -> Project | None:
    if launch.sandbox is None:
        return None
    found = project.survey(launch.given, launch.sandbox, private)
    return project.guarded(found, launch.sandbox, private, caller.env)


def _reachable(shown: Project, binds: tuple[Bind, ...]) -> Iterator[Path]:
    yield shown.path
    yield from (bind.src for bind in over(shown.path, shown.guards.read_only))
    yield from (bind.src for bind in (*shown.git.mounts, *binds))


def _identities(paths: Iterable[Path]) -> Iterator[Source]:
    for path in dict.fromkeys(paths):
        found = identity(path)
        if found is not None:
            yield Source(path, *found)


def configure(launch: Launch, places: Places, caller: Caller, cwd: Path) -> HarnessConfigurator:
    """The launch's harness, with all that it may look at."""
    kind, env = registry.kind(launch.harness), caller.env
    found = _program(kind.wanted(launch.args, caller.shell), launch, places, caller, cwd)
    place = Place(
        home=places.home,
        env=env,
        uid=caller.uid,
        cwd=cwd,
        program=found,
        shell=caller.shell,
        knows=_known(kind, found, places, caller, cwd),
        session=places.session(launch.key) if launch.key else None,
        texts={path: text for path in kind.reads(places.home, env) if (text := _text(path)) is not None},
        present=frozenset(path for path in kind.looks_at(places.home, env) if is_there(path)),
    )
    return registry.configure(launch.harness, place)


def on_disk(harness: str, places: Places, caller: Caller, cwd: Path) -> HarnessConfigurator:
    """The harness for a look at its own files; its program is not looked for."""
    return registry.configure(harness, Place(places.home, caller.env, caller.uid, cwd, shell=caller.shell))


def installed(places: Places, caller: Caller) -> tuple[str, ...]:
    """The harnesses whose own program is on PATH."""
    return tuple(
        name
        for name in registry.NAMES
        if registry.kind(name).is_agent and _is_installed(name, places, caller)
    )


def plan(launch: Launch, surveys: Surveys) -> Plan:
    """What would run; pure. The only caller of `compose`, so no jail is made any other way."""
    config = _spawn_config(launch, surveys.harness)
    command = launch.command or config.command
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
            notes=_noticed(surveys.noticed),
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
        notes=(
            *((config.note,) if config.note else ()),
            *surveys.notes,
            *surveys.project.git.notes,
            *surveys.project.guards.notes,
        ),
    )


@contextmanager
def prepare(plan: Plan, size: Size, places: Places, holder: str) -> Iterator[SpawnRequest]:
    """Make the folders that the plan needs; they go again where the start fails.

    What lies in a git folder is `holder`'s, who releases it at the end (holding).
    """
    made: list[Path] = []
    try:
        for folder in plan.makes:
            _make(folder, made)
        if plan.sealed is not None:
            holding.take(places, holder, plan.cwd, plan.git_makes)
        yield SpawnRequest(
            key=plan.launch.key or "",
            title=plan.launch.title,
            argv=plan.argv,
            cwd=plan.cwd,
            env=plan.env,
            copies=plan.copies,
            status=plan.status,
            seal=_seal(plan.sealed) if plan.sealed else None,
            umask=plan.umask,
            size=size,
        )
    except BaseException:
        for folder in reversed(made):
            _remove_empty(folder)
        raise


def _noticed(traces: tuple[Trace, ...]) -> tuple[str, ...]:
    if not traces:
        return ()
    named = tripwire.told(traces)
    return (
        f"a jailed session worked here and {named}: look before you let an agent without a jail use them",
    )


def _sealed(surveys: Surveys) -> Sealed:
    there = {source.path for source in surveys.sources}
    assert surveys.project is not None  # noqa: S101 - plan has asked
    shown = _reachable(surveys.project, surveys.binds)
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
    return harness.build_spawn_config(
        args=launch.args, prompt=launch.prompt, conversation=launch.conversation, sandboxed=sandboxed
    )


def _jail_environment(
    launch: Launch, policy: SandboxPolicy, surveys: Surveys, config: SpawnConfig
) -> dict[str, str]:
    for name in launch.env_names:
        if not _VARIABLE.fullmatch(name):
            raise JailError(f"{name!r} is no name of a variable: give --env the name alone, once for each")
        if matches(name, NEVER):
            raise JailError(
                f"the variable {name} leads out of the jail and never enters it: leave out --env {name}"
            )
    passed = (*config.env_pass, *launch.env_names)
    git = git_environment(surveys.project.git) if surveys.project else {}
    return environment(surveys.caller.env, policy, passed, {**git, **config.env_set})


def _open_environment(launch: Launch, surveys: Surveys, config: SpawnConfig) -> dict[str, str]:
    left_out = (*_NOT_INHERITED, *surveys.harness.outer_env)
    inherited = {name: value for name, value in surveys.caller.env.items() if name not in left_out}
    if not any(inherited.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG")):
        inherited["LANG"] = "C.UTF-8"
    marker = {"HQT_SESSION": launch.key} if launch.key else {}  # finds what an agent left running
    return {**inherited, **config.env_set, **marker}


def _refuse_long(command: tuple[str, ...]) -> None:
    for word in command:
        if len(os.fsencode(word)) > ARGUMENT_MAX:
            raise ServiceError(
                f"an argument is over the {ARGUMENT_MAX} bytes that the kernel takes: hand it over in a file"
            )
        if "\0" in word:
            raise ServiceError("an argument holds a NUL, which no program can be given: leave it out")


def _folder(given: Path) -> Path:
    try:
        path = given.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "a loop of links"
        raise ServiceError(
            f"the folder {given} can't be used ({reason}): choose another or see `hqt move`"
        ) from error
    if not path.is_dir():
        raise ServiceError(f"{given} is not a folder: choose the folder it lies in")
    if not os.access(path, os.R_OK | os.X_OK):
        raise ServiceError(f"the folder {given} can't be entered by you: choose another")
    return path


def _program(word: str, launch: Launch, places: Places, caller: Caller, cwd: Path) -> Program | None:
    """The harness's program; in `sandbox exec` it may be missing, as another command is run."""
    try:
        return programs.find(word, caller.env.get("PATH", ""), cwd, places.home)
    except HarnessError:
        if launch.command is None:
            raise
        return None


def _program_paths(
    launch: Launch, harness: HarnessConfigurator, places: Places, caller: Caller, cwd: Path
) -> tuple[Path, ...]:
    shown = harness.place.program.shown if harness.place.program else ()
    if launch.command is None:
        return shown
    # where there is no such command the jail's own env(1) says so, exit 127
    other = _program(launch.command[0], launch, places, caller, cwd)
    return (*shown, *(other.shown if other else ()))


def _known(
    kind: type[HarnessConfigurator], found: Program | None, places: Places, caller: Caller, cwd: Path
) -> frozenset[str]:
    if found is None or not kind.probes:
        return frozenset()
    return probe(found, kind.probes, cache=programs_file(places.state), env=caller.env, project=cwd)


def programs_file(state: Path) -> Path:
    """What is known of installed harnesses, by path and time of change; `state`: hqt's state folder."""
    return state / "programs.json"


def _is_installed(name: str, places: Places, caller: Caller) -> bool:
    word = registry.kind(name).executable
    try:
        programs.find(word, caller.env.get("PATH", ""), Path("/"), places.home)
    except HarnessError:
        return False
    return True


def _text(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _make(folder: Path, made: list[Path]) -> None:
    if is_there(folder):
        return
    _make(folder.parent, made)
    try:
        folder.mkdir(mode=0o700)
        made.append(folder)
    except FileExistsError:
        return
    except OSError as error:
        raise ServiceError(
            f"the folder {folder} can't be made ({error.strerror}): make it by hand"
        ) from error


def _seal(sealed: Sealed) -> Seal:
    return Seal(sealed.filter, sealed.scopes, (*sealed.sources, *_identities(sealed.made)))


def _remove_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:  # somebody uses it already
        return
