"""A new session as it stands in the dialog's fields, and what it asks for; pure but for folders' names."""

import shlex
from pathlib import Path

from hqt.backends.base import Size
from hqt.errors import ServiceError, about
from hqt.observe.views import NewSession
from hqt.sandbox import SandboxPolicy
from hqt.sandbox.policy import Fs
from hqt.start import folders
from hqt.values import frozen


@frozen
class Draft:
    """What was typed and chosen, not yet judged."""

    prompt: str = ""
    sandboxed: bool = False
    fs: Fs = "rw"
    net: bool = True
    harness: str | None = None
    directory: str = ""
    meant: Path | None = None  # the folder where it was filled in and not typed: its name may not be typable
    name: str = ""
    args: str = ""  # as for a shell
    env_names: str = ""


def request(draft: Draft, size: Size) -> NewSession:
    """What the draft asks for. Raises HqtError about the field that can't be read."""
    return NewSession(
        directory=draft.meant or _directory(draft.directory),
        harness=_harness(draft.harness),
        name=draft.name.strip() or None,
        sandbox=SandboxPolicy(draft.fs, draft.net) if draft.sandboxed else None,
        args=_words(draft.args),
        env_names=tuple(dict.fromkeys(draft.env_names.replace(",", " ").split())),
        prompt=draft.prompt if draft.prompt.strip() else None,
        size=size,
    )


@about("directory")
def _directory(text: str) -> Path:
    if not text.strip():
        raise ServiceError("no folder is chosen: name the folder to work in")
    return folders.folder(text)


@about("harness")
def _harness(name: str | None) -> str:
    if name is None:
        raise ServiceError("no harness is chosen: choose one")
    return name


@about("args")
def _words(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise ServiceError(
            f"the arguments can't be split into words ({str(error).lower()}): correct them"
        ) from error
