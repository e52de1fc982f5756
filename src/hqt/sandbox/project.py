"""The folder an agent works in: refused where it would undo the jail, else surveyed into values."""

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from hqt.errors import JailError, about
from hqt.sandbox import guards
from hqt.sandbox.files.private import Private
from hqt.sandbox.git import survey as git_survey
from hqt.sandbox.git.survey import Git
from hqt.sandbox.guards import Guards
from hqt.sandbox.policy import SandboxPolicy
from hqt.values import field, frozen, replace


@frozen
class Project:
    """A folder that may be shown in a jail."""

    path: Path  # real
    link: Path | None = None  # the name it was given by, where that is another
    git: Git = field(default_factory=Git)
    guards: Guards = field(default_factory=Guards)  # empty where the project is read-only


@about("directory")
def survey(given: Path, policy: SandboxPolicy, private: Private) -> Project:
    """The project at `given`, an absolute path; judged on its real path, as a link to HOME is HOME.

    Raises JailError with one sentence where it is no folder, or one that a jail must not be given.
    """
    path = _real_folder(given)
    why = private.why_refused(path)
    if why is not None:
        raise JailError(f"{_named(given, path)} can't be jailed: it {why}: choose a project folder below it")
    _refuse_inaccessible(path, policy)
    return Project(path=path, link=given if given != path else None)


@about("directory")
def guarded(project: Project, policy: SandboxPolicy, private: Private, env: Mapping[str, str]) -> Project:
    """The project with its git and its guards surveyed; nothing of the project's is run or followed.

    Raises JailError where something there would hold git up or can't be guarded.
    """
    found = git_survey.survey(project.path, policy, private, env)
    kept = guards.survey(project.path, found) if policy.fs == "rw" else Guards()
    return replace(project, git=found, guards=kept)


def permits(path: Path, wanted: int) -> bool:
    """Whether an agent may do `wanted` (os.R_OK and so on) with `path`.

    Inside there are no capabilities: root, too, gets only what owner, group and others may do.
    """
    if os.geteuid() != 0:
        return os.access(path, wanted)  # knows of access lists
    found = path.stat()
    shift = 6 if found.st_uid == 0 else 3 if found.st_gid in {os.getegid(), *os.getgroups()} else 0
    return (found.st_mode >> shift) & wanted == wanted


def _real_folder(given: Path) -> Path:
    try:
        path = given.resolve(strict=True)
        mode = path.stat().st_mode
    except (OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "a loop of links"
        raise JailError(
            f"the folder {given} can't be used ({reason}): choose another or see `hqt move`"
        ) from error
    if not stat.S_ISDIR(mode):
        raise JailError(f"{given} is not a folder: choose the folder it lies in")
    return path


def _named(given: Path, path: Path) -> str:
    return str(path) if given == path else f"{given} (in truth {path})"


def _refuse_inaccessible(path: Path, policy: SandboxPolicy) -> None:
    wanted = os.R_OK | os.X_OK | (os.W_OK if policy.fs == "rw" else 0)
    if permits(path, wanted):
        return
    doing = "written" if permits(path, os.R_OK | os.X_OK) else "read"
    if os.geteuid() != 0:
        raise JailError(f"{path} can't be {doing} by you: change its mode or choose another folder")
    raise JailError(
        f"{path} belongs to uid {path.stat().st_uid} and can't be {doing} by uid 0 without"
        " root's privileges, which a jail takes away: work as its owner or change its mode"
    )
