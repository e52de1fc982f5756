"""Qwen Code's settings.json and environment: which way it logs in, and the variables that this needs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

# what each way to log in reads of the environment, by the names of --auth-type, its key first
_WAYS: Mapping[str, Sequence[str]] = {
    "openai": ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "QWEN_MODEL"),
    "gemini": ("GEMINI_API_KEY", "GEMINI_MODEL"),
    "vertex-ai": ("GOOGLE_API_KEY", "GOOGLE_MODEL", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"),
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL"),
    "qwen-oauth": (),
}
# qwen 0.15.10 infers a way where all of these are set, in this order
_INFERRED = {
    "openai": ("OPENAI_API_KEY", "OPENAI_MODEL", "OPENAI_BASE_URL"),
    "gemini": ("GEMINI_API_KEY", "GEMINI_MODEL"),
    "vertex-ai": ("GOOGLE_API_KEY", "GOOGLE_MODEL"),
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_MODEL", "ANTHROPIC_BASE_URL"),
}


def trusting(project: str) -> bytes:
    """A trustedFolders.json in which `project` alone is trusted."""
    return json.dumps({project: "TRUST_FOLDER"}).encode()


def way(args: Sequence[str], settings: Mapping[str, object], env: Mapping[str, str]) -> str | None:
    """The way to log in that the user's words, settings or environment say; None where it will be asked."""
    return _given(args) or _chosen(settings) or _inferred(env)


def variables(way: str | None) -> Sequence[str]:
    """What that way to log in reads of the environment, its key first."""
    return _WAYS.get(way or "", ())


def keys(settings: Mapping[str, object]) -> Iterator[str]:
    """The variables that the user's own providers take their keys from."""
    providers = settings.get("modelProviders")
    for models in providers.values() if isinstance(providers, dict) else ():
        for model in models if isinstance(models, list) else ():
            key = model.get("envKey") if isinstance(model, dict) else None
            if isinstance(key, str) and key:
                yield key


def holds_key(settings: Mapping[str, object]) -> bool:
    """Whether a key stands in the settings themselves, where qwen's own dialog writes it."""
    return bool(settings.get("env")) or bool(_auth(settings).get("apiKey"))


def _given(args: Sequence[str]) -> str | None:
    for word, following in pairwise((*args, "")):
        name, _, value = word.partition("=")
        if name == "--auth-type":
            return value or following
    return None


def _chosen(settings: Mapping[str, object]) -> str | None:
    found = _auth(settings).get("selectedType")
    return found if isinstance(found, str) else None


def _inferred(env: Mapping[str, str]) -> str | None:
    ways = (way for way, names in _INFERRED.items() if all(env.get(name) for name in names))
    return next(ways, None)


def _auth(settings: Mapping[str, object]) -> Mapping[str, object]:
    security = settings.get("security")
    auth = security.get("auth") if isinstance(security, dict) else None
    return auth if isinstance(auth, dict) else {}
