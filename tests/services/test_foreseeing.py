"""A start is foreseen to its last word, whatever an agent wrote into the project."""

import json
import os
from pathlib import Path

import pytest

from hqt import sandbox
from hqt.sandbox import Availability, SandboxPolicy
from hqt.services import foreseeing
from hqt.services.launches import Caller, Launch
from tests.services.sample import KEY
from tests.world import World

AVAILABLE = Availability(ok=True, net_off_ok=True, version=(0, 8, 0), bwrap=Path("/usr/bin/bwrap"))


@pytest.mark.parametrize(("name", "told"), [("\ud800", "\\ud800"), ("\udcff", "\\udcff"), ("é", "é")])
def test_a_note_on_what_is_no_text_can_be_stored(
    world: World, monkeypatch: pytest.MonkeyPatch, name: str, told: str
) -> None:
    monkeypatch.setattr(sandbox, "availability", lambda _: AVAILABLE)
    world.tool("claude", "exit 1")
    hidden, file = world.home / "hidden", world.project / ".mcp.json"
    hidden.touch()
    file.write_text(json.dumps({"mcpServers": {name: {"command": str(hidden)}}}))
    launch = Launch("claude", world.project, SandboxPolicy(), key=KEY, title="mine")
    caller = Caller(world.env, os.geteuid(), 0o022)
    found = foreseeing.start(launch, world.places, caller, terminal=True)
    assert found.plan.notes[-1] == f"mcpServers.{told} in {file} needs {hidden}, which the jail hides"
