"""A cache for each project, shared by its jailed sessions and never by the host."""

from collections.abc import Iterable
from pathlib import Path

from hqt.paths import Places
from hqt.sandbox import Bind

# leaves only: a folder that gets mounts of its own must be empty at each start, or what was planted in
# it, such as a link, would meet the next mount
_LEAVES = {
    "cache": ".cache",
    "npm": ".npm",
    "cargo": ".cargo/registry",
    "go": "go/pkg",
    "pnpm": ".local/share/pnpm/store",
    "maven": ".m2",
    "gradle": ".gradle",
}


def binds(places: Places, project: Path, shown: Iterable[Path]) -> list[Bind]:
    """The cache of the project whose real path is `project`, each leaf where its tool looks for it.

    `shown`: where other things are seen in the jail; a leaf that is, holds or lies in one is left out.
    """
    root, taken = folder(places, project), list(shown)
    return [
        Bind(root / name, writable=True, dst=places.home / leaf, create="dir")
        for name, leaf in _LEAVES.items()
        if not _meets(places.home / leaf, taken)
    ]


def _meets(leaf: Path, taken: Iterable[Path]) -> bool:
    around = {leaf, *leaf.parents}
    return any(path in around or leaf in path.parents for path in taken)


def folder(places: Places, project: Path) -> Path:
    return places.project(project) / "cache"
