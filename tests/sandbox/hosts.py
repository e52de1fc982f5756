"""A small machine to compose jails for; nothing of it exists."""

from pathlib import Path

from hqt.sandbox.bwrap import Features
from hqt.sandbox.host import Host, Shown

HOME = Path("/home/u")
PROJECT = HOME / "proj"


def shown(path: str | Path, at: str | Path | None = None) -> Shown:
    return Shown(Path(path), Path(at or path))


def host(
    *,
    features: Features | None = None,
    uid: int = 1000,
    home: Path = HOME,
    run: tuple[Shown, ...] = (),
    resolver: Path | None = Path("/run/systemd/resolve/stub-resolv.conf"),
    tools: tuple[Shown, ...] = (),
    terminal: bool = True,
) -> Host:
    """Few facts, each kind once; `tools` come with one of their own."""
    return Host(
        bwrap=Path("/usr/bin/bwrap"),
        features=features or Features(),
        home=home,
        uid=uid,
        links=(("usr/bin", Path("/bin")),),
        system=(shown("/usr"), shown("/etc/hosts")),
        run=run,
        resolver=resolver,
        tools=(shown(home / ".gitconfig"), *tools),
        terminal=terminal,
    )
