"""The script of docs/scripting.md does what is said there."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.steps import NOTHING, screen, traces
from tests.world import World, needs_bwrap, needs_tmux

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux, needs_bwrap]

PAGE = Path(__file__).parents[2] / "docs/scripting.md"

# works for a second for each thing that it is told, and shows what it was
_WORKER = r"""
say() { printf '\033[2J\033[Hworking\n'; sleep 1; printf '\033[2J\033[H%s\nready\n' "$1"; }
printf 'ready\n'
sleep 1
say "$(printf '%s\n' "$1" | head -n 1)"
while read -r line; do say "told: $line"; done
"""
_CONFIG = """
[new]
harness = "worker"

[harness.worker]
command = ["worker"]
help = []
prompt = ["{prompt}"]
screen = [
    { means = "working", pattern = "^working" },
    { means = "idle", pattern = "^ready" },
]
"""


@pytest.fixture
def script(world: World) -> str:
    """The page's script, in a world whose agent is the worker."""
    world.places.config.mkdir(parents=True)
    world.places.config_file.write_text(_CONFIG)
    world.tool("worker", _WORKER)
    world.tool("hqt", f'exec {sys.executable} -P -m hqt "$@"')
    (found,) = re.findall(r"## A whole script\n.*?```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert isinstance(found, str)
    return found


def run(world: World, script: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["sh", "-c", script],
        env=world.env,
        cwd=world.project,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def test_the_fan_out_ends_at_the_first_failure_and_touches_no_other_agent(world: World, script: str) -> None:
    """A name is taken, as by an agent of an earlier run that failed."""
    assert world.hqt("new", "--name", "review-tests").returncode == 0
    done = run(world, script)
    assert done.returncode == 1
    assert done.stderr == "hqt: the name review-tests is taken: choose another\n"
    assert "told" not in screen(world, "review-tests")
    assert not (world.project / "reviews.jsonl").exists()


def test_the_fan_out_runs_as_it_is_written(world: World, script: str) -> None:
    done = run(world, script)
    assert (done.returncode, done.stderr) == (0, ""), done
    lines = done.stdout.splitlines()
    names = ["review-bugs", "review-security", "review-tests"]
    shown = lines.index(f"== {names[0]}")
    assert lines[shown : shown + 9] == [
        line for name in names for line in (f"== {name}", "told: Say in one line what matters most.", "ready")
    ]
    assert {line.partition(" ")[2] for line in lines[:shown]} >= {f"{name}: done" for name in names}
    told = [json.loads(line) for line in (world.project / "reviews.jsonl").read_text().splitlines()]
    assert sorted((each["name"], each["state"]) for each in told) == [(name, "idle") for name in names]
    assert traces(world) == NOTHING
