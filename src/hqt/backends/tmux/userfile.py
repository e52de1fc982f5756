"""The user's own tmux commands for the inside: whether the file may be read, and what tmux says of it."""

import subprocess
from collections.abc import Iterable
from pathlib import Path

from hqt.backends.tmux import commands
from hqt.errors import ConfigError
from hqt.sandbox.files import untrusted

_LIMIT_S = 5


def judge(path: Path, suspect: Iterable[Path]) -> None:
    """ConfigError where tmux can't read it, or an agent in a jail could have written it.

    tmux would run what it says outside of every jail. `suspect`: real paths of folders.
    """
    if untrusted.lies_in(path, suspect):
        raise ConfigError(f"tmux.config = {path} lies in a project of a jailed session: move it out of there")
    try:
        with path.open("rb") as file:
            file.read(1)
    except OSError as error:
        raise ConfigError(
            f"tmux.config = {path} can't be read ({error.strerror}): correct config.toml"
        ) from error


def complaint(tmux: Path, path: Path) -> str | None:
    """What tmux can't parse in it, if anything: asked of a server that runs none of it and then ends."""
    from tempfile import TemporaryDirectory  # here: doctor alone asks

    with TemporaryDirectory(prefix="hqt-") as folder:
        source, options = commands.source(path), ("-f", "/dev/null", "-S", f"{folder}/s")
        steps = commands.chain(commands.START_SERVER, (source[0], "-n", *source[1:]))
        try:
            done = subprocess.run(
                [tmux, *options, *steps],
                env={"PATH": "/usr/bin:/bin", "HOME": folder},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=_LIMIT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):  # the check of tmux itself says so
            return None
    return None if done.returncode == 0 else (done.stdout + done.stderr).strip().partition("\n")[0]
