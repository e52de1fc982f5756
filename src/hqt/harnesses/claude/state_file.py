"""Claude Code's .claude.json: the user's own as it is, and the copy of it that a jail gets."""

import json
from collections.abc import Mapping

_KEY_END = 20  # claude knows a key by its last 20 characters


def parsed(text: bytes) -> dict[str, object] | None:
    """The object that `text` holds; None where it is not one."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def answered(state: Mapping[str, object], key: str) -> bytes:
    """`state` with the first-run questions answered, at which a jail would wait or end.

    `key`: the API key of the environment, approved unless the user has rejected it; may be empty.
    """
    copy = {**state, "hasCompletedOnboarding": True}
    end = key[-_KEY_END:]
    answers = state.get("customApiKeyResponses")
    kept = answers if isinstance(answers, dict) else {}
    approved, rejected = _strings(kept.get("approved")), _strings(kept.get("rejected"))
    if end and end not in approved and end not in rejected:
        copy["customApiKeyResponses"] = {**kept, "approved": [*approved, end], "rejected": rejected}
    return json.dumps(copy).encode()


def _strings(found: object) -> list[str]:
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []
