"""Where a path leads inside a jail: its links followed on the jail's mounts, not on the host's."""

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from hqt.sandbox.mounts import Mount, seen
from hqt.sandbox.project import permits
from hqt.values import frozen

_HOPS_MAX = 40  # as the kernel's own limit (path_resolution(7))
_OWN_PROCESSES = ("1", "2")  # bwrap's reaper and the agent


@frozen
class Reached:
    """The end of a path inside."""

    place: Path  # without links, as far as there is anything
    mount: Mount | None  # that it lies on; None: links lead in a circle
    source: Path | None  # the host's path that is seen there, or would be if it existed
    exists: bool
    writable: bool  # where nothing exists: could be made
    barred: Path | None = None  # the folder on the way that can't be entered


@frozen
class _Step:
    mount: Mount
    source: Path | None
    mode: int | None  # None: nothing is there
    target: Path | None = None  # of a link


@frozen
class Inside:
    """A jail's view of paths; the host's files are only looked at."""

    mounts: Sequence[Mount]

    def reach(self, path: Path) -> Reached:
        """Follow `path`, which is absolute, to its end; what bars the way or is missing ends it."""
        place, todo, hops = Path("/"), _reversed(path), 0
        while todo:
            name = todo.pop()
            if name == "..":
                place = place.parent
                continue
            step = self._look(place / name)
            if step.target is not None:
                hops += 1
                if hops > _HOPS_MAX:
                    return Reached(place / name, None, None, exists=False, writable=False)
                place = Path("/") if step.target.is_absolute() else place
                todo += _reversed(step.target)
                continue
            place /= name
            rest = Path(os.path.normpath(place.joinpath(*reversed(todo))))
            if step.mode is None or (todo and not stat.S_ISDIR(step.mode)):
                return self._missing(rest)
            if todo and not self._permits(step, os.X_OK):
                return Reached(rest, step.mount, None, exists=False, writable=False, barred=place)
        step = self._look(place)
        return Reached(place, step.mount, step.source, exists=True, writable=self._is_writable(step))

    def _missing(self, place: Path) -> Reached:
        step, above = self._look(place), place.parent
        while (mode := self._look(above).mode) is None:
            above = above.parent
        makeable = stat.S_ISDIR(mode) and self._is_writable(self._look(above))
        return Reached(place, step.mount, step.source, exists=False, writable=makeable)

    def _look(self, place: Path) -> _Step:
        mount = seen(self.mounts, place)
        assert mount is not None  # noqa: S101 - the root covers everything
        at_it = place == mount.dst
        if mount.kind == "link":
            return _Step(mount, None, stat.S_IFLNK if at_it else None, mount.src if at_it else None)
        if mount.src is None:
            is_folder = mount.kind != "file" and (at_it or self._leads_to_a_mount(place))
            mode = stat.S_IFDIR if is_folder else stat.S_IFREG if at_it else None
            return _Step(mount, None, mode)
        source = mount.src / place.relative_to(mount.dst)
        if mount.kind == "proc" and not at_it:
            return _Step(mount, source, _proc_mode(source))
        mode = _mode(source, follow=at_it)
        if mode is None and at_it:
            return _Step(mount, source, stat.S_IFDIR)  # the start makes it
        is_link = mode is not None and stat.S_ISLNK(mode)
        return _Step(mount, source, mode, source.readlink() if is_link else None)

    def _leads_to_a_mount(self, place: Path) -> bool:
        return any(place in each.dst.parents and seen(self.mounts, each.dst) is each for each in self.mounts)

    def _is_writable(self, step: _Step) -> bool:
        return step.mount.writable and self._permits(step, os.W_OK)

    def _permits(self, step: _Step, wanted: int) -> bool:
        if step.source is None or not os.path.lexists(step.source):
            return True  # the jail's own, made by this user
        # of a read-only file system only the first tells, of root without capabilities only the second
        return os.access(step.source, wanted) and permits(step.source, wanted)


def _reversed(path: Path) -> list[str]:
    return [part for part in reversed(path.parts) if part != "/"]


def _mode(source: Path, *, follow: bool) -> int | None:
    try:
        return source.stat().st_mode if follow else source.lstat().st_mode
    except OSError:
        return None


def _proc_mode(source: Path) -> int | None:
    """What the jail's own /proc holds: the kernel's files are the same, processes are not."""
    name = source.parts[2]
    if name.isdecimal() and name not in _OWN_PROCESSES:
        return None
    return _mode(source, follow=True)
