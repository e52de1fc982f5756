"""The facts of this machine that a jail is composed from: what is there to be shown."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from hqt.errors import JailError
from hqt.sandbox.bwrap import Features
from hqt.sandbox.environment import CERTIFICATES
from hqt.sandbox.files.links import dangling, leads_through
from hqt.sandbox.files.private import Private, is_there, real_path
from hqt.sandbox.policy import Bind, SandboxPolicy
from hqt.values import frozen

_LINKED = "bin sbin lib lib64 lib32 libx32".split()  # links into /usr on a merged system, else folders
_SYSTEM = "/opt /nix/store /gnu/store /snap /home/linuxbrew/.linuxbrew".split()
_RUN = "/run/current-system"
_ETC = (
    "alternatives ld.so.cache ld.so.conf ld.so.conf.d nsswitch.conf hosts host.conf gai.conf protocols "
    "services localtime timezone locale.alias locale.conf default/locale ssl ca-certificates "
    "ca-certificates.conf pki crypto-policies passwd group os-release debian_version lsb-release "
    "fedora-release redhat-release arch-release alpine-release fonts mime.types magic terminfo inputrc "
    "bash.bashrc bashrc profile profile.d gitconfig gitattributes python3* perl java-*-openjdk maven "
    "nodejs npmrc X11/rgb.txt static nix claude-code codex kiro"
).split()
_TOOLS = (
    ".nvm .volta .fnm .local/share/fnm .asdf .local/share/mise .pyenv .rbenv .sdkman .bun .deno .npm-global "
    ".rustup .cargo/bin go/bin .local/bin .local/lib .local/share/claude .local/share/uv .local/share/pipx "
    "bin .nix-profile"
).split()
# pnpm breaks when its store is read-only, so what lies beside it is shown one by one
_PNPM, _PNPM_STORE = ".local/share/pnpm", "store"
_DOTFILES = ".gitconfig .config/git .terminfo .inputrc".split()


@frozen
class Shown:
    """A host path seen read-only in the jail."""

    src: Path
    dst: Path


@frozen
class Host:
    """One survey; every path in it existed when it was made."""

    bwrap: Path
    features: Features
    home: Path
    uid: int
    links: tuple[tuple[str, Path], ...]  # (target, link), such as ("usr/bin", /bin)
    system: tuple[Shown, ...]
    run: tuple[Shown, ...]
    resolver: Path | None  # what /etc/resolv.conf really is
    tools: tuple[Shown, ...]  # under HOME, and certificates; parents before children
    terminal: bool  # the command's standard input is one
    notes: tuple[str, ...] = ()  # what was asked for and can't be shown

    @property
    def settings(self) -> tuple[Shown, ...]:
        """The user's own settings of git and the terminal, of what is shown."""
        places = [self.home / name for name in _DOTFILES]
        return tuple(each for each in self.tools if each.dst in places)


def survey(
    bwrap: Path,
    features: Features,
    env: Mapping[str, str],
    uid: int,
    policy: SandboxPolicy,
    private: Private,
    project: Path,
    programs: Iterable[Path] = (),
    *,
    terminal: bool,
) -> Host:
    """What this machine has to show; `programs`: paths a harness needs beside the usual places.

    `terminal`: whether the command's standard input will be one.

    Raises JailError where bwrap itself lies in the project: an agent could have put it there.
    """
    home = private.homes[0]
    if home == Path("/"):
        raise JailError("HOME is /: a jail would hide the whole system: set HOME to your own folder")
    named = (bwrap, real_path(bwrap.parent) / bwrap.name, real_path(bwrap))
    if any(project in path.parents for path in named):
        raise JailError(f"bubblewrap was found inside the project, at {bwrap}: take that folder off PATH")
    links, system = _system()
    tools = _visible(_wanted(home, env, policy, private, programs), private, project, system)
    return Host(
        bwrap=bwrap,
        features=features,
        home=home,
        uid=uid,
        links=links,
        system=system,
        run=tuple(_present([Path(_RUN)])),
        resolver=_resolver() if policy.net else None,
        tools=tools,
        terminal=terminal,
        notes=(
            *dangling(home / name for name in _DOTFILES),
            *(_certificate_notes(env, project, (*system, *tools)) if policy.net else ()),
        ),
    )


def resolve(binds: Iterable[Bind], private: Private, project: Path) -> tuple[Bind, ...]:
    """The binds as they are now: sources by their real paths, missing optional ones left out.

    Raises JailError for one that is empty, relative, missing, too wide, or in the project, where the
    agent could rewrite what is to be read-only.
    """
    return tuple(found for bind in binds if (found := _resolved(bind, private, project)) is not None)


def _resolved(bind: Bind, private: Private, project: Path) -> Bind | None:
    for path in (bind.src, bind.inside):
        if not path.is_absolute():
            raise JailError(
                f"the bind {str(path)!r} is not an absolute path: correct the harness's configuration"
            )
    real = real_path(bind.src)
    if not is_there(real) and bind.create is None:
        if bind.optional:
            return None
        raise JailError(
            f"{bind.src} is to be shown in the jail and is missing: make it or correct the configuration"
        )
    if private.is_too_wide(real) and not _is_lent(real, private):
        raise JailError(f"{bind.src} (in truth {real}) would show too much in the jail: point it elsewhere")
    if real == project or project in real.parents or leads_through(bind.src, project):
        raise JailError(
            f"{bind.src} lies in the project, where the agent could rewrite it: move it out of {project}"
        )
    return Bind(src=real, dst=bind.inside, writable=bind.writable, optional=bind.optional, create=bind.create)


def _is_lent(path: Path, private: Private) -> bool:
    """Whether it is a part of hqt's own that a jail gets: of one session's folder or one project's cache."""
    below = (path.relative_to(own).parts for own in private.own if own in path.parents)
    return any(
        (len(parts) == 3 and parts[0] == "sessions")
        or (len(parts) == 4 and parts[::2] == ("projects", "cache"))
        for parts in below
    )


def _system() -> tuple[tuple[tuple[str, Path], ...], tuple[Shown, ...]]:
    tops = [Path("/") / name for name in _LINKED]
    links = tuple((str(top.readlink()), top) for top in tops if top.is_symlink())
    folders = [Path("/usr"), *(top for top in tops if not top.is_symlink()), *map(Path, _SYSTEM)]
    return links, (*_present(folders), *_present(_etc()))


def _etc() -> Iterator[Path]:
    etc = Path("/etc")
    for name in _ETC:
        yield from sorted(etc.glob(name)) if "*" in name else (etc / name,)


def _present(paths: Iterable[Path]) -> Iterator[Shown]:
    return (Shown(path, path) for path in paths if is_there(path))


def _resolver() -> Path | None:
    # often a link into /run, which stays hidden: its real file is shown under the usual name
    path = real_path(Path("/etc/resolv.conf"))
    return path if is_there(path) else None


def _wanted(
    home: Path, env: Mapping[str, str], policy: SandboxPolicy, private: Private, programs: Iterable[Path]
) -> Iterator[Path]:
    yield from (home / name for name in (*_TOOLS, *_DOTFILES))
    yield from _pnpm(home)
    yield from (entry for entry in _path_folders(env) if any(each in entry.parents for each in private.homes))
    yield from programs
    if policy.net:
        yield from _certificates(env)


def _visible(
    wanted: Iterable[Path], private: Private, project: Path, system: tuple[Shown, ...]
) -> tuple[Shown, ...]:
    """Those of `wanted` that exist and may be seen, parents first, none that another already shows."""
    seen: list[Shown] = []
    for path in sorted(set(wanted), key=lambda path: path.parts):
        real = real_path(path)
        if not is_there(real) or private.is_too_wide(real) or private.is_login(real):
            continue
        if real == project or project in real.parents or project in path.parents:
            continue  # the project shows it, on the project's terms
        if leads_through(path, project):
            continue  # the agent could have turned the link
        if not _is_covered(path, (*system, *seen)):
            seen.append(Shown(real, path))
    return tuple(seen)


def _pnpm(home: Path) -> Iterator[Path]:
    root = home / _PNPM
    if is_there(root):
        yield from (child for child in sorted(root.iterdir()) if child.name != _PNPM_STORE)


def _path_folders(env: Mapping[str, str]) -> Iterator[Path]:
    for entry in env.get("PATH", "").split(":"):
        if entry.startswith("/"):
            yield Path(os.path.normpath(entry))


def _certificates(env: Mapping[str, str]) -> Iterator[Path]:
    return (path for _, path in _certificate_paths(env) if path.is_absolute())


def _certificate_paths(env: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    """The variables that name certificates, and each path in them; only the one for folders holds many."""
    for name in CERTIFICATES:
        value = env.get(name, "")
        yield from ((name, Path(each)) for each in (value.split(":") if "DIR" in name else [value]) if each)


def _certificate_notes(env: Mapping[str, str], project: Path, shown: tuple[Shown, ...]) -> Iterator[str]:
    """Connections fail inside, or trust too little, where the jail has no such file."""
    for name, path in _certificate_paths(env):
        place = Path(os.path.normpath(project / path))
        real = real_path(place)
        if not is_there(real):
            yield f"{name} names {path}, which is missing: correct or unset it"
        elif not (_is_covered(place, shown) or _is_covered(real, (*shown, Shown(project, project)))):
            yield f"{name} names {path}, which the jail does not show: put the certificates elsewhere"


def _is_covered(path: Path, shown: Iterable[Shown]) -> bool:
    around = {path, *path.parents}  # once: comparing paths is a fifth of a start
    return any(each.dst in around for each in shown)
