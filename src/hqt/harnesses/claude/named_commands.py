"""What Claude Code's settings make it run, the user's and the project's."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from hqt.harnesses import named_commands
from hqt.harnesses.base import NamedCommand

# each a shell's line; apiKeyHelper is what logs in
_LINES = "apiKeyHelper awsAuthRefresh awsCredentialExport gcpAuthRefresh otelHeadersHelper".split()
_WITH_COMMAND = "statusLine subagentStatusLine fileSuggestion".split()


def of_project(project: Path) -> list[Path]:
    return [project / ".mcp.json", project / ".claude/settings.json", project / ".claude/settings.local.json"]


def commands(file: Path, text: bytes) -> Iterator[NamedCommand]:
    """Of a settings.json, and of an .mcp.json."""
    found = named_commands.parsed(text)
    yield from named_commands.of_settings(file, found)
    for key in _LINES:
        yield from named_commands.line(file, key, found.get(key))
    for key in _WITH_COMMAND:
        yield from named_commands.line(file, key, named_commands.inner(found, key).get("command"))


def of_state(file: Path, state: Mapping[str, object], project: Path) -> Iterator[NamedCommand]:
    """Of .claude.json: the user's MCP servers everywhere, and those of this project."""
    yield from named_commands.servers(file, "mcpServers", state.get("mcpServers"))
    of_project = named_commands.inner(named_commands.inner(state, "projects"), str(project))
    yield from named_commands.servers(
        file, f"projects.{project.name}.mcpServers", of_project.get("mcpServers")
    )
