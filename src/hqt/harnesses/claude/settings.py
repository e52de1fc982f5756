"""The settings that hqt gives Claude Code for one start, beside the user's own files."""

import json
from collections.abc import Iterator

from hqt.status import events
from hqt.status.detect import Word

_TIMEOUT_S = 5
# of the kinds of its notifications those that wait for an answer; they come seconds after the question
_ASKS = "permission_prompt|elicitation_dialog"
# no hook at each tool, which the user would wait for, and none at PermissionRequest, which another hook may
# answer before anybody is asked. StopFailure is too new: an older claude may refuse settings that name it
_TOLD: tuple[tuple[str, str | None, Word], ...] = (
    ("UserPromptSubmit", None, "working"),
    ("Notification", _ASKS, "waiting"),
    ("Stop", None, "idle"),
)


def text(*, bypass: bool, reports: bool) -> str | None:
    """The JSON for --settings, None where there is nothing to say.

    `bypass`: the warning at --dangerously-skip-permissions, whose default is to end, is not shown.
    `reports`: each conversation that it begins or goes back to is reported, and what it does is told; hooks
    of the user run as well. It stays in its pane.
    """
    said: dict[str, object] = {}
    if bypass:
        said["skipDangerousModePermissionPrompt"] = True
    if reports:
        said["hooks"] = dict(_hooks())
        # one Left at an empty prompt opens it, and a daemon's process goes on with the conversation then: of
        # that neither the pane's registry nor its exit tells anything (2.1.197)
        said["disableAgentView"] = True
    return json.dumps(said) if said else None


def _hooks() -> Iterator[tuple[str, object]]:
    yield "SessionStart", [{"hooks": [_hook(events.STARTED)]}]
    for event, kinds, word in _TOLD:
        matcher = {"matcher": kinds} if kinds else {}
        yield event, [{**matcher, "hooks": [_hook(events.says(word))]}]


def _hook(command: str) -> dict[str, object]:
    return {"type": "command", "command": command, "timeout": _TIMEOUT_S}
