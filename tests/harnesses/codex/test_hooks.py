"""Codex reads hqt's hook, and trusts it alone."""

import tomllib

import pytest

from hqt.harnesses.codex import hooks as codex_hooks
from hqt.status import events

_SAYS = {
    "SessionStart": events.STARTED,
    "UserPromptSubmit": events.says("working"),
    "Stop": events.says("idle"),
    "Interrupt": events.says("idle"),
}


def test_its_words_are_toml() -> None:
    words = codex_hooks.reporting()
    assert words[::2] == ["-c"] * 4
    hooks = [tomllib.loads(setting)["hooks"] for setting in words[1::2]]
    assert hooks == [
        {event: [{"hooks": [{"type": "command", "command": command, "timeout": 3}]}]}
        for event, command in _SAYS.items()
    ]


def test_each_hook_is_trusted_by_its_name() -> None:
    flag, setting = codex_hooks.trust()
    assert flag == "-c"
    assert list(tomllib.loads(setting)["hooks"]["state"]) == [
        f"/<session-flags>/config.toml:{event}:0:0"
        for event in ("session_start", "user_prompt_submit", "stop", "interrupt")
    ]


def test_the_hash_is_the_one_that_codex_writes_when_it_is_trusted_by_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Seen in the config.toml of Codex 0.171.0 after its review of this hook."""
    monkeypatch.setattr(events, "STARTED", "cat >> $HQT_EVENTS/codex; echo >> $HQT_EVENTS/codex")
    monkeypatch.setattr(codex_hooks, "_TIMEOUT_S", 600)
    seen = "sha256:0b715441435b1ff88c731f473c41c45de5b24b960f0c7b37571127e6718c02bf"
    trusted = tomllib.loads(codex_hooks.trust()[1])["hooks"]["state"]
    assert trusted["/<session-flags>/config.toml:session_start:0:0"] == {"trusted_hash": seen}
