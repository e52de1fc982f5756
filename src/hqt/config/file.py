"""The user's config.toml: read once, judged at load, unknown keys named."""

import re
from collections.abc import Mapping
from pathlib import Path

from hqt.config.harness import DeclaredHarness, declared
from hqt.config.notify import Notify, notify
from hqt.errors import ConfigError
from hqt.values import field, frozen

_KEY = re.compile(r"(ctrl|alt|shift)-([a-z0-9]|space|f[1-9]|f1[0-2])|f[1-9]|f1[0-2]")
_TMUX_MODIFIERS = {"ctrl": "C", "alt": "M", "shift": "S"}
_AGENTS_OWN = {"ctrl-m": "Enter", "ctrl-i": "Tab", "ctrl-h": "Backspace", "ctrl-c": "an interrupt"}
_HISTORY_MAX = 1_000_000


@frozen
class Config:
    """What the user may choose; every field has a default and the file may be missing."""

    detach_key: str = "C-q"  # in tmux's notation
    next_key: str | None = "C-Space"  # likewise; None: no key goes on to the next session
    history_lines: int = 5000  # ~630 bytes each when coloured
    tmux_file: Path | None = None  # the user's own commands for hqt's tmux; judged where it is used
    new_sandbox: bool = False  # a new session is jailed unless it is said otherwise
    new_harness: str | None = None  # which one, where none is named
    notify: Notify = field(default_factory=Notify)
    harnesses: tuple[DeclaredHarness, ...] = ()  # the user's own; judged against the jail by the registry


def load_config(file: Path) -> Config:
    """The choices of `file`; ConfigError names the file, the key and what it may be."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Config()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} can't be read ({error}): correct or remove it") from error
    return parse_config(text, file)


def parse_config(text: str, file: Path) -> Config:
    """The choices that `text` makes; `file` is what errors name."""
    import tomllib  # here: most users have no config.toml and every command would pay for it

    try:
        found = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{file} is not TOML ({error}): correct it") from error
    _refuse_unknown(found, {"harness", "keys", "new", "notify", "tmux"}, file, "")
    keys, new, tmux = (_table(found, name, file) for name in ("keys", "new", "tmux"))
    _refuse_unknown(keys, {"detach", "next"}, file, "keys.")
    _refuse_unknown(new, {"harness", "sandbox"}, file, "new.")
    _refuse_unknown(tmux, {"config", "history"}, file, "tmux.")
    default = Config()
    detach_key = _key(keys["detach"], "detach", file) if "detach" in keys else default.detach_key
    return Config(
        detach_key=detach_key,
        next_key=_next_key(keys, detach_key, file),
        history_lines=_history(tmux["history"], file) if "history" in tmux else default.history_lines,
        tmux_file=_path(tmux["config"], file) if "config" in tmux else default.tmux_file,
        new_sandbox=_sandbox(new["sandbox"], file) if "sandbox" in new else default.new_sandbox,
        new_harness=_harness(new["harness"], file) if "harness" in new else default.new_harness,
        notify=notify(_table(found, "notify", file), file),
        harnesses=declared(_table(found, "harness", file), file),
    )


def _table(found: Mapping[str, object], name: str, file: Path) -> Mapping[str, object]:
    table = found.get(name, {})
    if not isinstance(table, dict):
        raise ConfigError(f"{file}: {name} must be a table: write [{name}]")
    return table


def _refuse_unknown(found: Mapping[str, object], known: set[str], file: Path, prefix: str) -> None:
    for name in found:
        if name not in known:
            raise ConfigError(
                f"{file}: {prefix}{name} is unknown: use {' or '.join(prefix + key for key in sorted(known))}"
            )


def _next_key(keys: Mapping[str, object], detach_key: str, file: Path) -> str | None:
    if "next" not in keys:
        default = Config().next_key
        return None if default == detach_key else default
    said = keys["next"]
    key = None if said == "none" else _key(said, "next", file)
    if key == detach_key:
        raise ConfigError(f"{file}: keys.next and keys.detach are one key: choose another for one of them")
    return key


def _key(value: object, name: str, file: Path) -> str:
    if not isinstance(value, str) or not _KEY.fullmatch(value):
        raise ConfigError(f'{file}: keys.{name} = {value!r} is no key: write one such as "ctrl-q" or "f12"')
    if value in _AGENTS_OWN:
        means = _AGENTS_OWN[value]
        raise ConfigError(
            f"{file}: keys.{name} = {value!r} is how a terminal sends {means}, which agents need:"
            " choose another"
        )
    *modifiers, key = value.split("-")
    named = key.capitalize() if len(key) > 1 else key
    return "-".join([*(_TMUX_MODIFIERS[modifier] for modifier in modifiers), named])


def _history(value: object, file: Path) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _HISTORY_MAX:
        raise ConfigError(f"{file}: tmux.history = {value!r} is no number of lines: use 0 to {_HISTORY_MAX}")
    return value


def _sandbox(value: object, file: Path) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(f"{file}: new.sandbox = {value!r} is no choice: use true or false")
    return value


def _harness(value: object, file: Path) -> str:
    # which names there are is known above this layer; an unknown one is refused by its first use
    if not isinstance(value, str) or not value:
        raise ConfigError(f'{file}: new.harness = {value!r} is no name: write one such as "claude"')
    return value


def _path(value: object, file: Path) -> Path:
    """From the folder of config.toml, where it is not absolute."""
    try:
        if isinstance(value, str) and value.isprintable() and value:
            return file.parent / Path(value).expanduser()
    except RuntimeError:  # ~ of a user that is not known
        pass
    raise ConfigError(
        f'{file}: tmux.config = {value!r} is no file: write one such as "~/.config/hqt/inside.conf"'
    )
