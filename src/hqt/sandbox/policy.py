"""What a jail is asked to be: the policy of one session and the host paths shown in it."""

import json
from pathlib import Path
from typing import Literal, Self

from hqt.errors import JailError
from hqt.values import frozen

Fs = Literal["rw", "ro"]


@frozen
class SandboxPolicy:
    """Whether the project can be written and whether there is a network; stored on the session's row."""

    fs: Fs = "rw"
    net: bool = True

    @property
    def words(self) -> str:
        """`rw net` to `ro offline`, as people see it."""
        return f"{self.fs} {'net' if self.net else 'offline'}"

    def to_json(self) -> str:
        return json.dumps({"fs": self.fs, "net": self.net})

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The policy that `text` holds, or JailError: what cannot be read never means "no jail"."""
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise JailError(f"the stored jail policy {text!r} is not JSON: set it anew") from error
        if not isinstance(found, dict) or set(found) != {"fs", "net"}:
            raise JailError(f"the stored jail policy {text!r} does not hold exactly fs and net: set it anew")
        fs, net = found["fs"], found["net"]
        if fs not in ("rw", "ro") or not isinstance(fs, str):
            raise JailError(f"the stored jail policy {text!r} has an unknown fs: set it to rw or ro")
        if not isinstance(net, bool):
            raise JailError(f"the stored jail policy {text!r} has an unknown net: set it to true or false")
        return cls(fs=fs, net=net)  # type: ignore[arg-type]


@frozen
class Bind:
    """A host path shown inside the jail, at its own place unless `dst` says otherwise."""

    src: Path  # absolute
    writable: bool = False
    dst: Path | None = None
    optional: bool = False  # left out where src is missing; otherwise a missing src refuses the jail
    create: Literal["dir"] | None = None  # made on the host, 0700, before the start where missing

    @property
    def inside(self) -> Path:
        """Where it is seen in the jail."""
        return self.dst or self.src


@frozen
class Copy:
    """A private file in the jail, 0600, made anew at each start; the host's file is never touched."""

    dst: Path
    content: bytes
