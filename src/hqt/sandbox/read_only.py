"""How single paths stay read-only below a folder that is writable; pure."""

from collections.abc import Iterable
from pathlib import Path

from hqt.sandbox.policy import Bind


def read_only_binds(root: Path, read_only: Iterable[Path], parents: Iterable[Path] = ()) -> tuple[Bind, ...]:
    """The mounts that keep `read_only` as they are below the writable `root`, parents before children.

    Every folder between is a mount of its own, as are `parents`: a mount can't be renamed away, and with
    it what lies in it. What lies in a read-only folder needs no mount.
    """
    sealed = {path for path in read_only if root in path.parents}
    sealed = {path for path in sealed if not sealed.intersection(path.parents)}
    held = {folder for path in (*sealed, *parents) for folder in path.parents if root in folder.parents}
    held |= {folder for folder in parents if root in folder.parents}
    held = {folder for folder in held if folder not in sealed and not sealed.intersection(folder.parents)}
    binds = [Bind(path, dst=path) for path in sealed] + [Bind(path, writable=True, dst=path) for path in held]
    return tuple(sorted(binds, key=lambda bind: bind.src.parts))
