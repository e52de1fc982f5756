"""What a plan needs on disk before its pane starts: made, and taken back where the start fails."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hqt.backends.base import Seal, Size, SpawnRequest
from hqt.errors import ServiceError
from hqt.integrity.placeholders import make_placeholders
from hqt.paths import Places
from hqt.sandbox.files.private import is_there
from hqt.start.plan import Plan, Sealed
from hqt.start.survey import identities
from hqt.status import events


@contextmanager
def prepare(plan: Plan, size: Size, places: Places, holder: str) -> Iterator[SpawnRequest]:
    """Make the folders that the plan needs; they go again where the start fails.

    What lies in a git folder is `holder`'s, who releases it at the end (integrity.placeholders).
    """
    made: list[Path] = []
    try:
        # first: what is held is not pruned
        if plan.sealed is not None:
            make_placeholders(places, holder, plan.cwd, plan.git_makes)
        for folder in plan.makes:
            _make(folder, made)
        if plan.events is not None:
            _renew(plan.events)
        yield SpawnRequest(
            key=plan.launch.key or "",
            title=plan.launch.title,
            jail=plan.launch.sandbox.words if plan.launch.sandbox else "OPEN",
            argv=plan.argv,
            cwd=plan.cwd,
            env=plan.env,
            copies=plan.copies,
            status=plan.status,
            seal=_seal(plan.sealed) if plan.sealed else None,
            umask=plan.umask,
            size=size,
        )
    except BaseException:
        for folder in reversed(made):
            _remove_empty(folder)
        raise


def _make(folder: Path, made: list[Path]) -> None:
    if is_there(folder):
        return
    _make(folder.parent, made)
    try:
        folder.mkdir(mode=0o700)
        made.append(folder)
    except FileExistsError:
        return
    except OSError as error:
        raise ServiceError(
            f"the folder {folder} can't be made ({error.strerror}): make it by hand"
        ) from error


def _renew(folder: Path) -> None:
    try:
        events.renew(folder)
    except OSError as error:
        raise ServiceError(
            f"the folder {folder} can't be made ready ({error.strerror}): move it away"
        ) from error


def _seal(sealed: Sealed) -> Seal:
    return Seal(sealed.filter, sealed.scopes, (*sealed.sources, *identities(sealed.made)))


def _remove_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:  # somebody uses it already
        return
