"""Codex reads hqt's hook, and trusts it alone."""

import tomllib

import pytest

from hqt.harnesses import codex_hooks
from hqt.status import events


def test_its_words_are_toml() -> None:
    flag, setting = codex_hooks.reporting()
    hook = {"type": "command", "command": events.STARTED, "timeout": 5}
    assert flag == "-c"
    assert tomllib.loads(setting) == {"hooks": {"SessionStart": [{"hooks": [hook]}]}}


def test_the_hash_is_the_one_that_codex_writes_when_it_is_trusted_by_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Seen in the config.toml of Codex 0.171.0 after its review of this hook."""
    monkeypatch.setattr(events, "STARTED", "cat >> $HQT_EVENTS/codex; echo >> $HQT_EVENTS/codex")
    monkeypatch.setattr(codex_hooks, "_TIMEOUT_S", 600)
    seen = "sha256:0b715441435b1ff88c731f473c41c45de5b24b960f0c7b37571127e6718c02bf"
    name = "/<session-flags>/config.toml:session_start:0:0"
    flag, setting = codex_hooks.trust()
    assert flag == "-c"
    assert tomllib.loads(setting) == {"hooks": {"state": {name: {"trusted_hash": seen}}}}
