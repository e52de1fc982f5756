from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.harnesses.base import NamedCommand
from hqt.harnesses.codex import config
from hqt.harnesses.codex.config import Config, parsed

FILE = Path("/home/user/.codex/config.toml")


@pytest.mark.parametrize(
    "text", [b"", b"= oops", b"\xff", b"model_providers = 1", b"[model_providers]\nx = 1"]
)
def test_what_says_nothing_of_keys_leaves_the_defaults(text: bytes) -> None:
    assert parsed(text) == Config()


@given(st.binary())
def test_no_content_breaks_it(text: bytes) -> None:
    assert isinstance(parsed(text), Config)


def test_each_key_is_named_once() -> None:
    tables = (
        '[model_providers.a]\nenv_key = "K"',
        '[model_providers.b]\nenv_key = "K"',
        "[model_providers.c]\nx = 1",
    )
    assert parsed("\n".join(tables).encode()) == Config(keys=("K",))


def test_its_servers_hooks_and_notifier_are_named() -> None:
    text = b"""
    notify = ["notify-send", "done"]
    [mcp_servers.it]
    command = "node"
    args = ["it.js"]
    [[hooks.Stop]]
    hooks = [{ type = "command", command = "~/done -x" }]
    """
    assert list(config.commands(FILE, text)) == [
        NamedCommand(FILE, "mcp_servers.it", ("node", "it.js")),
        NamedCommand(FILE, "hooks.Stop", ("~/done", "-x")),
        NamedCommand(FILE, "notify", ("notify-send", "done")),
    ]


@pytest.mark.parametrize(
    "text", [b"", b"notify = 1", b"x =", b"\xff", b"mcp_servers = []", b"x = " + b"[" * 50_000]
)
def test_what_has_another_form_names_nothing(text: bytes) -> None:
    assert list(config.commands(FILE, text)) == []
