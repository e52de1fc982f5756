"""The files of a project that tools outside of the jail act on: some stay as they are, all are compared."""

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hqt.sandbox import gitconfig
from hqt.sandbox.git import Git

# run or obeyed by a tool of the host as soon as it looks at the folder
_UNASKED = (
    ".claude/settings.json .claude/settings.local.json .claude/hooks .claude/commands .claude/agents "
    ".claude/skills .claude/plugins .mcp.json .codex .kiro/settings .kiro/hooks .kiro/agents .kiro/steering "
    ".husky .gitmodules"
).split()
# the tool asks its user first
_ASKED = (
    ".vscode .idea .devcontainer .cursor .zed .envrc .pre-commit-config.yaml .bashrc .profile mise.toml "
    ".mise.toml .npmrc .yarnrc .yarnrc.yml"
).split()
_ENTRIES_MAX = 2000  # of one guarded folder; more are summed up by their number
_BYTES_MAX = 1 << 20  # of one file; of a larger one size and time count


@dataclass(frozen=True, slots=True)
class Guards:
    """`read_only`: there and kept so; `watched`: every path that is compared at the end, there or not."""

    read_only: tuple[Path, ...] = ()
    watched: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()


def survey(project: Path, git: Git, env: Mapping[str, str]) -> Guards:
    """The guards of a project that an agent may write; links and what lies behind them are only watched."""
    unasked = [project / name for name in _UNASKED] + list(git.sealed)
    asked = [project / name for name in _ASKED]
    tracked = _tracked(project, git, [*unasked, *asked], env)
    kept = [path for path in unasked if _is_own(path, project)]
    kept += [each for path in asked if _is_own(path, project) for each in _untracked(path, tracked)]
    held_back = sorted(path for path in tracked if any(path == each or each in path.parents for each in kept))
    return Guards(tuple(kept), (*unasked, *asked), tuple(_notes(held_back)))


def fingerprint(path: Path) -> str | None:
    """What lies at `path`, so that two looks can be compared; None: nothing. Links are not followed."""
    try:
        found = path.lstat()
    except OSError:
        return None
    if stat.S_ISLNK(found.st_mode):
        return f"link {path.readlink()}"
    if stat.S_ISDIR(found.st_mode):
        return "folder " + _digest(_entries(path))
    if stat.S_ISREG(found.st_mode):
        return f"file {oct(found.st_mode & 0o111)} " + _content(path, found)
    return f"special {oct(found.st_mode)}"


def identity(path: Path) -> tuple[int, int] | None:
    """Device and inode: a guard is lost when its path is given another by a replace on the host."""
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _is_own(path: Path, project: Path) -> bool:
    """Whether it is there and no link is on the way: a mount would land elsewhere."""
    return os.access(path, os.F_OK) and path.resolve() == path and project in path.parents


def _tracked(project: Path, git: Git, paths: Iterable[Path], env: Mapping[str, str]) -> frozenset[Path]:
    if git.folder is None:
        return frozenset()
    names = [str(path.relative_to(project)) for path in paths if project in path.parents]
    listed = gitconfig.ask(project, ["--literal-pathspecs", "ls-files", "-z", "--", *names], env)
    return frozenset(project / name for name in listed.split("\0") if name)


def _untracked(path: Path, tracked: frozenset[Path]) -> Iterator[Path]:
    """What of `path` git does not track: read-only. A mount over a tracked file makes git misbehave."""
    if path in tracked:
        return
    if not any(path in each.parents for each in tracked):
        yield path
    elif path.is_dir():
        for child in sorted(path.iterdir()):
            if not child.is_symlink():
                yield from _untracked(child, tracked)


def _notes(held_back: list[Path]) -> Iterator[str]:
    if held_back:
        names = ", ".join(path.name for path in held_back[:3])
        yield f"{len(held_back)} tracked files are read-only in the jail ({names}): git can't change them"


def _entries(folder: Path) -> Iterator[str]:
    seen = 0
    for parent, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            seen += 1
            path = Path(parent) / name
            yield f"{path.relative_to(folder)} " + (fingerprint(path) or "" if seen <= _ENTRIES_MAX else "")
        yield from (f"{Path(parent, name).relative_to(folder)}/" for name in folders)


def _content(path: Path, found: os.stat_result) -> str:
    if found.st_size > _BYTES_MAX:
        return f"{found.st_size} {found.st_mtime_ns}"
    try:
        # what was a file a moment ago may be a FIFO now
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return f"{found.st_size} {found.st_mtime_ns}"
    with os.fdopen(descriptor, "rb") as file:
        return hashlib.sha256(file.read(_BYTES_MAX)).hexdigest()


def _digest(lines: Iterable[str]) -> str:
    total = hashlib.sha256()
    for line in lines:
        total.update(os.fsencode(line) + b"\0")
    return total.hexdigest()
