"""What each mount of a jail is there for, told by the surveys that it was composed from; pure."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from hqt.errors import JailError
from hqt.sandbox import Bind, SandboxPolicy, caches
from hqt.sandbox.host import Host
from hqt.sandbox.mounts import Mount
from hqt.sandbox.project import Project
from hqt.start.plan import Plan
from hqt.start.survey import Surveys
from hqt.values import frozen

Rule = Literal[
    "project", "guard", "git", "cache", "harness", "tool", "system", "jail", "home", "hidden", "hqt", "open"
]


@frozen
class Role:
    rule: Rule
    label: str  # names all paths of the kind
    why: str  # of one path, a sentence without its stop


HIDDEN = Role("hidden", "not shown", "nothing of this jail shows it")
HOME = Role(
    "home",
    "a home of its own",
    "the home inside is new and empty at each start, and nothing of this jail shows this in it",
)
HOME_SHOWN = Role(
    "home",
    HOME.label,
    "the home inside is new and empty at each start, but for what this jail shows in it",
)
HOLDER = Role("jail", "folders of its own", "it is there because something in it is shown, otherwise empty")
JAIL = Role("jail", "folders of its own", "the jail has its own, new at each start")
_SYSTEM = Role("system", "the system", "it is a part of the system, which is shown")
_TOOL = Role(
    "tool", "tools and their settings", "it is shown as a program, as a folder of them or as what they need"
)
_CACHE = Role(
    "cache",
    "the project's cache",
    "the project's cache stands in its place: its jailed sessions share it, this machine's own is hidden",
)
_PROJECT = Role("project", "the project", "it is a part of the project")
_GUARD = Role("guard", "guarded files", "programs outside the jail run or obey it, so it is read-only")
_GIT = Role("git", "the project's git", "the project's git lies there")
_GIT_GUARD = Role(
    "guard",
    "guarded parts of git",
    "git outside the jail runs or obeys it, so it is read-only",
)


@frozen
class Roles:
    """The roles of one jail's mounts."""

    of_place: Mapping[Path, Role]

    @classmethod
    def of(cls, surveys: Surveys, plan: Plan) -> "Roles":
        project, host, policy = surveyed(surveys, plan)
        # in the order of compose: a later mount at the same place covers the earlier one
        return cls(
            {
                host.home: HOME,
                **_of_host(host),
                **{bind.inside: _of_bind(bind, surveys) for bind in surveys.binds},
                **{copy.dst: _copy(surveys) for copy in plan.copies},
                **_of_project(project, policy),
            }
        )

    def __call__(self, mount: Mount | None) -> Role:
        """What the mount is there for; without one, nothing is."""
        if mount is None or mount.dst == Path("/"):
            return HIDDEN
        # a folder between the project and a guard is a mount too, so that it can't be renamed
        below = _PROJECT if mount.writable else _GUARD
        return self.of_place.get(mount.dst, below if mount.kind == "bind" else JAIL)


def surveyed(surveys: Surveys, plan: Plan) -> tuple[Project, Host, SandboxPolicy]:
    """What a jail was composed from. Raises JailError for an open session."""
    policy = plan.launch.sandbox
    if surveys.project is None or surveys.host is None or policy is None:
        raise JailError("there is no jail to explain: this session is open")
    return surveys.project, surveys.host, policy


def _of_host(host: Host) -> dict[Path, Role]:
    system = {shown.dst: _SYSTEM for shown in (*host.system, *host.run)}
    if host.resolver is not None:
        system[Path("/etc/resolv.conf")] = _SYSTEM
    return system | {shown.dst: _TOOL for shown in host.tools}


def _of_project(project: Project, policy: SandboxPolicy) -> dict[Path, Role]:
    kept = dict.fromkeys(project.guards.read_only, _GUARD)
    # where all is read-only, git is so without a reason of its own
    git = {
        bind.inside: _GIT if bind.writable or policy.fs == "ro" else _GIT_GUARD for bind in project.git.mounts
    }
    return {project.path: _PROJECT, **kept, **git}


def _of_bind(bind: Bind, surveys: Surveys) -> Role:
    label = surveys.harness.label
    if caches.folder(surveys.places, surveys.cwd) in bind.src.parents:
        return _CACHE
    if surveys.places.data in bind.src.parents:
        return Role("harness", "this session's own", f"{label} keeps there what is this session's alone")
    if not bind.writable:
        return Role(
            "harness",
            f"settings of {label}",
            f"{label} obeys it here and outside, so it is read-only",
        )
    if bind.create is None:
        return Role("harness", f"the login of {label}", f"{label} logs in with it")
    return Role("harness", f"kept by {label}", f"{label} keeps its conversations there")


def _copy(surveys: Surveys) -> Role:
    label = surveys.harness.label
    return Role(
        "harness",
        f"copies for {label}",
        f"{label} gets a copy, made anew at each start: what it changes there ends with the jail",
    )
