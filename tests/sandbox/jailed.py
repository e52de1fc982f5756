"""One command in a jail of a test's own world, and what the host's git does after it."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.world import World

IDENTITY = "[user]\n\tname = Own Name\n\temail = own@example.invalid\n"

# renameat2(RENAME_EXCHANGE) swaps two paths at once (rename(2)); 316 on x86_64, 276 on aarch64
EXCHANGE = """python3 -c '
import ctypes, platform, sys
number = 316 if platform.machine() == "x86_64" else 276
one, other = (word.encode() for word in sys.argv[1:])
libc = ctypes.CDLL(None, use_errno=True)
sys.exit(libc.syscall(number, -100, one, -100, other, 2) != 0)' """


def inside(
    world: World,
    script: str,
    *options: str,
    folder: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run `script` by sh in an offline jail on the world's project, or on `folder`."""
    where = str(folder or world.project)
    return world.hqt("sandbox", "exec", "--no-net", *options, "-C", where, "--", "sh", "-c", script, env=env)


def on_host(
    world: World, script: str, folder: Path | None = None, *, check: bool = True
) -> subprocess.CompletedProcess[str]:
    """Run `script` by sh where no jail is."""
    return subprocess.run(
        ["sh", "-ec", script],
        cwd=folder or world.project,
        env=world.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=check,
        timeout=60,
    )


def use_git(world: World, folder: Path | None = None) -> None:
    """What a person does next: each would run what was planted where git looks by itself."""
    for step in ("status", "log -1", "diff", "add -A .", "commit -q --allow-empty -m after", "stash list"):
        on_host(world, f"git {step}", folder, check=False)


def furnish(world: World) -> None:
    """The identity that commits carry."""
    (world.home / ".gitconfig").write_text(IDENTITY)
