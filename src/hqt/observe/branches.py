"""On which git branch a project is, read from its files: git itself would run what a project names."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from hqt.sandbox.files import untrusted
from hqt.values import frozen

_READ_MAX = 4096
_BRANCH = re.compile(rb"ref: refs/heads/([^\n]{1,255})\n?")
_COMMIT = re.compile(rb"([0-9a-f]{7})[0-9a-f]{33}(?:[0-9a-f]{24})?\n?")
_NO_BRANCH = ".invalid"  # what HEAD names where references lie in another format (gitrepository-layout(5))


@frozen
class _Known:
    file: tuple[int, int, int]  # HEAD as it was when it was read: its inode, size and time
    branch: str | None


@dataclass(slots=True)
class Branches:
    """Remembers what it read: a look at a HEAD that did not change costs a few stats."""

    _known: dict[Path, _Known] = field(default_factory=dict)

    def of(self, project: Path) -> str | None:
        """The branch, or how the commit begins; None where there is no git or it is not understood."""
        head = _head(project)
        file = None if head is None else _identity(head)
        if head is None or file is None:
            return None
        known = self._known.get(head)
        if known is None or known.file != file:
            known = self._known[head] = _Known(file, _branch(untrusted.read(head, _READ_MAX) or b""))
        return known.branch


def _head(project: Path) -> Path | None:
    for folder in (project, *project.parents):
        git = folder / ".git"
        if untrusted.exists(git):
            return _git_folder(git) / "HEAD"
    return None


def _git_folder(git: Path) -> Path:
    """`git` itself, or where its text leads, as in a worktree or a submodule (gitrepository-layout(5))."""
    text = untrusted.read(git, _READ_MAX)
    if text is None or not text.startswith(b"gitdir: "):
        return git
    named = text.removeprefix(b"gitdir: ").rstrip(b"\n").decode(errors="surrogateescape")
    return git.parent / named


def _identity(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.lstat()
    except (OSError, ValueError):
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _branch(text: bytes) -> str | None:
    branch, commit = _BRANCH.fullmatch(text), _COMMIT.fullmatch(text)
    if commit is not None:
        return commit[1].decode()
    name = branch[1].decode(errors="backslashreplace") if branch is not None else _NO_BRANCH
    return None if name == _NO_BRANCH else name
