"""Whether a harness that the user declares would undo the jail; what it is called, shows and passes on."""

from collections.abc import Iterator, Mapping
from itertools import permutations
from pathlib import Path

from hqt.config.harness import DeclaredHarness
from hqt.errors import ConfigError
from hqt.harnesses.base import HarnessConfigurator, Place
from hqt.harnesses.declared.harness import expanded
from hqt.sandbox.environment import NEVER, matches
from hqt.sandbox.files.private import Private, real_path

Kinds = Mapping[str, type[HarnessConfigurator]]


def judge(said: DeclaredHarness, file: Path, private: Private, known: Kinds) -> None:
    """Raise ConfigError, which names the key, where `said` must not be honoured; `known`: hqt's own."""
    where = f"{file}: harness.{said.name}"
    if said.name in known:
        raise ConfigError(f"{where}: hqt has a harness of that name itself: give it another")
    for name in said.env:
        if matches(name, NEVER):
            raise ConfigError(f"{where}.env has {name}, which leads out of the jail: leave it out")
    _judge_each_apart(said, where, private.homes[0])
    for key, texts in (("rw", said.rw), ("ro", said.ro)):
        for text in texts:
            why = _why_not(expanded(text, private.homes[0]), private, known, writable=key == "rw")
            if why is not None:
                raise ConfigError(
                    f"{where}.{key} has {text}, which {why}: name what lies deeper, or leave it out"
                )
    _judge_at_home(said, where, private)


def _judge_at_home(said: DeclaredHarness, where: str, private: Private) -> None:
    """What others of this machine run or serve may lie anywhere but in a home, and no list has all of it."""
    for text in said.rw:
        path = expanded(text, private.homes[0])
        if not all(
            any(each.is_relative_to(home) for home in private.homes) for each in (path, real_path(path))
        ):
            raise ConfigError(
                f"{where}.rw has {text}, which lies or leads outside of your home folder:"
                " name what lies in it, or leave it out"
            )


def _judge_each_apart(said: DeclaredHarness, where: str, home: Path) -> None:
    """An entry in another one that is written could be taken away, or made where it is missing."""
    entries = (*said.rw, *said.ro)
    for one, other in permutations(entries, 2):
        inner, outer = expanded(one, home), expanded(other, home)
        # the real ones too: what is read-only at one place could be written at the other
        if inner.is_relative_to(outer) or real_path(inner).is_relative_to(real_path(outer)):
            raise ConfigError(
                f"{where} has {one}, which is or lies in {other}: name each once, or what lies deeper"
            )


def _why_not(path: Path, private: Private, known: Kinds, *, writable: bool) -> str | None:
    if private.homes[0] / ".cache" in path.parents:
        return "lies where a jail has its project's cache"
    for each in dict.fromkeys((path, real_path(path))):
        why = private.why_not_shown(each, writable=writable)
        if why is None and writable:
            why = _why_not_written(each, private.homes[0], known)
        if why is not None:
            return why
    return None


def _why_not_written(path: Path, home: Path, known: Kinds) -> str | None:
    for kept in _kept(home, known):
        if kept in (path, *path.parents) or path in kept.parents:
            return f"is or holds settings that an agent outside obeys or its login, such as {kept}"
    return None


def _kept(home: Path, known: Kinds) -> Iterator[Path]:
    """What the jails of hqt's own harnesses show read-only or as a copy, and logins; each by default."""
    place = Place(home=home, env={}, uid=0, cwd=home)
    for kind in known.values():
        # written and not made: a login, which hqt makes for nobody
        yield from (bind.src for bind in kind(place).sandbox_binds() if not (bind.writable and bind.create))
        yield from kind.reads(home, {})
