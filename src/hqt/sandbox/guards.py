"""The files of a project that tools outside of the jail act on: some stay as they are, all are compared."""

import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from hqt.errors import JailError
from hqt.sandbox.files import untrusted
from hqt.sandbox.git import config, repositories
from hqt.sandbox.git.survey import Git
from hqt.values import frozen

# run or obeyed by a tool of the host as soon as it looks at the folder
_UNASKED = (
    ".claude/settings.json .claude/settings.local.json .claude/hooks .claude/commands .claude/agents "
    ".claude/skills .claude/plugins .mcp.json .codex .kiro/settings .kiro/hooks .kiro/agents .kiro/steering "
    ".gemini/settings.json .gemini/extensions .gemini/commands .gemini/agents .gemini/skills .gemini/hooks "
    ".gemini/policies .gemini/.env .agents/skills .qwen/settings.json .qwen/extensions .qwen/commands "
    ".qwen/agents .qwen/skills .qwen/hooks .qwen/rules .qwen/.env "
    "opencode.json opencode.jsonc .opencode/opencode.json .opencode/opencode.jsonc .opencode/plugin "
    ".opencode/plugins .opencode/tool .opencode/tools .opencode/agent .opencode/agents .opencode/command "
    ".opencode/commands .opencode/mode .opencode/modes .opencode/skill .opencode/skills "
    ".opencode/package.json .opencode/node_modules "
    ".pi/settings.json .pi/extensions .pi/skills .pi/prompts .pi/themes .pi/npm .pi/git .pi/SYSTEM.md "
    ".pi/APPEND_SYSTEM.md .husky .gitmodules"
).split()
# the tool asks its user first
_ASKED = (
    ".vscode .idea .devcontainer .cursor .zed .envrc .pre-commit-config.yaml .bashrc .profile mise.toml "
    ".mise.toml .npmrc .yarnrc .yarnrc.yml"
).split()
_MOUNTS_MAX = 1000  # bwrap takes 9000 words
_DEPTH_MAX = 64


@frozen
class Guards:
    """`read_only`: there, or about to be made, and kept so; `watched`: compared at the end, there or not."""

    read_only: tuple[Path, ...] = ()
    watched: tuple[Path, ...] = ()
    kept: tuple[Path, ...] = ()  # those read-only, with git's: a replace on the host would take the mount
    repositories: tuple[Path, ...] = ()  # the project's own `.git` and that of each which lies in it
    notes: tuple[str, ...] = ()


def survey(project: Path, git: Git) -> Guards:
    """The guards of a project that an agent may write. A link's target is guarded where it lies inside.

    Raises JailError where there is more to guard than a jail can have mounts.
    """
    made = frozenset(each.path for each in git.makes)
    unasked = _with_targets([*(project / name for name in _UNASKED), *git.sealed], project)
    asked = _with_targets([project / name for name in _ASKED], project)
    tracked = _tracked(project, git, [*unasked, *asked])
    kept = [path for path in unasked if _is_own(path, project, made)]
    kept += [each for path in asked if _is_own(path, project) for each in _untracked(path, tracked)]
    sealed = tuple(dict.fromkeys(kept))
    _refuse_many(project, len(sealed) + len(git.mounts))
    lying = tuple(dict.fromkeys(_repositories(project, git)))
    parts = [part for dot_git in lying for part in repositories.parts(dot_git)]
    of_git = tuple(bind.inside for bind in git.mounts if not bind.writable)
    return Guards(
        read_only=sealed,
        watched=tuple(dict.fromkeys((*unasked, *asked, *git.watched, *parts))),
        kept=(*sealed, *of_git),
        repositories=lying,
        notes=(*_held_back(project, tracked, sealed), *_linked((*sealed, *of_git))),
    )


def appeared(project: Path, index: bytes, known: Iterable[Path]) -> tuple[Path, ...]:
    """Of the repositories that lie in the project now, what git obeys of each that is not `known`."""
    named = (project / name / ".git" for name in config.links(index))
    found = dict.fromkeys((project / ".git", *named, *repositories.lying_in(project)))
    fresh = [path for path in found if path not in set(known) and untrusted.exists(path)]
    return tuple(part for path in fresh for part in _telling(path))


def _telling(dot_git: Path) -> list[Path]:
    """What of a new repository is named: of one without configuration and hooks only its HEAD."""
    there = [part for part in repositories.parts(dot_git) if untrusted.exists(part)]
    return there or [dot_git / "HEAD"]


def _repositories(project: Path, git: Git) -> Iterator[Path]:
    if untrusted.exists(project / ".git"):
        yield project / ".git"
    yield from (project / name / ".git" for name in config.links(git.index))
    yield from repositories.lying_in(project)


def _with_targets(paths: Iterable[Path], project: Path) -> list[Path]:
    """The paths, and where a link leads from one within the project: its target is what a tool reads."""
    found: dict[Path, None] = {}
    for path in paths:
        found[path] = None
        target = untrusted.real(path)
        if target is not None and project in target.parents:
            found[target] = None
    return list(found)


def _is_own(path: Path, project: Path, made: frozenset[Path] = frozenset()) -> bool:
    """Whether it is there, or about to be, and no link is on the way: a mount would land elsewhere."""
    there = path in made or untrusted.exists(path)
    return project in path.parents and there and untrusted.is_direct(path)


def _tracked(project: Path, git: Git, paths: Iterable[Path]) -> frozenset[Path]:
    tops = {path.relative_to(project).parts[0] for path in paths if project in path.parents}
    return frozenset(project / name for name in config.tracked(git.index, tops))


def _untracked(path: Path, tracked: frozenset[Path], depth: int = 0) -> Iterator[Path]:
    """What of `path` git does not track: read-only. A mount over a tracked file makes git misbehave."""
    if path in tracked:
        return
    if depth > _DEPTH_MAX or not any(path in each.parents for each in tracked):
        yield path
    elif stat.S_ISDIR(untrusted.mode(path) or 0):
        for child in (path / name for name in untrusted.names(path)):
            if not child.is_symlink():
                yield from _untracked(child, tracked, depth + 1)


def _refuse_many(project: Path, count: int) -> None:
    if count > _MOUNTS_MAX:
        raise JailError(
            f"{project} holds {count} paths to keep read-only and {_MOUNTS_MAX} are the most:"
            " look into .vscode, .idea and .git/worktrees for what nobody needs"
        )


def _held_back(project: Path, tracked: frozenset[Path], sealed: tuple[Path, ...]) -> Iterator[str]:
    kept = set(sealed)
    held = sorted(path for path in tracked if path in kept or not kept.isdisjoint(path.parents))
    if held:
        names = ", ".join(str(path.relative_to(project)) for path in held[:3])
        more = ", …" if len(held) > 3 else ""
        what = "1 tracked file is" if len(held) == 1 else f"{len(held)} tracked files are"
        yield f"{what} read-only in the jail ({names}{more}): git can't change them there"


def _linked(paths: Iterable[Path]) -> Iterator[str]:
    """A second name of a guarded file may be writable, and whoever writes there changes the first."""
    for path in paths:
        try:
            found = path.lstat()
        except OSError:
            continue
        if stat.S_ISREG(found.st_mode) and found.st_nlink > 1:
            yield f"{path} has a second name (a hard link) by which an agent may change it: copy it anew"
