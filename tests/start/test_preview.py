"""A start is foreseen to its last word, whatever an agent wrote into the project."""

import json
import os
from pathlib import Path

import pytest

from hqt import sandbox
from hqt.config.harness import DeclaredHarness
from hqt.errors import JailError
from hqt.harnesses import registry
from hqt.sandbox import Availability, SandboxPolicy
from hqt.sandbox.files.private import Private
from hqt.start.caller import Caller
from hqt.start.preview import preview_start
from hqt.start.request import Launch
from hqt.values import replace
from tests.sessions.sample import KEY
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
    found = preview_start(launch, world.places, caller, terminal=True)
    assert found.plan.notes[-1] == f"mcpServers.{told} in {file} needs {hidden}, which the jail hides"


def test_a_declared_entry_in_a_project_stops_a_jail_and_no_open_start(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "availability", lambda _: AVAILABLE)
    world.tool("mine", "exit 1")
    folder = world.project.parent / "around"
    folder.mkdir()
    project = world.project.rename(folder / "proj")
    said = DeclaredHarness("mine", "Mine", ("mine",), rw=(f"{folder}/",), help=())
    private = Private.of(world.places.home, world.places.own())
    known = registry.harnesses([said], world.places.config_file, private)
    caller = Caller(world.env, os.geteuid(), 0o022, harnesses=known)
    launch = Launch("mine", project, SandboxPolicy(), key=KEY, title="mine")
    with pytest.raises(
        JailError, match=r"of harness\.mine\.rw is, holds or lies in .*/around/proj, the project of"
    ):
        preview_start(launch, world.places, caller, terminal=True)
    assert preview_start(replace(launch, sandbox=None), world.places, caller, terminal=True)
