"""Gemini CLI's settings.json, and Qwen Code's, made from it: how the user logs in."""

import json
import re
from collections.abc import Mapping

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


def keeps(settings: Mapping[str, object]) -> bool:
    """Whether `settings` say that no conversation is ever deleted; where they do not, gemini deletes."""
    return _inner(_inner(settings, "general"), "sessionRetention").get("enabled") is False


def _inner(found: Mapping[str, object], name: str) -> Mapping[str, object]:
    inner = found.get(name)
    return inner if isinstance(inner, dict) else {}
