"""What the backend writes into its runtime folder: the server's configuration and the launch specs."""

import os
from contextlib import suppress
from pathlib import Path

from hqt.backends.base import SpawnRequest
from hqt.backends.spec import spec_text
from hqt.errors import BackendError


def write_config(path: Path, text: str) -> None:
    """Make `path` hold `text`, 0600; a reader meets the old file or the new one."""
    with suppress(OSError):
        if path.read_text(errors="surrogateescape") == text:
            return
    try:
        from tempfile import NamedTemporaryFile  # here: a look writes nothing

        with NamedTemporaryFile("w", dir=path.parent, delete=False, errors="surrogateescape") as file:
            file.write(text)
        Path(file.name).replace(path)
    except OSError as error:
        raise BackendError(f"{path} can't be written ({error.strerror}): free some space") from error


def write_spec(folder: Path, request: SpawnRequest) -> Path:
    """A new file, 0600, that the launcher reads and deletes: it carries the values of variables."""
    path = folder / f"spec-{request.key}-{os.urandom(8).hex()}.json"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(path, flags, 0o600), "w", encoding="ascii") as file:
            file.write(spec_text(request))
    except OSError as error:
        path.unlink(missing_ok=True)
        raise BackendError(f"{path} can't be written ({error.strerror}): free some space") from error
    return path


def discard_specs(folder: Path, key: str) -> None:
    """Remove the specs of `key` that no launcher took."""
    for path in folder.glob(f"spec-{key}-*.json"):
        path.unlink(missing_ok=True)
