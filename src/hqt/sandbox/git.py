"""The git of a project, surveyed: what a jail shows, what of it stays as it is, and what is made first."""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hqt.sandbox import gitconfig
from hqt.sandbox.gitconfig import Setting
from hqt.sandbox.guarding import over
from hqt.sandbox.policy import Bind, SandboxPolicy
from hqt.sandbox.private import Private

_POINTER_MAX = 4096
# what redirects git or is run by it; a worktree's own part has the second kind
_SEALED = "hooks config config.worktree commondir info/attributes modules".split()
_SEALED_OWN = "commondir gitdir config.worktree".split()

# git gc takes locks in the other worktrees, which are read-only, and would fail; a tracking branch is
# written into the configuration, which is too
_ALWAYS = {
    "gc.reflogExpire": "never",
    "gc.reflogExpireUnreachable": "never",
    "gc.worktreePruneExpire": "never",
    "branch.autoSetupMerge": "false",
    "commit.gpgSign": "false",
    "tag.gpgSign": "false",
}


@dataclass(frozen=True, slots=True)
class Made:
    """Something that must lie in a git folder before a jail may write there, and goes again after it."""

    path: Path
    content: bytes | None  # None: a folder


@dataclass(frozen=True, slots=True)
class Git:
    kind: Literal["none", "main", "worktree", "submodule"] = "none"
    folder: Path | None = None  # where hooks and configuration lie
    mounts: tuple[Bind, ...] = ()  # in order, after the project's own
    makes: tuple[Made, ...] = ()
    sealed: tuple[Path, ...] = ()  # what of the project, beside the folder, leads git or is run by it
    config: tuple[tuple[str, str], ...] = ()  # settings passed in by the environment
    notes: tuple[str, ...] = ()


def survey(project: Path, policy: SandboxPolicy, private: Private, env: Mapping[str, str]) -> Git:
    """The git of the real path `project`; what can't be trusted exposes nothing and says so."""
    kind, folder, own = _found(project, private)
    settings = gitconfig.settings(project, env, local=folder is not None)
    notes = [*_notes(project, kind), *_signing(settings)]
    if folder is None:
        return Git(config=_passed(settings), notes=tuple(notes))
    named = set(gitconfig.named_files(settings, project, private.homes[0]))
    links = _links(folder)
    if policy.fs == "rw" and links:
        # a link in the git folder can be replaced, whatever is mounted on what it names
        notes.append(
            f"git is read-only in the jail: {links[0]} is a link: make it a folder or file of its own"
        )
    writable = policy.fs == "rw" and not links
    return Git(
        kind=kind,
        folder=folder,
        mounts=tuple(_mounts(project, folder, own, named, writable=writable)),
        makes=tuple(_makes(folder)) if writable else (),
        sealed=tuple(_sealed(project, folder, named)),
        config=_passed(settings),
        notes=tuple(notes),
    )


def environment(git: Git) -> dict[str, str]:
    """The variables that hand git its settings (git-config(1), GIT_CONFIG_COUNT)."""
    found = {"GIT_CONFIG_COUNT": str(len(git.config))}
    for number, (key, value) in enumerate(git.config):
        found |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return found


_Kind = Literal["none", "main", "worktree", "submodule"]


def _found(project: Path, private: Private) -> tuple[_Kind, Path | None, Path | None]:
    """The kind, the git folder, and a linked worktree's own part of it."""
    dot_git = project / ".git"
    try:
        mode = dot_git.lstat().st_mode
    except OSError:
        return "none", None, None
    if stat.S_ISDIR(mode):
        return "main", dot_git, None
    target = _pointer(dot_git, "gitdir: ")
    if target is None or not target.is_dir():
        return "none", None, None
    if project in target.parents:
        return ("main", target, None) if _is_usable(target, private) else ("none", None, None)
    common = _pointer(target / "commondir", "")
    if common is not None:
        linked = target.parent == common / "worktrees" and _pointer(target / "gitdir", "") == dot_git
        return (
            ("worktree", common, target) if linked and _is_usable(common, private) else ("none", None, None)
        )
    back = _submodule_worktree(target)
    return (
        ("submodule", target, None)
        if back == project and _is_usable(target, private)
        else ("none", None, None)
    )


def _pointer(file: Path, prefix: str) -> Path | None:
    """The real path that a pointer file of git's names; None for anything but a small regular file."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        text = os.fsdecode(opened.read(_POINTER_MAX)).rstrip("\n")
    if not text.startswith(prefix) or "\0" in text:
        return None
    return (file.parent / text.removeprefix(prefix)).resolve()


def _is_usable(folder: Path, private: Private) -> bool:
    """Whether it is a git folder and shows nothing private: an agent may have rewritten the pointer."""
    parts = (folder / name for name in ("HEAD", "objects", "refs"))
    return all(os.access(part, os.R_OK) for part in parts) and private.why_refused(folder) is None


def _submodule_worktree(folder: Path) -> Path | None:
    words = ["config", "--file", str(folder / "config"), "--no-includes", "--get", "core.worktree"]
    value = gitconfig.ask(Path("/"), words, os.environ).rstrip("\n")
    return (folder / value).resolve() if value else None


def _mounts(
    project: Path, folder: Path, own: Path | None, named: set[Path], *, writable: bool
) -> Iterator[Bind]:
    if not writable:
        yield Bind(folder, dst=folder)
        return
    yield Bind(folder, writable=True, dst=folder)
    # what is missing of these and not made first is harmless: git runs or reads none of it by itself
    made = {made.path for made in _makes(folder)}
    sealed = [folder / name for name in _SEALED] + [path for path in named if folder in path.parents]
    if own is not None:
        sealed += [own / name for name in _SEALED_OWN]
    others = [each for each in _worktrees(folder) if each != own]
    there = [path for path in sealed if path in made or os.access(path, os.F_OK)]
    yield from over(folder, [*there, *others], [folder / "worktrees"] if others or own else [])


def _sealed(project: Path, folder: Path, named: set[Path]) -> Iterator[Path]:
    """Pointers to git folders, and what git's configuration names in the project."""
    if folder != project / ".git":
        yield project / ".git"
    yield from (path for path in sorted(named) if project in path.parents and folder not in path.parents)
    for submodule in gitconfig.submodules(project):
        yield project / submodule / ".git"


def _worktrees(folder: Path) -> list[Path]:
    try:
        return [each for each in sorted((folder / "worktrees").iterdir()) if each.is_dir()]
    except OSError:
        return []


def _links(folder: Path) -> list[Path]:
    parts = (folder / name for name in (*_SEALED, "info", "worktrees"))
    return [part for part in parts if part.is_symlink()]


def _makes(folder: Path) -> Iterator[Made]:
    if not os.access(folder / "hooks", os.F_OK):
        yield Made(folder / "hooks", None)
    commondir = folder / "commondir"
    # planted, it would lead git to another configuration; holding "." it changes nothing (git 2.39)
    if not os.access(commondir, os.F_OK) or _is_ours(commondir):
        yield Made(commondir, b".\n")


def _is_ours(commondir: Path) -> bool:
    try:
        return commondir.read_bytes() == b".\n"
    except OSError:
        return False


def _passed(settings: tuple[Setting, ...]) -> tuple[tuple[str, str], ...]:
    """The user's identity as it holds in this folder: conditional includes are hidden inside."""
    identity = {key: gitconfig.last(settings, key) for key in ("user.name", "user.email")}
    return (*((key, value) for key, value in identity.items() if value), *_ALWAYS.items())


def _signing(settings: tuple[Setting, ...]) -> Iterator[str]:
    if (gitconfig.last(settings, "commit.gpgsign") or "").lower() in ("true", "yes", "on", "1"):
        yield "commits made in the jail are unsigned: its keys are not there"


def _notes(project: Path, kind: _Kind) -> Iterable[str]:
    if kind != "none":
        return
    if os.access(project / ".git", os.F_OK) or (project / ".git").is_symlink():
        yield f"git does not work in the jail: {project / '.git'} leads to no repository of this folder"
        return
    above = next((folder for folder in project.parents if os.access(folder / ".git", os.F_OK)), None)
    if above is not None:
        yield f"git does not work in the jail: this is a part of the repository {above}: start there for git"
