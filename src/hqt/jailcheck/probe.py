"""What a probe is: one line of the jail's promise, how it is tried and how its failing is seen."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from hqt.sandbox.policy import Fs
from hqt.values import field, frozen

_FOLDER = Path(__file__).with_name("probes")

Terminal = Literal["plain", "ctrlc", "resize", "inject", "behind"]


@frozen
class Probe:
    """Tried as one command in `hqt sandbox exec`, or by `host`; texts are filled in (Ground.filled)."""

    id: str
    kind: str
    why: str = ""
    layer: str = ""  # a part of the jail that not every machine gives (Availability.layers)
    needs: Sequence[str] = ()  # programs of the host
    setup: str = ""  # sh on the host, before; what it leaves running ends with the probe
    env: Mapping[str, str] = field(default_factory=dict)  # more host variables
    fs: Fs = "rw"
    net: bool | None = None  # None: whichever this machine can have, rather offline
    harness: str = "generic"
    folder: str = "~/proj"
    first: str = ""  # sh in an earlier jail of the same kind, whose agent prepares something
    script: str = ""  # sh inside
    python: str = ""  # or this, after inside.py
    command: Sequence[str] = ()  # or this, as it stands
    host: str = ""  # or no jail of the runner's: sh on the host, which calls @HQT itself
    meanwhile: str = ""  # sh on the host once the jail said READY; then its standard input gets a line
    refused: bool = False  # before anything runs; otherwise the command must have been started
    exit: int | Literal["nonzero"] | None = None
    has: Sequence[str] = ()  # in what it says on both streams
    has_not: Sequence[str] = ()
    after: str = ""  # sh on the host; 0 = as it must be
    tty: Terminal | None = None
    kill: bool = False  # SIGKILL for the outermost process once the jail said READY
    stdin: str = ""


@frozen
class Outcome:
    """How one probe went; `why` says what was not as promised, None: all was."""

    id: str
    kind: str
    why: str | None = None

    @property
    def ok(self) -> bool:
        return self.why is None


def load(folder: Path = _FOLDER) -> tuple[Probe, ...]:
    """The probes of `folder`: each file is a kind, each table in it a probe by its id."""
    return tuple(probe for file in sorted(folder.glob("*.toml")) for probe in _of(file))


def _of(file: Path) -> list[Probe]:
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return [Probe(id=name, kind=file.stem, **fields) for name, fields in tables.items()]
