"""Spawn requests for tests."""

from pathlib import Path

from hqt.backends.base import Size, SpawnRequest
from hqt.sandbox.policy import Copy
from tests.world import World

KEY = "0000000a"


def sh(
    world: World,
    script: str,
    *args: str,
    key: str = KEY,
    title: str = "title",
    jail: str = "OPEN",
    env: dict[str, str] | None = None,
    size: Size = Size(80, 24),  # noqa: B008  # frozen
    copies: tuple[Copy, ...] = (),
) -> SpawnRequest:
    """An open session that runs `sh -c script sh ARGS`."""
    status: Path = world.root / f"status-{key}"
    return SpawnRequest(
        key=key,
        title=title,
        jail=jail,
        argv=("/bin/sh", "-c", script, "sh", *args),
        cwd=world.project,
        env=world.env if env is None else env,
        copies=copies,
        status=status,
        seal=None,
        umask=0o022,
        size=size,
    )
