"""What Claude Code's settings make it run."""

import json
from pathlib import Path

from hqt.harnesses.base import NamedCommand
from hqt.harnesses.claude.harness import Claude
from tests.harnesses.places import CWD, HOME, place

SETTINGS, STATE = HOME / ".claude/settings.json", HOME / ".claude.json"


def commands(**files: object) -> list[NamedCommand]:
    names = {
        "settings": SETTINGS,
        "state": STATE,
        "servers": CWD / ".mcp.json",
        "local": CWD / ".claude/settings.local.json",
    }
    texts = {names[name]: json.dumps(found).encode() for name, found in files.items()}
    return list(Claude(place("claude", texts=texts)).commands())


def test_settings_name_hooks_helpers_and_a_status_line() -> None:
    found = commands(
        settings={
            "statusLine": {"type": "command", "command": "~/bin/line --short"},
            "apiKeyHelper": "pass show key",
            "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "notify 'it is done'"}]}]},
        }
    )
    assert found == [
        NamedCommand(SETTINGS, "hooks.Stop", ("notify", "it is done")),
        NamedCommand(SETTINGS, "apiKeyHelper", ("pass", "show", "key")),
        NamedCommand(SETTINGS, "statusLine", ("~/bin/line", "--short")),
    ]


def test_its_state_names_servers_of_every_project_and_of_this_one() -> None:
    state = {
        "mcpServers": {"a": {"command": "/opt/a", "args": ["-x"]}},
        "projects": {
            str(CWD): {"mcpServers": {"b": {"command": "b"}}},
            "/other": {"mcpServers": {"c": {"command": "c"}}},
        },
    }
    assert commands(state=state) == [
        NamedCommand(STATE, "mcpServers.a", ("/opt/a", "-x")),
        NamedCommand(STATE, f"projects.{CWD.name}.mcpServers.b", ("b",)),
    ]


def test_a_project_names_some_as_well() -> None:
    found = commands(servers={"mcpServers": {"a": {"command": "a"}}}, local={"statusLine": {"command": "b"}})
    assert found == [
        NamedCommand(CWD / ".mcp.json", "mcpServers.a", ("a",)),
        NamedCommand(CWD / ".claude/settings.local.json", "statusLine", ("b",)),
    ]


def test_without_settings_nothing_is_named() -> None:
    assert commands() == []
    assert Claude.reads_of_project(Path("/p")) == [
        Path("/p/.mcp.json"),
        Path("/p/.claude/settings.json"),
        Path("/p/.claude/settings.local.json"),
    ]
