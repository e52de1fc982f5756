"""The commands that settings name: MCP servers, hooks, single lines; an agent may have written them."""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hqt.harnesses.base import NamedCommand

_LINE_MAX = 4096  # of a hook; parting a shell's words takes its time
_NAME_MAX = 60


def parsed(text: bytes) -> Mapping[str, object]:
    """The object that `text` holds; empty where it is none, which the harness itself will say."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def of_settings(file: Path, found: Mapping[str, object]) -> Iterator[NamedCommand]:
    """The MCP servers and hooks of `found`, as five of the harnesses write them."""
    for key in ("mcpServers", "mcp_servers", "mcp"):
        yield from servers(file, key, found.get(key))
    for event, groups in inner(found, "hooks").items():
        for group in listed(groups):
            for hook in listed(_of(group, "hooks")):
                yield from line(file, f"hooks.{event}", _of(hook, "command"))


def servers(file: Path, key: str, found: object) -> Iterator[NamedCommand]:
    """A table of MCP servers, each with a command and its args, or with both as one list."""
    for name, server in found.items() if isinstance(found, dict) else ():
        program = _of(server, "command")
        words = program if isinstance(program, list) else [program, *listed(_of(server, "args"))]
        given = tuple(str(word) for word in words if isinstance(word, str | int))
        if given and isinstance(words[0], str) and words[0]:
            yield NamedCommand(file, f"{key}.{str(name)[:_NAME_MAX]}", given)


def line(file: Path, entry: str, text: object) -> Iterator[NamedCommand]:
    """One line of a shell; whole where it can't be parted into words."""
    if not isinstance(text, str) or not text.strip():
        return
    yield NamedCommand(file, entry[:_NAME_MAX], _words(text[:_LINE_MAX]))


def _words(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text, comments=True))
    except ValueError:
        return (text,)


def inner(found: object, name: str) -> Mapping[str, object]:
    table = _of(found, name)
    return table if isinstance(table, dict) else {}


def listed(found: object) -> Sequence[object]:
    return found if isinstance(found, list) else ()


def _of(found: object, name: str) -> object:
    return found.get(name) if isinstance(found, dict) else None
