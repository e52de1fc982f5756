"""What an agent's settings name and its jail hides is said by the start, and kept with the session."""

import json

import pytest

from tests.cli.steps import shown
from tests.world import World, needs_bwrap, needs_tmux

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux, needs_bwrap]


def test_a_hook_and_a_server_that_the_jail_hides_are_said_before_the_start(world: World) -> None:
    world.tool("claude", '[ "$1" = --help ] || exec cat')
    script = world.home / "scripts/done"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    settings, servers = world.home / ".claude/settings.json", world.project / ".mcp.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"statusLine": {"type": "command", "command": "~/scripts/done"}}))
    servers.write_text(json.dumps({"mcpServers": {"it": {"command": "sh", "args": [str(script)]}}}))
    done = world.hqt("new", "-s", "--harness", "claude")
    assert done.returncode == 0, done
    sentences = [
        f"statusLine in {settings} needs {script}, which the jail hides",
        f"mcpServers.it in {servers} needs {script}, which the jail hides",
    ]
    assert all(f"hqt: note: {sentence}\n" in done.stderr for sentence in sentences)
    assert all(sentence in shown(world, 1)["note"] for sentence in sentences)
    assert "jail hides" not in world.hqt("new", "--harness", "claude").stderr
