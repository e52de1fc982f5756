"""A table of config.toml, read key by key: what is wrong in it is named with the file and what it may be."""

from collections.abc import Mapping
from pathlib import Path

from hqt.errors import ConfigError
from hqt.values import frozen


@frozen
class Table:
    """One table; every method raises ConfigError for a value that is not what it is asked for."""

    file: Path
    name: str
    found: Mapping[str, object]

    def refuse_unknown(self, known: tuple[str, ...]) -> None:
        for key in self.found:
            if key not in known:
                raise ConfigError(
                    f"{self.file}: {self.name}.{key} is unknown: in {self.name} use {' or '.join(known)}"
                )

    def wrong(self, key: str, why: str, remedy: str) -> ConfigError:
        return ConfigError(f"{self.file}: {self.name}.{key} {why}: {remedy}")

    def text(self, key: str, default: str) -> str:
        value = self.found.get(key, default)
        if not isinstance(value, str) or not value or not value.isprintable():
            raise self.wrong(key, f"= {value!r} is no text", "write some on one line, in quotes")
        return value

    def flag(self, key: str, default: bool) -> bool:
        value = self.found.get(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, f"= {value!r} is no choice", "use true or false")
        return value

    def words(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """A list of texts; an empty text among them is refused as well."""
        value = self.found.get(key, list(default))
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            raise self.wrong(key, f"= {value!r} is no list of texts", 'write one such as ["a", "b"]')
        if any(not word or "\0" in word for word in value):
            raise self.wrong(key, "has a text that is empty or holds a NUL", "leave it out")
        return tuple(value)

    def tables(self, key: str) -> tuple["Table", ...]:
        """An array of tables."""
        value = self.found.get(key, [])
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            raise self.wrong(key, "must be tables", f"write each as [[{self.name}.{key}]]")
        return tuple(Table(self.file, f"{self.name}.{key}", each) for each in value)
