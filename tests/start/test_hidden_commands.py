"""What settings name and the jail hides is told before the start; bwrap is never run."""

import json
import os
from pathlib import Path

import pytest

from hqt.harnesses.registry import BUILT_IN
from hqt.sandbox import Availability, SandboxPolicy
from hqt.start import plan, survey
from hqt.start.caller import Caller
from hqt.start.hidden_commands import hidden_commands
from hqt.start.request import Launch
from hqt.values import replace
from tests.sessions.sample import KEY
from tests.world import World

AVAILABLE = Availability(ok=True, net_off_ok=True, version=(0, 8, 0), bwrap=Path("/usr/bin/bwrap"))


@pytest.fixture
def claude(world: World) -> World:
    world.tool("claude", "exit 1")
    return world


def notes(world: World, **changes: object) -> tuple[str, ...]:
    launch = replace(
        Launch("claude", world.project, SandboxPolicy(), key=KEY, title="mine"),
        **changes,
    )
    who = Caller(world.env, os.geteuid(), 0o022, harnesses=BUILT_IN)
    surveys = survey.survey(launch, world.places, who, AVAILABLE, terminal=True)
    return hidden_commands(surveys, plan.plan(launch, surveys))


def settings(world: World, found: object, name: str = "home/.claude/settings.json") -> Path:
    file = world.root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(found))
    return file


def hook(*commands: str) -> dict[str, object]:
    return {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": each} for each in commands]}]}}


def script(world: World, name: str) -> Path:
    path = world.home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_a_hidden_program_is_told_with_its_entry_and_path(claude: World) -> None:
    done = script(claude, "scripts/done")
    file = settings(claude, hook("~/scripts/done"))
    assert notes(claude) == (f"hooks.Stop in {file} needs {done}, which the jail hides",)


@pytest.mark.parametrize(
    "line",
    ["{}", "$HOME/scripts/done -x", "${{HOME}}/scripts/done", "A=1 B=2 {}", "sh {}", "cat <{} | tee {}"],
)
def test_the_path_may_stand_anywhere_in_the_line(claude: World, line: str) -> None:
    done = script(claude, "scripts/done")
    file = settings(claude, hook(line.format(done, done)))
    assert notes(claude) == (f"hooks.Stop in {file} needs {done}, which the jail hides",)


def test_a_program_that_only_this_machines_path_holds_is_told(claude: World) -> None:
    done = script(claude, "../tools/done").resolve()
    claude.env["PATH"] = f"{claude.env['PATH']}:{done.parent}"
    file = settings(
        claude, {"mcpServers": {"it": {"command": "done", "args": ["--stdio"]}}}, "home/proj/.mcp.json"
    )
    assert notes(claude) == (f"mcpServers.it in {file} needs {done}, which the jail hides",)


def test_what_the_jail_shows_needs_no_word(claude: World) -> None:
    claude.tool("shown", "exit 0")
    script(claude, "proj/check")
    script(claude, ".claude/hooks/mine")
    lines = [
        "shown",
        "sh -c true",
        "echo done",
        "cd /",
        f"{claude.project}/check",
        "~/.claude/hooks/mine",
        "~/none",
        "/none",
    ]
    settings(claude, hook(*lines))
    assert notes(claude) == ()


def test_many_are_counted(claude: World) -> None:
    done = script(claude, "scripts/done")
    file = settings(claude, hook(*[str(done)] * 8))
    sentence = f"hooks.Stop in {file} needs {done}, which the jail hides"
    assert notes(claude) == (*[sentence] * 5, "the jail hides what 3 more settings need")


def test_an_open_session_and_another_command_are_told_nothing(claude: World) -> None:
    settings(claude, hook(str(script(claude, "scripts/done"))))
    assert notes(claude, sandbox=None) == ()
    assert notes(claude, command=("true",)) == ()


def test_settings_of_the_project_are_read_without_following_or_waiting(claude: World) -> None:
    secret = settings(claude, hook(str(script(claude, "scripts/done"))), "home/secret/settings.json")
    (claude.project / ".claude").symlink_to(secret.parent)
    os.mkfifo(claude.project / ".mcp.json")
    assert notes(claude) == ()


@pytest.mark.parametrize(
    "text",
    [
        '{"hooks": ' * 50_000,
        "\ufeff",
        '{"mcpServers": {"a": {"command": "a\\u0000b"}}}',
        '{"mcpServers": {"a": {"command": "\\ud800"}}}',
    ],
)
def test_hostile_settings_of_the_project_do_no_harm(claude: World, text: str) -> None:
    (claude.project / ".mcp.json").write_text(text)
    assert notes(claude) == ()
