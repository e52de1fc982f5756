"""The harnesses by name; no other file knows one, and none is imported before it is asked for."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from hqt.errors import HarnessError, about
from hqt.values import field, frozen

if TYPE_CHECKING:
    from hqt.config.harness import DeclaredHarness
    from hqt.harnesses.base import HarnessConfigurator, Place
    from hqt.sandbox.files.private import Private

# name -> module and class
_BUILT_IN = {
    "claude": ("hqt.harnesses.claude.harness", "Claude"),
    "codex": ("hqt.harnesses.codex.harness", "Codex"),
    "gemini": ("hqt.harnesses.gemini.harness", "Gemini"),
    "qwen": ("hqt.harnesses.qwen.harness", "Qwen"),
    "kiro": ("hqt.harnesses.kiro", "Kiro"),
    "opencode": ("hqt.harnesses.opencode.harness", "OpenCode"),
    "pi": ("hqt.harnesses.pi.harness", "Pi"),
    "generic": ("hqt.harnesses.generic", "Generic"),
}
NAMES = tuple(_BUILT_IN)


@frozen
class Harnesses:
    """Those that one user has: hqt's own and the declared ones."""

    declared: "Mapping[str, type[HarnessConfigurator]]" = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        return (*NAMES, *self.declared)

    def kinds(self) -> "Iterable[type[HarnessConfigurator]]":
        """Every one of them."""
        return map(self.kind, self.names)

    @about("harness")
    def kind(self, name: str) -> "type[HarnessConfigurator]":
        """What is known of a harness before it has a place. Raises HarnessError for an unknown one."""
        if name in self.declared:
            return self.declared[name]
        if name not in _BUILT_IN:
            raise HarnessError(self.unknown(name))
        module, kind = _BUILT_IN[name]
        found: type[HarnessConfigurator] = getattr(import_module(module), kind)
        return found

    def unknown(self, name: str) -> str:
        """The sentence on a name that none of them has."""
        return (
            f"there is no harness {name!r}: it is one of {', '.join(self.names)},"
            f" or declare [harness.{name}] in config.toml"
        )

    def configure(self, name: str, place: "Place") -> "HarnessConfigurator":
        """The harness, ready to say what it runs at `place`. Raises HarnessError for an unknown one."""
        return self.kind(name)(place)


BUILT_IN = Harnesses()
kind, configure = BUILT_IN.kind, BUILT_IN.configure


def harnesses(said: "Iterable[DeclaredHarness]", file: Path, private: "Private") -> Harnesses:
    """hqt's own and those that `file` declares; ConfigError for one that a jail must not be given."""
    # here: most users declare none
    from hqt.harnesses.declared import harness as own
    from hqt.harnesses.declared import validate

    found: dict[str, type[HarnessConfigurator]] = {}
    known = {name: BUILT_IN.kind(name) for name in NAMES}
    for each in said:
        validate.judge(each, file, private, known)
        found[each.name] = own.kind(each, private.homes[0])
    return Harnesses(found)
