"""Gemini CLI's settings.json, and Qwen Code's, made from it: how the user logs in, what they run."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from hqt.harnesses.base import NamedCommand

_KEY = "GEMINI_API_KEY"
# as gemini 0.61.0 itself infers it, but only where it runs without a screen
_BY_SWITCH = {"GOOGLE_GENAI_USE_GCA": "oauth-personal", "GOOGLE_GENAI_USE_VERTEXAI": "vertex-ai"}
BY_KEY = "gemini-api-key"
_LINE = r"^[ \t]*(?:export[ \t]+)?{}[ \t]*=[ \t]*['\"]?[^\s'\"]"


def parsed(text: bytes) -> dict[str, object] | None:
    """The object that `text` holds; None where it is not plain JSON, as with comments."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def chosen(settings: Mapping[str, object]) -> str | None:
    """The way to log in that the user has chosen, None where that is still to be asked."""
    found = _inner(_inner(settings, "security"), "auth").get("selectedType")
    return found if isinstance(found, str) else None


def inferred(env: Mapping[str, str], env_file: bytes) -> str | None:
    """The way to log in that the environment says; `env_file`: the content of ~/.gemini/.env."""
    for switch, way in _BY_SWITCH.items():
        if env.get(switch) == "true":
            return way
    return BY_KEY if env.get(_KEY) or names(env_file, _KEY) else None


def names(env_file: bytes, variable: str) -> bool:
    """Whether `env_file` gives `variable` a value."""
    return re.search(_LINE.format(variable).encode(), env_file, re.MULTILINE) is not None


def answered(settings: Mapping[str, object], way: str) -> bytes:
    """`settings` with the way to log in chosen, else a dialog asks for it."""
    security = _inner(settings, "security")
    auth = {**_inner(security, "auth"), "selectedType": way}
    return json.dumps({**settings, "security": {**security, "auth": auth}}).encode()


def commands(file: Path, settings: Mapping[str, object]) -> Iterator[NamedCommand]:
    """The MCP servers and hooks that `settings`, the content of `file`, name."""
    for name, server in _inner(settings, "mcpServers").items():
        match server:
            case {"command": str(program), **rest}:
                words = rest.get("args")
                given = tuple(map(str, words)) if isinstance(words, list) else ()
                yield NamedCommand(file, f"mcpServers.{name}", (program, *given))
    for event, groups in _inner(settings, "hooks").items():
        for group in groups if isinstance(groups, list) else ():
            for hook in _listed(group, "hooks"):
                match hook:
                    case {"command": str(line)}:
                        yield NamedCommand(file, f"hooks.{event}", _words(line))


def _words(line: str) -> tuple[str, ...]:
    """The words of a shell's line; the whole where it has none."""
    try:
        return tuple(shlex.split(line)) or (line,)
    except ValueError:
        return (line,)


def _listed(found: object, name: str) -> list[object]:
    inner = found.get(name) if isinstance(found, dict) else None
    return inner if isinstance(inner, list) else []


def _inner(found: Mapping[str, object], name: str) -> Mapping[str, object]:
    inner = found.get(name)
    return inner if isinstance(inner, dict) else {}
