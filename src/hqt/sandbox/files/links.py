"""Where links lead: those in folders that a jail shows are followed on its view, not on the host's."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from hqt.sandbox.files import untrusted
from hqt.sandbox.files.private import Private, is_there, real_path
from hqt.sandbox.policy import Bind
from hqt.values import frozen

_HOPS_MAX = 40  # as the kernel's own limit (path_resolution(7))
_LOOKED_AT_MAX = 2000  # entries: a plugin may hold a whole repository
_FOLLOWED_MAX = 200  # bwrap takes 9000 words
_NAMED_MAX = 3
_PASSED_OVER = frozenset({".git", "node_modules"})  # their links lead from one part of them to another


@frozen
class Followed:
    """`binds`: what links lead to, read-only, where they look for it; `notes`: which lead nowhere."""

    binds: tuple[Bind, ...] = ()
    notes: tuple[str, ...] = ()


def trail(path: Path) -> Iterator[Path]:
    """Every link that is followed on the way from `path` to its end, by the real path of its folder."""
    todo, place, hops = _reversed(path), Path("/"), 0
    while todo and hops <= _HOPS_MAX:
        name = todo.pop()
        if name == "..":
            place = place.parent
            continue
        text = _text(place / name)
        if text is None:
            place /= name
            continue
        yield place / name
        hops += 1
        place = Path("/") if text.is_absolute() else place
        todo += _reversed(text)


def leads_through(path: Path, folder: Path) -> bool:
    """Whether a link in `folder` decides where `path` ends: who writes there could turn it."""
    return any(folder in link.parents for link in trail(path))


def dangling(paths: Iterable[Path]) -> Iterator[str]:
    """A note on each of `paths` that is a link and leads to nothing."""
    for path in paths:
        if _text(path) is not None and not is_there(real_path(path)):
            yield f"{path} is left out of the jail: it is a link to {real_path(path)}, which is missing"


def follow(folders: Iterable[Bind], seen: Iterable[Bind], private: Private) -> Followed:
    """Follow the links in `folders`, which no agent can have put there: they are never writable.

    `seen`: all that the jail shows; where it is writable an agent may turn links, and none is followed.
    """
    shown, found = list(seen), list[Bind]()
    lost: dict[Path, list[str]] = {}
    waiting = list(folders)
    for folder in waiting:
        for link in _links(folder):
            end = _end(link, shown, private) if len(found) < _FOLLOWED_MAX else "one of too many"
            if isinstance(end, Bind):
                shown.append(end)
                found.append(end)
                waiting.append(end)  # it may be a folder of links itself
            elif end is not None:
                lost.setdefault(folder.inside, []).append(f"{link.inside.relative_to(folder.inside)} ({end})")
    return Followed(tuple(found), tuple(_told(folder, links) for folder, links in lost.items()))


def _told(folder: Path, lost: Sequence[str]) -> str:
    more = f" and {len(lost) - _NAMED_MAX} more" if len(lost) > _NAMED_MAX else ""
    return f"links in {folder} lead nowhere in the jail: {', '.join(lost[:_NAMED_MAX])}{more}"


def _links(folder: Bind) -> Iterator[Bind]:
    """The links below a folder that is shown, each as the host and as the jail name it."""
    waiting, looked_at = [folder], 0
    for each in waiting:
        try:
            with os.scandir(each.src) as entries:
                inner = sorted(entries, key=lambda entry: entry.name)
        except OSError:  # a file, or closed to this user
            continue
        for entry in inner:
            looked_at += 1
            if looked_at > _LOOKED_AT_MAX:
                return
            found = Bind(Path(entry.path), dst=each.inside / entry.name)
            if entry.is_symlink():
                yield found
            elif entry.is_dir() and entry.name not in _PASSED_OVER:
                waiting.append(found)


def _end(link: Bind, seen: Sequence[Bind], private: Private) -> Bind | str | None:
    """What must be shown for the link to work; or why it can't; None: it works, or is none of ours."""
    for _ in range(_HOPS_MAX):
        text = _text(link.src)
        assert text is not None  # noqa: S101 - only links come here
        place = Path(os.path.normpath(link.inside.parent / text))
        over = max((each for each in seen if _holds(each, place)), key=_depth, default=None)
        if over is None:
            return _hidden(link.src.parent / text, place, seen, private)
        if over.writable:
            return None
        link = Bind(over.src / place.relative_to(over.inside), dst=place)
        if _text(link.src) is None:
            is_seen = is_there(link.src) or any(place in each.inside.parents for each in seen)
            return None if is_seen else f"{place} is missing"
    return "a loop of links"


def _hidden(target: Path, place: Path, seen: Sequence[Bind], private: Private) -> Bind | str | None:
    """What a link needs that leads where the jail shows nothing."""
    real = real_path(target)
    mode = untrusted.mode(real)
    if mode is None or not is_there(real):
        return f"{place} is missing"
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        return None  # such as /dev/null, of which a jail has its own
    if any(each.writable and _may_be_turned(target, real, each.src) for each in seen):
        return f"{place} leads through what an agent may write"
    is_shown = any(each.src in (real, *real.parents) for each in seen)
    kept = _is_private(real, private) or not (is_shown or private.why_refused(real) is None)
    below = [each.inside.relative_to(place) for each in seen if place in each.inside.parents]
    if below and (kept or not all(is_there(real / each) for each in below)):
        return None  # the jail has a folder there, for what is shown in it
    return f"{place} is kept private" if kept else Bind(real, dst=place)


def _may_be_turned(target: Path, real: Path, writable: Path) -> bool:
    return writable in (real, *real.parents) or leads_through(target, writable)


def _is_private(real: Path, private: Private) -> bool:
    # a file with a dot in the home itself may hold tokens (.netrc, .npmrc, .git-credentials)
    is_dotfile = real.parent in private.homes and real.name.startswith(".") and real.is_file()
    return is_dotfile or private.is_too_wide(real) or private.is_login(real)


def _holds(each: Bind, place: Path) -> bool:
    return place == each.inside or each.inside in place.parents


def _depth(bind: Bind) -> int:
    return len(bind.inside.parts)


def _text(path: Path) -> Path | None:
    try:
        return path.readlink()
    except OSError:
        return None


def _reversed(path: Path) -> list[str]:
    return [part for part in reversed(path.parts) if part != "/"]
