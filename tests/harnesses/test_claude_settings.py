"""What Claude Code is told by --settings."""

import json

from hqt.harnesses import claude_settings
from hqt.status import events


def test_there_is_nothing_to_say_without_a_wish() -> None:
    assert claude_settings.text(bypass=False, reports=False) is None


def test_both_wishes_are_one_object() -> None:
    hook = {"type": "command", "command": events.STARTED, "timeout": 5}
    assert json.loads(claude_settings.text(bypass=True, reports=True) or "") == {
        "skipDangerousModePermissionPrompt": True,
        "hooks": {"SessionStart": [{"hooks": [hook]}]},
    }
    assert claude_settings.text(bypass=True, reports=False) == '{"skipDangerousModePermissionPrompt": true}'
