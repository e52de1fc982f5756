"""The theme that was chosen on the screen, kept for the next time; config.toml is never written."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from hqt.errors import HqtError
from hqt.paths import make_private
from hqt.sandbox.files import untrusted

_FILE = "theme"
_NAME_MAX = 100  # bytes
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def remembered_theme(state: Path) -> str | None:
    """The name that was kept in the folder `state`; None where there is none or nothing like one."""
    content = untrusted.read(state / _FILE, _NAME_MAX + 1)
    if content is None or len(content) > _NAME_MAX:
        return None
    with suppress(UnicodeDecodeError):
        name = content.decode().removesuffix("\n")
        return name if name.isprintable() and name else None
    return None


def remember_theme(state: Path, name: str) -> None:
    """Keep it there, whole or not at all. Raises HqtError where that can't be done."""
    file = make_private(state) / _FILE
    draft = file.with_name(f"{_FILE}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(draft, _NEW, 0o600), "w", encoding="utf-8") as written:
            written.write(f"{name}\n")
        draft.replace(file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise HqtError(f"the theme can't be saved in {file} ({error.strerror}): make room there") from error
