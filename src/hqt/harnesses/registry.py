"""The harnesses by name; no other file knows one."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from hqt.config.harness import DeclaredHarness
from hqt.errors import HarnessError, about
from hqt.harnesses.base import HarnessConfigurator, Place
from hqt.harnesses.claude.harness import Claude
from hqt.harnesses.codex.harness import Codex
from hqt.harnesses.declared import harness as own
from hqt.harnesses.declared import validate
from hqt.harnesses.gemini.harness import Gemini
from hqt.harnesses.generic import Generic
from hqt.harnesses.kiro import Kiro
from hqt.harnesses.opencode.harness import OpenCode
from hqt.harnesses.pi.harness import Pi
from hqt.harnesses.qwen.harness import Qwen
from hqt.sandbox.files.private import Private
from hqt.values import frozen


@frozen
class Harnesses:
    """Those that one user has: hqt's own and the declared ones."""

    kinds: Mapping[str, type[HarnessConfigurator]]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.kinds)

    @about("harness")
    def kind(self, name: str) -> type[HarnessConfigurator]:
        """What is known of a harness before it has a place. Raises HarnessError for an unknown one."""
        try:
            return self.kinds[name]
        except KeyError:
            raise HarnessError(self.unknown(name)) from None

    def unknown(self, name: str) -> str:
        """The sentence on a name that none of them has."""
        return (
            f"there is no harness {name!r}: it is one of {', '.join(self.names)},"
            f" or declare [harness.{name}] in config.toml"
        )

    def configure(self, name: str, place: Place) -> HarnessConfigurator:
        """The harness, ready to say what it runs at `place`. Raises HarnessError for an unknown one."""
        return self.kind(name)(place)


_KINDS = (Claude, Codex, Gemini, Qwen, Kiro, OpenCode, Pi, Generic)
BUILT_IN = Harnesses({kind.name: kind for kind in _KINDS})
NAMES, kind, configure = BUILT_IN.names, BUILT_IN.kind, BUILT_IN.configure


def harnesses(said: Iterable[DeclaredHarness], file: Path, private: Private) -> Harnesses:
    """hqt's own and those that `file` declares; ConfigError for one that a jail must not be given."""
    found = dict(BUILT_IN.kinds)
    for each in said:
        validate.judge(each, file, private, BUILT_IN.kinds)
        found[each.name] = own.kind(each, private.homes[0])
    return Harnesses(found)
