"""What changed of the files that tools outside of a jail act on, while a jail could write beside them."""

import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from hqt.paths import Places, make_private
from hqt.sandbox import guards
from hqt.sandbox.files import untrusted
from hqt.sandbox.files.fingerprint import fingerprint, identity
from hqt.sandbox.git.config import Asker
from hqt.sandbox.guards import Guards
from hqt.values import frozen

_FILE_MAX = 64 << 20
_NAMED_MAX = 8


@frozen
class Trace:
    """One path that is not as it was: appeared, changed or gone."""

    path: Path
    what: str
    fingerprint: str | None  # as it was found

    def __str__(self) -> str:
        # a name that is no UTF-8 could be neither stored nor printed
        return f"{os.fsencode(self.path).decode(errors='backslashreplace')} {self.what}"


def describe(traces: Iterable[Trace]) -> str:
    """Traces as a part of a sentence; of many the first few."""
    named = list(map(str, traces))
    more = f" and {len(named) - _NAMED_MAX} more" if len(named) > _NAMED_MAX else ""
    return ", ".join(named[:_NAMED_MAX]) + more


def arm(places: Places, key: str, project: Path, found: Guards) -> None:
    """Remember how the guarded paths are now, before the jail of session `key` starts in `project`."""
    if not found.watched:
        disarm(places, key)
        return
    _write(
        _armed(places, key),
        {
            "project": str(project),
            "kept": {str(path): identity(path) for path in found.kept},
            "watched": {str(path): fingerprint(path) for path in found.watched},
            "repositories": list(map(str, found.repositories)),
        },
    )


def is_armed(places: Places, key: str) -> bool:
    return untrusted.exists(_armed(places, key))


def disarm(places: Places, key: str) -> None:
    """Forget it: the jail has ended, or never began."""
    _armed(places, key).unlink(missing_ok=True)


def replaced(places: Places, key: str) -> list[Path]:
    """Guarded paths that were given another file on the host: the mount went with the one before."""
    kept = _entries(_read(_armed(places, key)), "kept")
    return [path for path, known in kept if identity(path) != _pair(known)]


def compare(places: Places, key: str, env: Mapping[str, str]) -> list[Trace]:
    """What is not as it was when the jail started; nothing where none is armed."""
    found = _read(_armed(places, key))
    before = dict(_entries(found, "watched"))
    project = found.get("project")
    if isinstance(project, str):
        known = found.get("repositories")
        before |= dict.fromkeys(_fresh(Path(project), known if isinstance(known, list) else [], env))
    return list(_traces(before.items()))


def keep_traces(places: Places, project: Path, traces: Iterable[Trace]) -> None:
    """Keep traces for whoever starts an open session in that project."""
    found = {str(trace.path): [trace.what, trace.fingerprint] for trace in traces}
    if found:
        file = _noticed(places, project)
        make_private(file.parent.parent)
        with _locked(make_private(file.parent)):
            still = {str(each.path): [each.what, each.fingerprint] for each in kept_traces(places, project)}
            _write(file, {"traces": still | found})


def kept_traces(places: Places, project: Path) -> list[Trace]:
    """Traces of jails in that project which are still as they were found."""
    return traces_still_there(_noticed(places, project))


def traces_still_there(file: Path) -> list[Trace]:
    """The traces that `file` keeps and that are still as they were found."""
    kept = []
    for path, value in _entries(_read(file), "traces"):
        if isinstance(value, list) and len(value) == 2 and fingerprint(path) == value[1]:
            kept.append(Trace(path, str(value[0]), value[1]))
    return kept


def _fresh(project: Path, known: Iterable[object], env: Mapping[str, str]) -> tuple[Path, ...]:
    """What git obeys of repositories that were made in the project meanwhile."""
    has_git = untrusted.exists(project / ".git")
    # the index may be anything by now; one that git can't read hides nothing from this user's git either
    index = Asker.of(env, project).index_if_any(project) if has_git else b""
    return guards.appeared(project, index, [Path(each) for each in known if isinstance(each, str)])


def _traces(watched: Iterable[tuple[Path, object]]) -> Iterable[Trace]:
    for path, before in watched:
        now = fingerprint(path)
        if now != before:
            what = "appeared" if before is None else "is gone" if now is None else "changed"
            yield Trace(path, what, now)


def _armed(places: Places, key: str) -> Path:
    return places.session(key) / "guards.json"


def _noticed(places: Places, project: Path) -> Path:
    return places.project(project) / "noticed.json"


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    descriptor = os.open(folder / "noticed.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _write(file: Path, found: Mapping[str, object]) -> None:
    draft = file.with_suffix(".draft")
    draft.write_text(json.dumps(found), encoding="ascii")
    draft.chmod(0o600)
    draft.replace(file)


def _read(file: Path) -> dict[str, object]:
    try:
        found = json.loads((untrusted.read(file, _FILE_MAX) or b"").decode())
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _entries(found: Mapping[str, object], part: str) -> list[tuple[Path, object]]:
    entries = found.get(part)
    return [(Path(path), value) for path, value in entries.items()] if isinstance(entries, dict) else []


def _pair(value: object) -> tuple[int, int] | None:
    return (value[0], value[1]) if isinstance(value, list) and len(value) == 2 else None
