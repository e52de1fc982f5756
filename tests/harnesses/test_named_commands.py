"""The commands that settings name, whoever wrote them."""

from pathlib import Path

import pytest

from hqt.harnesses import named_commands
from hqt.harnesses.base import NamedCommand

FILE = Path("/home/user/.agent/settings.json")


def test_the_commands_of_servers_and_hooks_are_named() -> None:
    settings = {
        "mcpServers": {
            "search": {"command": "node", "args": ["~/search.js", 1]},
            "bare": {"command": "serve"},
            "far": {"httpUrl": "https://example.invalid"},
            "odd": 1,
        },
        "hooks": {
            "BeforeTool": [{"matcher": "*", "hooks": [{"type": "command", "command": "~/check 'a b'"}]}],
            "AfterTool": [{"hooks": [{"command": "unclosed 'quote"}, {"type": "other"}, 1]}, 1],
            "disabled": ["x"],
        },
    }
    assert list(named_commands.of_settings(FILE, settings)) == [
        NamedCommand(FILE, "mcpServers.search", ("node", "~/search.js", "1")),
        NamedCommand(FILE, "mcpServers.bare", ("serve",)),
        NamedCommand(FILE, "hooks.BeforeTool", ("~/check", "a b")),
        NamedCommand(FILE, "hooks.AfterTool", ("unclosed 'quote",)),
    ]


@pytest.mark.parametrize("text", [b"", b"[]", b"{", b"\xff", b"[" * 100_000, b'{"a": ' * 100_000])
def test_what_is_no_object_names_nothing(text: bytes) -> None:
    assert named_commands.parsed(text) == {}


@pytest.mark.parametrize(
    "settings",
    [
        {"mcpServers": []},
        {"mcpServers": {"a": {"command": []}, "b": {"command": ""}, "c": {"command": [1, "x"]}, "d": 1}},
        {"hooks": {"Stop": {}, "Start": [1, {"hooks": 1}, {"hooks": [{"command": 1}, {"command": " "}]}]}},
    ],
)
def test_what_has_another_form_names_nothing(settings: dict[str, object]) -> None:
    assert list(named_commands.of_settings(FILE, settings)) == []


def test_a_name_or_a_line_without_end_is_cut() -> None:
    settings = {
        "mcpServers": {"x" * 1000: {"command": "a"}},
        "hooks": {"y" * 1000: [{"hooks": [{"command": "b" * 9000}]}]},
    }
    server, hook = named_commands.of_settings(FILE, settings)
    assert (len(server.entry), len(hook.entry), len(hook.words[0])) == (71, 60, 4096)


def test_a_server_may_be_one_list_of_words() -> None:
    settings = {"mcp": {"it": {"type": "local", "command": ["node", "~/it.js"]}, "far": {"url": "https://x"}}}
    assert list(named_commands.of_settings(FILE, settings)) == [
        NamedCommand(FILE, "mcp.it", ("node", "~/it.js"))
    ]
