"""What hqt needs of Codex's config.toml: where the keys of its model providers come from, what it runs."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from hqt.harnesses import named_commands
from hqt.harnesses.base import NamedCommand
from hqt.values import frozen


@frozen
class Config:
    keys: tuple[str, ...] = ()  # variables that hold a provider's key; any of them may be chosen inside
    needs_login: bool = True  # the provider is OpenAI's own


def commands(file: Path, text: bytes) -> Iterator[NamedCommand]:
    """The MCP servers, the hooks and the notifier that a config.toml names."""
    found = _toml(text)
    yield from named_commands.of_settings(file, found)
    words = [word for word in named_commands.listed(found.get("notify")) if isinstance(word, str)]
    if words:
        yield NamedCommand(file, "notify", tuple(words))


def parsed(text: bytes) -> Config:
    """What `text` says; the defaults where it is no TOML, which codex itself will say."""
    found = _toml(text)
    providers = found.get("model_providers")
    tables = providers.values() if isinstance(providers, dict) else ()
    keys = (table.get("env_key") for table in tables if isinstance(table, dict))
    return Config(
        keys=tuple(dict.fromkeys(key for key in keys if isinstance(key, str) and key)),
        needs_login=found.get("model_provider", "openai") == "openai",
    )


def _toml(text: bytes) -> Mapping[str, object]:
    if not text:
        return {}
    import tomllib  # here: 2 ms that starts without a config.toml need not spend

    try:
        return tomllib.loads(text.decode())
    except (ValueError, RecursionError):
        return {}
