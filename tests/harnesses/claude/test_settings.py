"""What Claude Code is told by --settings."""

import json

from hqt.harnesses.claude import settings
from hqt.status import events


def test_there_is_nothing_to_say_without_a_wish() -> None:
    assert settings.text(bypass=False, reports=False) is None


def _runs(command: str) -> list[dict[str, object]]:
    return [{"type": "command", "command": command, "timeout": 5}]


def test_both_wishes_are_one_object() -> None:
    asks = "permission_prompt|elicitation_dialog"
    assert json.loads(settings.text(bypass=True, reports=True) or "") == {
        "skipDangerousModePermissionPrompt": True,
        "hooks": {
            "SessionStart": [{"hooks": _runs(events.STARTED)}],
            "UserPromptSubmit": [{"hooks": _runs(events.says("working"))}],
            "Notification": [{"matcher": asks, "hooks": _runs(events.says("waiting"))}],
            "Stop": [{"hooks": _runs(events.says("idle"))}],
        },
        "disableAgentView": True,
    }
    assert settings.text(bypass=True, reports=False) == '{"skipDangerousModePermissionPrompt": true}'
