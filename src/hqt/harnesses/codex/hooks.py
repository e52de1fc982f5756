"""The hooks that hqt gives Codex for one start, and Codex's trust in those alone."""

import hashlib
import json
import re

from hqt.status import events

BYPASS = "--dangerously-bypass-hook-trust"  # every hook runs unasked; a codex that has it has hooks
_TIMEOUT_S = 3  # the most that codex gives a hook at Interrupt: a longer one warns, and is not what it trusts
# how codex 0.171.0 names the first hook of the command line, and what it hashes: sorted JSON without blanks
_NAME = "/<session-flags>/config.toml:{event}:0:0"


def reporting() -> list[str]:
    """The words that make it report each conversation that it is in, and tell what it does.

    Hooks of the user run as well.
    """
    return [word for event, command in _commands().items() for word in ("-c", _hook(event, command))]


def trust() -> list[str]:
    """The words that let it run those hooks unasked, and no other: it would stop and ask for a review."""
    trusted = (_trusted(event, command) for event, command in _commands().items())
    return ["-c", f"hooks.state={{{','.join(trusted)}}}"]


def _commands() -> dict[str, str]:
    """By the name of the event. None at PermissionRequest, which another hook may answer unasked."""
    return {
        "SessionStart": events.STARTED,
        "UserPromptSubmit": events.says("working"),
        "Stop": events.says("idle"),
        "Interrupt": events.says("idle"),
    }


def _hook(event: str, command: str) -> str:
    said = json.dumps(command)  # ASCII, of which JSON's strings are TOML's
    return f'hooks.{event}=[{{hooks=[{{type="command",command={said},timeout={_TIMEOUT_S}}}]}}]'


def _trusted(event: str, command: str) -> str:
    hook = {"async": False, "command": command, "timeout": _TIMEOUT_S, "type": "command"}
    label = re.sub("(?<=[a-z])(?=[A-Z])", "_", event).lower()
    judged = json.dumps({"event_name": label, "hooks": [hook]}, separators=(",", ":"))
    digest = hashlib.sha256(judged.encode()).hexdigest()
    return f'"{_NAME.format(event=label)}"={{trusted_hash="sha256:{digest}"}}'
