"""The git of a project, surveyed: what a jail shows, what of it stays as it is, and what is made first."""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from hqt.errors import JailError
from hqt.sandbox.files import untrusted
from hqt.sandbox.files.private import Private
from hqt.sandbox.git import repositories
from hqt.sandbox.git.config import Asker, Named, Setting, is_true, last, named_files
from hqt.sandbox.git.repositories import Found
from hqt.sandbox.policy import Bind, SandboxPolicy
from hqt.sandbox.read_only import read_only_binds
from hqt.values import frozen

# what redirects git or is run by it; a worktree's own part has the second kind
_SEALED = "hooks config config.worktree commondir info/attributes modules".split()
_SEALED_OWN = "commondir gitdir config.worktree".split()
# git opens these by itself, and would wait for ever where a pipe lies
_READ = "HEAD config config.worktree commondir index packed-refs gitdir".split()

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
_IDENTITY = (
    "user.name user.email author.name author.email committer.name committer.email user.useConfigOnly"
).split()


@frozen
class Made:
    """What must lie there before a jail may write beside it; where it was missing it goes after the last."""

    path: Path
    content: bytes | None  # None: a folder


@frozen
class Git:
    kind: Literal["none", "main", "worktree", "submodule"] = "none"
    folder: Path | None = None  # where hooks and configuration lie
    mounts: tuple[Bind, ...] = ()  # in order, after the project's own
    makes: tuple[Made, ...] = ()  # parents first
    sealed: tuple[Path, ...] = ()  # what of the project, beside the folder, leads git or is run by it
    watched: tuple[Path, ...] = ()  # what else is compared at the end
    index: bytes = b""  # as gitconfig.Asker.index gives it; empty where the project is read-only
    config: tuple[tuple[str, str], ...] = ()  # settings passed in by the environment
    notes: tuple[str, ...] = ()


def survey(project: Path, policy: SandboxPolicy, private: Private, env: Mapping[str, str]) -> Git:
    """The git of the real path `project`; what can't be trusted exposes nothing and says so.

    Raises JailError where git itself would block there, or can't tell what it would run.
    """
    asker = Asker.of(env, project)
    found = repositories.find(project, private, asker)
    if found is None:
        settings = asker.settings(None)
        return Git(
            watched=_planted(project),
            config=_passed(settings, env),
            notes=(*repositories.why_none(project), *_signing(settings)),
        )
    _refuse_special(found)
    settings = asker.settings(project)
    if policy.fs == "ro":
        return _read_only(found, settings, project, private, env)
    return _Writable(project, found, settings, private, asker).survey(env)


def environment(git: Git) -> dict[str, str]:
    """The variables that hand git its settings (git-config(1), GIT_CONFIG_COUNT)."""
    found = {"GIT_CONFIG_COUNT": str(len(git.config))}
    for number, (key, value) in enumerate(git.config):
        found |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return found


def _read_only(
    found: Found,
    settings: tuple[Setting, ...],
    project: Path,
    private: Private,
    env: Mapping[str, str],
    notes: Iterable[str] = (),
) -> Git:
    return Git(
        kind=found.kind,
        folder=found.folder,
        mounts=(*_ignored(settings, found, project, private), Bind(found.folder, dst=found.folder)),
        config=_passed(settings, env),
        notes=(*notes, *_signing(settings)),
    )


@frozen
class _Writable:
    """The survey of a repository that an agent may write."""

    project: Path
    found: Found
    settings: tuple[Setting, ...]
    private: Private
    asker: Asker

    def survey(self, env: Mapping[str, str]) -> Git:
        found, settings = self.found, self.settings
        every = (*settings, *self.asker.dormant(settings, self.project, self.private.homes[0]))
        named = list(named_files(every, self.project, self.private.homes[0]))
        sealed, makes = [*self._parts()], [*self._makes(named)]
        link = self._link(sealed, named)
        index = self._index()
        if link is not None:
            # a link in the git folder can be replaced, whatever is mounted on what it names
            note = f"git is read-only in the jail: {link} is a link: make it a folder or file of its own"
            whole = _read_only(found, settings, self.project, self.private, env, [note])
            mounts, makes, notes = whole.mounts, [], whole.notes
        else:
            mounts = (
                *_ignored(settings, found, self.project, self.private),
                *self._mounts(sealed, named, makes),
            )
            notes = tuple(_signing(settings))
        return Git(
            kind=found.kind,
            folder=found.folder,
            mounts=mounts,
            makes=tuple(makes),
            sealed=tuple(dict.fromkeys(self._sealed(named, index))),
            watched=tuple(path for path in sealed if path.name != "modules"),
            index=index,
            config=_passed(settings, env),
            notes=notes,
        )

    def _parts(self) -> Iterator[Path]:
        yield from (self.found.folder / name for name in _SEALED)
        if self.found.own is not None:
            yield from (self.found.own / name for name in _SEALED_OWN)

    def _inside(self, path: Path) -> bool:
        """Whether an agent that may write project and git folder could write `path`."""
        return self.project in path.parents or self.found.folder in path.parents

    def _link(self, sealed: list[Path], named: list[Named]) -> Path | None:
        """A link among what is to be sealed in the git folder, or on the way to it."""
        folder, own = self.found.folder, self.found.own
        paths = [*sealed, folder / "info", folder / "worktrees", *([own] if own else [])]
        paths += [each.path for each in named if folder in each.path.parents and untrusted.exists(each.path)]
        return next((path for path in paths if not untrusted.is_direct(path)), None)

    def _makes(self, named: list[Named]) -> Iterator[Made]:
        """What would be read or run as soon as an agent made it. Some may be there, and another jail's."""
        folder, own = self.found.folder, self.found.own
        yield Made(folder / "hooks", None)
        # planted, it would lead git to another configuration; holding "." it changes nothing (git 2.39)
        if untrusted.read(folder / "commondir", 3) in (None, b".\n"):
            yield Made(folder / "commondir", b".\n")
        if is_true(last(self.settings, "extensions.worktreeconfig")):
            for part in (folder, own):
                if part is not None:
                    yield Made(part / "config.worktree", b"")
        for each in {each.path: each for each in named if each.what != "word"}.values():
            if self._inside(each.path):
                above = [path for path in each.path.parents if self._inside(path)]
                yield from (Made(path, None) for path in reversed(above))
                yield Made(each.path, None if each.what == "folder" else b"")

    def _mounts(self, sealed: list[Path], named: list[Named], makes: list[Made]) -> Iterator[Bind]:
        folder, own = self.found.folder, self.found.own
        yield Bind(folder, writable=True, dst=folder)
        made = {each.path for each in makes}
        paths = [*sealed, *(each.path for each in named if folder in each.path.parents)]
        # what is missing of these and not made first is harmless: git runs or reads none of it by itself
        there = [path for path in paths if path in made or untrusted.exists(path)]
        others = [each for each in repositories.worktrees(folder) if each != own]
        yield from read_only_binds(folder, [*there, *others], [folder / "worktrees"] if others or own else [])

    def _sealed(self, named: list[Named], index: bytes) -> Iterator[Path]:
        """Pointers to git folders, repositories that git status looks into, what configuration names."""
        folder, project = self.found.folder, self.project
        if folder != project / ".git":
            yield project / ".git"
        for each in named:
            inside = project in each.path.parents and folder not in (each.path, *each.path.parents)
            # any word of a command may be a file of the project; what is none is not guarded
            if inside and (each.what != "word" or untrusted.exists(each.path)):
                yield each.path
        yield from repositories.pointers_of_worktrees(folder, project)
        yield from repositories.below(project, index, self.asker)

    def _index(self) -> bytes:
        """The index; JailError where there is one that git can't read: what it names stays unknown."""
        place = (self.found.own or self.found.folder) / "index"
        if self.asker.program is None or not untrusted.exists(place):
            return b""
        listed = self.asker.index(self.project)
        if listed is None:
            raise JailError(f"git can't read its index {place}: `git -C {self.project} status` says why")
        return listed


def _refuse_special(found: Found) -> None:
    parts = [found.folder, *([found.own] if found.own else [])]
    for path in (part / name for part in parts for name in _READ):
        mode = untrusted.mode(path)
        if mode is not None and not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
            raise JailError(f"{path} is no file, git would hang or fail on it: look at it, then remove it")


def _planted(project: Path) -> tuple[Path, ...]:
    """Where a repository would begin that an agent makes: git of the host obeys it at once."""
    return (*repositories.parts(project / ".git"), project / "HEAD")


def _ignored(settings: tuple[Setting, ...], found: Found, project: Path, private: Private) -> Iterator[Bind]:
    """The user's own list of ignored files and of attributes, which lie in the hidden home."""
    own = [each for each in settings if each.origin is not None and not _is_projects(each, found, project)]
    home = private.homes[0]
    for key in ("core.excludesfile", "core.attributesfile"):
        value = last(tuple(own), key)
        path = Path(os.path.normpath(home / value[2:] if value and value.startswith("~/") else value or "."))
        if not path.is_absolute() or home not in path.parents or home / ".config/git" in path.parents:
            continue
        real = untrusted.real(path)
        if real is None or private.is_too_wide(real) or private.is_login(real) or project in real.parents:
            continue
        if untrusted.read(real, 0) is not None:
            yield Bind(real, dst=path)


def _is_projects(setting: Setting, found: Found, project: Path) -> bool:
    assert setting.origin is not None  # noqa: S101 - asked before
    return any(place in setting.origin.parents for place in (project, found.folder))


def _passed(settings: tuple[Setting, ...], env: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The user's identity as it holds in this folder: conditional includes are hidden inside."""
    identity = {key: last(settings, key.lower()) for key in _IDENTITY}
    for who in ("author", "committer"):
        for what in ("name", "email"):
            identity[f"{who}.{what}"] = env.get(f"GIT_{who}_{what}".upper()) or identity[f"{who}.{what}"]
    return (*((key, value) for key, value in identity.items() if value), *_ALWAYS.items())


def _signing(settings: tuple[Setting, ...]) -> Iterator[str]:
    if is_true(last(settings, "commit.gpgsign")):
        yield "commits made in the jail are unsigned: its keys are not there"
