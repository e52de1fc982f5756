"""What hqt needs of Codex's config.toml: where the keys of its model providers come from."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Config:
    keys: tuple[str, ...] = ()  # variables that hold a provider's key; any of them may be chosen inside
    needs_login: bool = True  # the provider is OpenAI's own


def parsed(text: bytes) -> Config:
    """What `text` says; the defaults where it is no TOML, which codex itself will say."""
    if not text:
        return Config()
    import tomllib  # here: 2 ms that starts without a config.toml need not spend

    try:
        found = tomllib.loads(text.decode())
    except ValueError:
        return Config()
    providers = found.get("model_providers")
    tables = providers.values() if isinstance(providers, dict) else ()
    keys = (table.get("env_key") for table in tables if isinstance(table, dict))
    return Config(
        keys=tuple(dict.fromkeys(key for key in keys if isinstance(key, str) and key)),
        needs_login=found.get("model_provider", "openai") == "openai",
    )
