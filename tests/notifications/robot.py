"""Agents whose state a test sets by a word on their screen, and what their user is told of them."""

import json
from pathlib import Path
from typing import Any

from hqt.db import reader
from tests.cli import robot
from tests.cli.steps import becomes, key, press, shown
from tests.world import World, processes, wait_until


def configure(world: World, notify: str) -> None:
    """`notify`: what stands in config.toml's [notify]."""
    robot.declare(world, more=f"[notify]\n{notify}")


def begin(world: World, name: str) -> None:
    """Start a session whose agent is at its prompt."""
    robot.begin(world, name)
    press(world, name, "ready", "Enter")
    # by its id: a name may begin as an option does
    assert becomes(world, reader.find(world.places, name).id, "idle")


def show(world: World, name: str, word: str, state: str) -> None:
    """Let its screen show `word`, and wait until the watcher has seen it."""
    press(world, name, word, "Enter")
    assert wait_until(lambda: _seen(world, name) == state, within_s=20), (
        _seen(world, name),
        shown(world, name),
    )


def _seen(world: World, name: str) -> str | None:
    file = world.places.data / "notices.json"
    found = json.loads(file.read_text()) if file.exists() else {}
    stands: dict[str, str] = found.get(key(world, name), {})
    return stands.get("word")


def told(file: Path) -> list[dict[str, Any]]:
    """What the user's own command was told, one JSON object a line."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def watchers(world: World) -> list[int]:
    return [pid for pid, command in processes(world.root).items() if " -m hqt watch" in command]
