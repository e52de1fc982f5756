"""What jails need in a git folder while they run: made before the first, gone after the last."""

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hqt.errors import JailError
from hqt.paths import Places, make_private
from hqt.sandbox.git import Made


def take(places: Places, holder: str, wanted: Sequence[Made]) -> None:
    """Make what is missing of `wanted` and remember that `holder` needs it; JailError where it can't be.

    `holder`: a session's key, or `command()` for one without a session.
    """
    if not wanted:
        return
    with _locked(places):
        listed = [
            [str(each.path), None if each.content is None else each.content.decode()] for each in wanted
        ]
        _file(places, holder).write_text(json.dumps(listed), encoding="utf-8")
        for each in wanted:
            try:
                _make(each)
            except FileExistsError:
                continue
            except OSError as error:
                raise JailError(
                    f"{each.path} can't be made ({error.strerror}): make its folder writable or use --fs ro"
                ) from error


def release(places: Places, holder: str, is_live: Callable[[str], bool]) -> None:
    """Remove what only `holder` needed, where it is still as it was made.

    `is_live`: whether the holder of that name still runs.
    """
    if not _file(places, holder).exists():
        return
    with _locked(places):
        wanted = _listed(_file(places, holder))
        _file(places, holder).unlink(missing_ok=True)
        kept = {
            each.path for other in holders(places) if is_live(other) for each in _listed(_file(places, other))
        }
        for each in wanted:
            if each.path not in kept:
                _remove(each)


def holders(places: Places) -> list[str]:
    """All that are remembered, whether or not they still run."""
    return [file.stem for file in _folder(places).glob("*.json")]


def command() -> str:
    """The name of this process as a holder; another process never gets it."""
    return f"command-{os.getpid()}-{_begun(os.getpid())}"


def is_live_command(holder: str) -> bool:
    """Whether it is a command that still runs."""
    kind, _, rest = holder.partition("-")
    pid, _, begun = rest.partition("-")
    return kind == "command" and pid.isdigit() and _begun(int(pid)) == begun


def _begun(pid: int) -> str:
    """When the process began, in the kernel's ticks (proc(5), stat, field 22)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[19]
    except OSError:
        return ""


@contextmanager
def _locked(places: Places) -> Iterator[None]:
    make_private(places.data)
    descriptor = os.open(make_private(_folder(places)) / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _folder(places: Places) -> Path:
    return places.data / "held"


def _file(places: Places, holder: str) -> Path:
    return _folder(places) / f"{holder}.json"


def _listed(file: Path) -> list[Made]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [Made(Path(path), None if content is None else content.encode()) for path, content in found]


def _make(each: Made) -> None:
    if each.content is None:
        each.path.mkdir()
        return
    descriptor = os.open(
        each.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644
    )
    with os.fdopen(descriptor, "wb") as file:
        file.write(each.content)


def _remove(each: Made) -> None:
    try:
        if each.content is None:
            each.path.rmdir()
        elif not each.path.is_symlink() and each.path.read_bytes() == each.content:
            each.path.unlink()
    except OSError:  # somebody uses it, or the folder is gone
        return
