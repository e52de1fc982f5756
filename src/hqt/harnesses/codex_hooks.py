"""The hook that hqt gives Codex for one start, and Codex's trust in that hook alone."""

import hashlib
import json

from hqt.status import events

BYPASS = "--dangerously-bypass-hook-trust"  # every hook runs unasked; a codex that has it has hooks
_TIMEOUT_S = 5
# how codex 0.171.0 names the first hook of the command line, and what it hashes: sorted JSON without blanks
_NAME = "/<session-flags>/config.toml:session_start:0:0"


def reporting() -> list[str]:
    """The words that make it report each conversation that it is in; hooks of the user run as well."""
    command = json.dumps(events.STARTED)  # ASCII, of which JSON's strings are TOML's
    hook = f'{{type="command",command={command},timeout={_TIMEOUT_S}}}'
    return ["-c", f"hooks.SessionStart=[{{hooks=[{hook}]}}]"]


def trust() -> list[str]:
    """The words that let it run that hook unasked, and no other: it would stop and ask for a review."""
    hook = {"async": False, "command": events.STARTED, "timeout": _TIMEOUT_S, "type": "command"}
    judged = json.dumps({"event_name": "session_start", "hooks": [hook]}, separators=(",", ":"))
    digest = hashlib.sha256(judged.encode()).hexdigest()
    return ["-c", f'hooks.state={{"{_NAME}"={{trusted_hash="sha256:{digest}"}}}}']
