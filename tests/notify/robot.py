"""Agents whose state a test sets by a word on their screen, and what their user is told of them."""

import json
from pathlib import Path
from typing import Any

from tests.cli.sessions import key, press, shown
from tests.world import World, processes, wait_until

# one screen a word that is typed; `fail` ends it
_ROBOT = """
printf 'ready\\n'
while read -r word; do
    [ "$word" != fail ] || exit 3
    printf '\\033[2J\\033[H%s\\n' "$word"
done
"""
_HARNESS = """
[harness.robot]
command = ["robot"]
help = []
screen = [
    { means = "waiting", pattern = "^ask" },
    { means = "working", pattern = "^busy" },
    { means = "idle", pattern = "^ready" },
]
"""


def configure(world: World, notify: str) -> None:
    """`notify`: what stands in config.toml's [notify]."""
    world.places.config.mkdir(parents=True, exist_ok=True)
    world.places.config_file.write_text(f"{_HARNESS}\n[notify]\n{notify}\n")
    world.tool("robot", _ROBOT)


def begin(world: World, name: str) -> None:
    done = world.hqt("new", "--harness", "robot", "--name", name)
    assert done.returncode == 0, done.stderr


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


def words(world: World, name: str) -> Path:
    """The file that the hooks of a session write to."""
    return world.places.session(key(world, name)) / "events" / "words"
