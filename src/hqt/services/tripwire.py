"""What changed of the files that tools outside of a jail act on, while a jail could write beside them."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hqt.paths import Places, make_private
from hqt.sandbox import guards
from hqt.sandbox.guards import Guards


@dataclass(frozen=True, slots=True)
class Trace:
    """One path that is not as it was: appeared, changed or gone."""

    path: Path
    what: str
    fingerprint: str | None  # as it was found

    def __str__(self) -> str:
        return f"{self.path} {self.what}"


def arm(places: Places, key: str, found: Guards) -> None:
    """Remember how the guarded paths are now, before the jail of session `key` starts."""
    file = _armed(places, key)
    kept = {str(path): guards.identity(path) for path in found.read_only}
    watched = {str(path): guards.fingerprint(path) for path in found.watched}
    file.write_text(json.dumps({"kept": kept, "watched": watched}), encoding="utf-8")


def disarm(places: Places, key: str) -> None:
    """Forget it: the jail has ended, or never began."""
    _armed(places, key).unlink(missing_ok=True)


def lost(places: Places, key: str) -> list[Path]:
    """Guarded paths that were given another file on the host: the mount went with the one before."""
    return [
        path for path, known in _read(_armed(places, key), "kept") if guards.identity(path) != _pair(known)
    ]


def compare(places: Places, key: str) -> list[Trace]:
    """What is not as it was when the jail started; nothing where none is armed."""
    return list(_traces(_read(_armed(places, key), "watched")))


def notice(places: Places, project: Path, traces: Iterable[Trace]) -> None:
    """Keep traces for whoever starts an open session in that project."""
    found = {str(trace.path): [trace.what, trace.fingerprint] for trace in traces}
    if found:
        file = _noticed(places, project)
        make_private(file.parent.parent)
        make_private(file.parent)
        known = {str(path): value for path, value in _read(file, "traces")}
        file.write_text(json.dumps({"traces": known | found}), encoding="utf-8")


def noticed(places: Places, project: Path) -> list[Trace]:
    """Traces of jails in that project which are still as they were found."""
    kept = []
    for path, value in _read(_noticed(places, project), "traces"):
        if isinstance(value, list) and len(value) == 2 and guards.fingerprint(path) == value[1]:
            kept.append(Trace(path, str(value[0]), value[1]))
    return kept


def _traces(watched: Iterable[tuple[Path, object]]) -> Iterable[Trace]:
    for path, before in watched:
        now = guards.fingerprint(path)
        if now != before:
            what = "appeared" if before is None else "is gone" if now is None else "changed"
            yield Trace(path, what, now)


def _armed(places: Places, key: str) -> Path:
    return places.session(key) / "guards.json"


def _noticed(places: Places, project: Path) -> Path:
    return places.project(project) / "noticed.json"


def _read(file: Path, part: str) -> list[tuple[Path, object]]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    entries = found.get(part) if isinstance(found, dict) else None
    return [(Path(path), value) for path, value in entries.items()] if isinstance(entries, dict) else []


def _pair(value: object) -> tuple[int, int] | None:
    return (value[0], value[1]) if isinstance(value, list) and len(value) == 2 else None
