"""A place to configure a harness for; nothing in it exists unless a test makes it."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from hqt.harnesses.base import Place, Program

HOME = Path("/home/user")
CWD = HOME / "proj"


def place(
    executable: str = "agent",
    *,
    home: Path = HOME,
    cwd: Path = CWD,
    env: Mapping[str, str] | None = None,
    uid: int = 1000,
    knows: Iterable[str] = (),
    session: Path | None = None,
    texts: Mapping[Path, bytes] | None = None,
    present: Iterable[Path] = (),
) -> Place:
    path = Path("/usr/bin") / executable
    return Place(
        home=home,
        env=env or {},
        uid=uid,
        cwd=cwd,
        program=Program(path=path, real=path),
        knows=frozenset(knows),
        session=session,
        texts=texts or {},
        present=frozenset(present),
    )
