"""Where the repository of a folder lies, and which others lie in it; pointers are believed only both ways."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from hqt.errors import JailError
from hqt.sandbox.files import untrusted
from hqt.sandbox.files.private import Private
from hqt.sandbox.git.config import Asker, links
from hqt.values import frozen

_POINTER_MAX = 4096
_BELOW_MAX = 200
_LOOKED_AT_MAX = 4000  # folders of a project in which a repository is looked for
# what of a repository redirects git or is run by it
_PARTS = "config config.worktree commondir hooks info/attributes".split()


@frozen
class Found:
    kind: Literal["main", "worktree", "submodule"]
    folder: Path  # where hooks and configuration lie
    own: Path | None = None  # a linked worktree's part of it


def find(project: Path, private: Private, asker: Asker) -> Found | None:
    """The repository of `project`; None where there is none, or one that does not point back to it."""
    dot_git = project / ".git"
    mode = untrusted.mode(dot_git)
    if mode is None:
        return None
    if stat.S_ISDIR(mode):
        return Found("main", dot_git)
    target = pointer(dot_git, "gitdir: ")
    if target is None or target == project or not target.is_dir():
        return None
    if project in target.parents:
        return Found("main", target) if _is_usable(target, private) else None
    common = pointer(target / "commondir", "")
    if common is not None:
        linked = target.parent == common / "worktrees" and pointer(target / "gitdir", "") == dot_git
        return Found("worktree", common, target) if linked and _is_usable(common, private) else None
    back = _submodule_worktree(target, asker)
    return Found("submodule", target) if back == project and _is_usable(target, private) else None


def why_none(project: Path) -> Iterator[str]:
    """Why git does not work in a jail on `project`, where there is something of it."""
    if untrusted.exists(project / ".git"):
        yield f"git does not work in the jail: {project / '.git'} leads to no repository of this folder"
        return
    above = next((folder for folder in project.parents if untrusted.exists(folder / ".git")), None)
    if above is not None:
        yield f"git does not work in the jail: this is a part of the repository {above}: start there for git"


def pointer(file: Path, prefix: str) -> Path | None:
    """The real path that a pointer file of git's names; None for anything but a small regular file."""
    found = untrusted.read(file, _POINTER_MAX)
    text = os.fsdecode(found or b"").rstrip("\n")
    if not text.startswith(prefix) or text == prefix or "\0" in text:
        return None
    return untrusted.real(file.parent / text.removeprefix(prefix))


def parts(dot_git: Path) -> tuple[Path, ...]:
    """What to compare of the repository that begins at `dot_git`, a folder, a pointer or nothing yet."""
    mode = untrusted.mode(dot_git)
    if mode is not None and not stat.S_ISDIR(mode):
        return (dot_git,)
    return tuple(dot_git / name for name in _PARTS)


def worktrees(folder: Path) -> list[Path]:
    """The linked worktrees' parts of a git folder. A link is none: it would show what it leads to."""
    try:
        found = sorted((folder / "worktrees").iterdir())
    except OSError:
        return []
    return [each for each in found if stat.S_ISDIR(untrusted.mode(each) or 0)]


def pointers_of_worktrees(folder: Path, project: Path) -> Iterator[Path]:
    """The `.git` of each linked worktree that lies in the project."""
    for each in worktrees(folder):
        dot_git = pointer(each / "gitdir", "")
        if dot_git is None or dot_git.name != ".git" or dot_git == project / ".git":
            continue
        if project in dot_git.parents and folder not in dot_git.parents:
            yield dot_git


def below(project: Path, index: bytes, asker: Asker) -> Iterator[Path]:
    """The `.git` of every repository that git status looks into, submodules of submodules too."""
    waiting, seen = [(project, index)], 0
    while waiting:
        folder, listed = waiting.pop()
        for name in links(listed):
            dot_git = folder / name / ".git"
            yield dot_git
            if not untrusted.exists(dot_git) or not untrusted.is_direct(dot_git):
                continue
            seen += 1
            if seen > _BELOW_MAX:
                raise JailError(f"{project} holds over {_BELOW_MAX} repositories: start in one of them")
            waiting.append((folder / name, asker.index(folder / name) or b""))


def lying_in(project: Path) -> Iterator[Path]:
    """The `.git` of each repository one or two folders deep: editors look into those unasked."""
    waiting = [(project, 0)]
    for looked_at, (folder, depth) in enumerate(waiting):
        if looked_at > _LOOKED_AT_MAX:
            return
        if depth and untrusted.exists(folder / ".git"):
            yield folder / ".git"
        elif depth < 2:
            waiting += [(each, depth + 1) for each in _folders(folder)]


def _folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            found = [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []
    return [Path(path) for path in sorted(found) if not path.endswith("/.git")]


def _is_usable(folder: Path, private: Private) -> bool:
    """Whether it is a git folder and shows nothing private: an agent may have rewritten the pointer."""
    there = (folder / name for name in ("HEAD", "objects", "refs"))
    return all(os.access(part, os.R_OK) for part in there) and private.why_refused(folder) is None


def _submodule_worktree(folder: Path, asker: Asker) -> Path | None:
    config = folder / "config"
    if untrusted.read(config, 0) is None:
        return None
    words = ("config", "--file", str(config), "--no-includes", "--get", "core.worktree")
    value = os.fsdecode(asker.ask(Path("/"), *words) or b"").rstrip("\n")
    return untrusted.real(folder / value) if value else None
