"""The settings that hqt gives Claude Code for one start, beside the user's own files."""

import json

from hqt.status import events

_TIMEOUT_S = 5


def text(*, bypass: bool, reports: bool) -> str | None:
    """The JSON for --settings, None where there is nothing to say.

    `bypass`: the warning at --dangerously-skip-permissions, whose default is to end, is not shown.
    `reports`: each conversation that it begins or goes back to is reported; hooks of the user run as well.
    """
    said: dict[str, object] = {}
    if bypass:
        said["skipDangerousModePermissionPrompt"] = True
    if reports:
        hook = {"type": "command", "command": events.STARTED, "timeout": _TIMEOUT_S}
        said["hooks"] = {"SessionStart": [{"hooks": [hook]}]}
    return json.dumps(said) if said else None
