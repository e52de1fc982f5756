"""What jails hold while they run: their project, and what lies in its git folder for them."""

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hqt.errors import JailError
from hqt.paths import Places, make_private
from hqt.sandbox.files import untrusted
from hqt.sandbox.git.survey import Made
from hqt.values import frozen

IsLive = Callable[[str], bool]  # whether the holder of that name still runs


@frozen
class Held:
    """What one holder needs; `project` None: its entry can't be read."""

    project: Path | None
    makes: tuple[Made, ...] = ()


def make_placeholders(places: Places, holder: str, project: Path, wanted: Sequence[Made]) -> None:
    """Remember that `holder` works in `project`, and make what is missing of `wanted`.

    `holder`: a session's key, or `command()` for one without a session. Raises JailError where it can't
    be made.
    """
    with locked(places):
        ours = _ours(places, wanted)
        _write(file(places, holder), project, ours)
        for each in ours:
            try:
                _make(each)
            except FileExistsError:
                continue
            except OSError as error:
                raise JailError(
                    f"{each.path} can't be made ({error.strerror}): make its folder writable or use --fs ro"
                ) from error


def release_placeholders(places: Places, holder: str, is_live: IsLive) -> None:
    """Remove what only `holder` needed, where it is still as it was made; forget the holder."""
    if untrusted.exists(file(places, holder)):
        with locked(places):
            _release(places, [holder], is_live)


def sweep_placeholders(places: Places, is_live: IsLive) -> None:
    """Release every holder that ended without doing so itself, as after SIGKILL."""
    if any(not is_live(holder) for holder in holders(places)):
        with locked(places):  # looked at again under the lock: one may just have begun
            _release(places, [holder for holder in holders(places) if not is_live(holder)], is_live)


def holders(places: Places) -> list[str]:
    """All that are remembered, whether or not they still run."""
    return [name.removesuffix(".json") for name in untrusted.names(_folder(places)) if name.endswith(".json")]


def held(places: Places, holder: str) -> Held:
    """What `holder` took; nothing where it is unknown."""
    try:
        found = json.loads((untrusted.read(file(places, holder), 1 << 20) or b"{}").decode())
        makes = tuple(
            Made(Path(path), None if content is None else content.encode())
            for path, content in found.get("makes", ())
        )
        return Held(Path(found["project"]) if "project" in found else None, makes)
    except (ValueError, TypeError, AttributeError):
        return Held(None)


def command() -> str:
    """The name of this process as a holder; another process never gets it."""
    return f"command-{os.getpid()}-{_begun(os.getpid())}"


def is_command(holder: str) -> bool:
    return holder.startswith("command-")


def is_live_command(holder: str) -> bool:
    """Whether it is a command that still runs."""
    kind, _, rest = holder.partition("-")
    pid, _, begun = rest.partition("-")
    return kind == "command" and pid.isdigit() and begun != "" and _begun(int(pid)) == begun


def _begun(pid: int) -> str:
    """When the process began, in the kernel's ticks (proc(5), stat, field 22)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[19]
    except OSError:
        return ""


def _ours(places: Places, wanted: Sequence[Made]) -> list[Made]:
    """Those that are missing or that another holder has made: what else is there is somebody's own."""
    made = {each.path for holder in holders(places) for each in held(places, holder).makes}
    return [each for each in wanted if each.path in made or not untrusted.exists(each.path)]


def _release(places: Places, gone: Sequence[str], is_live: IsLive) -> None:
    wanted = {each.path: each for holder in gone for each in held(places, holder).makes}
    for holder in gone:
        file(places, holder).unlink(missing_ok=True)
    kept = {each.path for other in holders(places) if is_live(other) for each in held(places, other).makes}
    for path in sorted(wanted, reverse=True):  # what lies in a folder before the folder
        if path not in kept:
            _remove(wanted[path])


@contextmanager
def locked(places: Places) -> Iterator[None]:
    make_private(places.data)
    descriptor = os.open(make_private(_folder(places)) / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _folder(places: Places) -> Path:
    return places.data / "held"


def file(places: Places, holder: str) -> Path:
    return _folder(places) / f"{holder}.json"


def _write(path: Path, project: Path, wanted: Sequence[Made]) -> None:
    makes = [[str(each.path), None if each.content is None else each.content.decode()] for each in wanted]
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps({"project": str(project), "makes": makes}), encoding="ascii")
    draft.chmod(0o600)
    draft.replace(path)


def _make(each: Made) -> None:
    if each.content is None:
        each.path.mkdir()
        return
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(each.path, flags, 0o644), "wb") as opened:
        opened.write(each.content)


def _remove(each: Made) -> None:
    try:
        if each.content is None:
            each.path.rmdir()
        elif untrusted.read(each.path, len(each.content) + 1) == each.content:
            each.path.unlink()
    except OSError:  # somebody uses it, or the folder is gone
        return
