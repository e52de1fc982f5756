"""The harnesses by name; no other file knows one."""

from hqt.errors import HarnessError, about
from hqt.harnesses.base import HarnessConfigurator, Place
from hqt.harnesses.claude import Claude
from hqt.harnesses.codex import Codex
from hqt.harnesses.generic import Generic
from hqt.harnesses.kiro import Kiro

_KINDS: dict[str, type[HarnessConfigurator]] = {kind.name: kind for kind in (Claude, Codex, Kiro, Generic)}
NAMES = tuple(_KINDS)


@about("harness")
def kind(name: str) -> type[HarnessConfigurator]:
    """What is known of a harness before it has a place. Raises HarnessError for an unknown one."""
    try:
        return _KINDS[name]
    except KeyError:
        raise HarnessError(f"there is no harness {name!r}: it is one of {', '.join(NAMES)}") from None


def configure(name: str, place: Place) -> HarnessConfigurator:
    """The harness, ready to say what it runs at `place`. Raises HarnessError for an unknown one."""
    return kind(name)(place)
