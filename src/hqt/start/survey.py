"""The world as a plan needs it, looked up once: project, host, harness, and what lies at each path."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from hqt.backends.base import Source
from hqt.errors import JailError, ServiceError, about
from hqt.harnesses.base import HarnessConfigurator
from hqt.integrity import tripwire
from hqt.integrity.tripwire import Trace
from hqt.paths import Places
from hqt.sandbox import Availability, Bind, caches, host, project
from hqt.sandbox.files import links
from hqt.sandbox.files.fingerprint import identity
from hqt.sandbox.files.links import Followed
from hqt.sandbox.files.private import Private, real_path
from hqt.sandbox.host import Host
from hqt.sandbox.project import Project
from hqt.sandbox.read_only import read_only_binds
from hqt.start.caller import Caller
from hqt.start.program import configure, program_paths
from hqt.start.request import Launch
from hqt.start.validate import declared_binds
from hqt.status import events
from hqt.values import frozen, replace


@frozen
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
        return Surveys(caller, places, harness, cwd, noticed=tuple(tripwire.kept_traces(places, cwd)))
    if available is None or available.bwrap is None:
        raise JailError("a jail was asked for and bubblewrap was not looked for: run `hqt doctor`")
    machine = host.survey(
        available.bwrap,
        available.features,
        caller.env,
        caller.uid,
        launch.sandbox,
        private,
        cwd,
        program_paths(launch, harness, places, caller, cwd),
        terminal=terminal,
    )
    bare = Surveys(caller, places, harness, cwd, shown, machine, scopes=available.scopes)
    return _with_binds(bare, shown, machine, private)


def reachable(shown: Project, binds: tuple[Bind, ...]) -> Iterator[Path]:
    """Every path that the jail shows and an agent could put something else at."""
    yield shown.path
    yield from (bind.src for bind in read_only_binds(shown.path, shown.guards.read_only))
    yield from (bind.src for bind in (*shown.git.mounts, *binds))


def identities(paths: Iterable[Path]) -> Iterator[Source]:
    """What lies at each of `paths` now; what is missing is left out."""
    for path in dict.fromkeys(paths):
        found = identity(path)
        if found is not None:
            yield Source(path, *found)


def _with_binds(bare: Surveys, shown: Project, machine: Host, private: Private) -> Surveys:
    """The surveys with the harness's binds, what links among them need, and the project's cache."""
    wanted = [*bare.harness.sandbox_binds(), *_events(bare.harness)]
    own = host.resolve(wanted, private, shown.path)
    declared_binds(bare.harness, own, bare.places, private, shown.path)
    followed = _followed(machine, own, shown, private)
    own = (*own, *followed.binds)
    shown_at = [each.dst for each in machine.tools] + [bind.inside for bind in (*own, *shown.git.mounts)]
    cache = host.resolve(caches.binds(bare.places, shown.path, shown_at), private, shown.path)
    return replace(
        bare,
        binds=(*own, *cache),
        sources=tuple(identities(reachable(shown, (*own, *cache)))),
        machine=os.uname().machine,
        notes=(*machine.notes, *links.dangling(bind.src for bind in wanted), *followed.notes),
    )


def _events(harness: HarnessConfigurator) -> Iterator[Bind]:
    if harness.events is not None:
        yield Bind(harness.events, writable=True, dst=events.INSIDE, create="dir")


def _followed(machine: Host, own: tuple[Bind, ...], shown: Project, private: Private) -> Followed:
    """What links in settings need that lead out of them, as those of a dotfile manager do."""
    settings = [Bind(each.src, dst=each.dst) for each in machine.settings]
    system = [Bind(each.src, dst=each.dst) for each in (*machine.system, *machine.run, *machine.tools)]
    system += [Bind(real_path(link), dst=link) for _, link in machine.links]
    # a project is written by agents, and a read-only jail is not the only one on it
    places = [Bind(each, writable=True, dst=each) for each in (shown.path, shown.link) if each]
    kept = [bind for bind in own if not bind.writable]
    return links.follow([*kept, *settings], [*system, *own, *shown.git.mounts, *places], private)


def _project(launch: Launch, private: Private, caller: Caller) -> Project | None:
    if launch.sandbox is None:
        return None
    found = project.survey(launch.given, launch.sandbox, private)
    return project.guarded(found, launch.sandbox, private, caller.env)


@about("directory")
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
