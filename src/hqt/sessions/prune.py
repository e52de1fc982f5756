"""What hqt still keeps and nobody needs any more: found, measured, removed; never of what lives."""

import os
import re
import stat
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from hqt.backends.base import Backend, Panes
from hqt.conversations.orphans import orphans
from hqt.db import reader
from hqt.errors import ServiceError
from hqt.integrity import placeholders, tripwire
from hqt.integrity.placeholders import sweep_placeholders
from hqt.observe.elsewhere import server_elsewhere
from hqt.observe.look import jailed_projects
from hqt.paths import Places, project_key
from hqt.sandbox.files import untrusted
from hqt.sessions import locks
from hqt.values import frozen

Kind = Literal["session", "cache", "notice", "hold", "spec", "transcript"]

_FRESH_S = 60  # what is younger may belong to a start that is under way
_KEY = re.compile(r"[0-9a-f]{8}")
_PROJECT = re.compile(r"[0-9a-f]{16}")
_SPEC = re.compile(r"spec-([0-9a-f]{8})-[0-9a-f]+\.json")


@frozen
class Leftover:
    """One path that can go, and why nobody needs it."""

    kind: Kind
    path: Path
    size: int  # bytes on disk
    why: str


@frozen
class Pruner:
    """One look at what there is; `panes`: what lived when it was made."""

    places: Places
    backend: Backend
    panes: Panes
    env: Mapping[str, str]

    @classmethod
    def of(cls, places: Places, backend: Backend, env: Mapping[str, str]) -> "Pruner":
        return cls(places, backend, backend.panes(), env)

    def find(self) -> tuple[Leftover, ...]:
        """All that can go, largest first; nothing is changed."""
        found = [*self._sessions(), *self._projects(), *self._holds(), *self._specs(), *self._transcripts()]
        return tuple(sorted(found, key=lambda each: (-each.size, each.path)))

    def free(self, leftover: Leftover) -> bool:
        """Remove it, unless somebody has come to need it meanwhile; whether it is gone.

        Raises ServiceError where it can't be removed.
        """
        if leftover.kind == "session":
            return self._free_session(leftover)
        if leftover.kind == "hold":
            sweep_placeholders(self.places, self.is_live)
            return True
        if leftover.kind == "transcript":
            self._remove(leftover.path)
            return True
        with placeholders.locked(self.places):
            if leftover.path not in {each.path for each in (*self._projects(), *self._specs())}:
                return False
            # a jail that starts from here on makes its own anew
            gone = leftover.path.with_name(f"{leftover.path.name}.gone-{os.getpid()}")
            leftover.path.rename(gone)
        self._remove(gone)
        if leftover.kind != "spec":
            _remove_empty(leftover.path.parent)
        return True

    def is_live(self, holder: str) -> bool:
        """Whether that session or command runs, or may: a server that can't be reached has live ones."""
        if placeholders.is_command(holder):
            return placeholders.is_live_command(holder)
        pane = self.panes.of(holder)
        runs = self.panes.reach == "unreachable" or (pane is not None and not pane.dead)
        return runs or locks.is_held(self.places.session(holder)) or self._is_elsewhere(holder)

    def _is_elsewhere(self, key: str) -> bool:
        """Whether it lives in the tmux of another runtime folder, jailed or not."""
        status = self.places.session(key) / "status"
        return any(server_elsewhere(key, status, jailed=jailed) for jailed in (True, False))

    def _sessions(self) -> Iterator[Leftover]:
        """Folders without a row; of ended sessions what their jails could write. Last screens stay."""
        rows = {row.key for row in reader.rows(self.places)}
        root = self.places.data / "sessions"
        for key in filter(_KEY.fullmatch, untrusted.names(root)):
            folder = root / key
            if self.is_live(key) or _is_fresh(folder):
                continue
            if key not in rows:
                yield Leftover("session", folder, size(folder), "no session has it")
                continue
            for inner in (folder / name for name in untrusted.names(folder)):
                if stat.S_ISDIR(untrusted.mode(inner) or 0):
                    yield Leftover("session", inner, size(inner), "its session has ended")

    def _free_session(self, leftover: Leftover) -> bool:
        folder = self.places.session(leftover.path.relative_to(self.places.data / "sessions").parts[0])
        with locks.hold(folder, limit_s=1):
            panes = self.backend.panes()
            pane = panes.of(folder.name)
            row = reader.by_key(self.places, folder.name)
            lives = panes.reach == "unreachable" or (pane is not None and not pane.dead)
            if lives or self._is_elsewhere(folder.name) or (row is not None and leftover.path == folder):
                return False
            self._remove(leftover.path)
        return True

    def _projects(self) -> Iterator[Leftover]:
        root = self.places.data / "projects"
        needed = self._needed()
        for key in filter(_PROJECT.fullmatch, untrusted.names(root)):
            why = None if needed is None else needed.get(key, "no session works in its project")
            for name in untrusted.names(root / key):
                path = root / key / name
                if name == "cache" and why is not None:
                    yield Leftover("cache", path, size(path), why)
                elif name.startswith("cache.gone-"):
                    yield Leftover("cache", path, size(path), "a prune was cut short")
                elif name == "noticed.json" and not tripwire.traces_still_there(path):
                    yield Leftover("notice", path, size(path), "nothing of it is as it was found")

    def _needed(self) -> dict[str, str | None] | None:
        """By project, why its cache can go or that it can't (None); None as a whole: who knows."""
        found: dict[str, str | None] = {}
        for row in reader.rows(self.places):
            gone = not Path(row.project).is_dir() and not self.is_live(row.key)
            key = project_key(Path(row.project))
            found[key] = (
                f"its project {row.project} is gone" if gone and found.get(key, "") is not None else None
            )
        for holder in placeholders.holders(self.places):
            if self.is_live(holder):
                project = placeholders.held(self.places, holder).project
                if project is None:
                    return None
                found[project_key(project)] = None
        return found

    def _holds(self) -> Iterator[Leftover]:
        for holder in placeholders.holders(self.places):
            if not self.is_live(holder):
                path = placeholders.file(self.places, holder)
                yield Leftover("hold", path, size(path), "what took it has ended")

    def _specs(self) -> Iterator[Leftover]:
        for name in untrusted.names(self.places.runtime):
            found, path = _SPEC.fullmatch(name), self.places.runtime / name
            if found and not _is_fresh(path) and not locks.is_held(self.places.session(found[1])):
                yield Leftover("spec", path, size(path), "no launcher took it")

    def _transcripts(self) -> Iterator[Leftover]:
        for path in orphans(self.places.home, self.env):
            yield Leftover("transcript", path, size(path), "the session that alone could read it was removed")

    def _remove(self, path: Path) -> None:
        # an agent may have made it deeper than a path is long and closed its folders; rm(1) copes with both
        for words in (("rm", "-rf"), ("chmod", "-R", "u+rwX"), ("rm", "-rf")):
            if untrusted.exists(path):
                program = untrusted.program(words[0], self.env, *jailed_projects(self.places))
                if program is None:
                    raise ServiceError(f"{words[0]} is not on PATH: install coreutils")
                subprocess.run([program, *words[1:], "--", path], stderr=subprocess.DEVNULL, check=False)
        if untrusted.exists(path):
            raise ServiceError(f"{path} can't be removed: look at whose it is and remove it by hand")


def size(path: Path) -> int:
    """The bytes on disk of all below `path`; no link is followed, a file with two names counts once."""
    total, seen, waiting = 0, set(), [os.fspath(path)]
    while waiting:
        each = waiting.pop()
        try:
            found = os.lstat(each)
            if stat.S_ISDIR(found.st_mode):
                waiting += [f"{each}/{name}" for name in os.listdir(each)]  # noqa: PTH208
        except OSError:  # closed, gone, or too deep for a path
            continue
        if (found.st_dev, found.st_ino) not in seen:
            total += found.st_blocks * 512
            if found.st_nlink > 1:
                seen.add((found.st_dev, found.st_ino))
    return total


def _is_fresh(path: Path) -> bool:
    try:
        return time.time() - path.lstat().st_mtime < _FRESH_S
    except OSError:
        return True


def _remove_empty(folder: Path) -> None:
    lock = folder / "noticed.lock"
    if untrusted.names(folder) == [lock.name]:
        lock.unlink(missing_ok=True)
    try:
        folder.rmdir()
    except OSError:  # it holds what is still needed
        return
