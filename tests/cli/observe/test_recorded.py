"""An agent that shows a recorded screen is told for what it is by one command from outside."""

import os
import signal
from pathlib import Path

import pytest

from tests.cli.steps import agent_pid, screen, shows
from tests.world import World, needs_tmux, wait_until

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]

_SCREENS = Path(__file__).parents[2] / "status/screens"


def _showing(world: World, harness: str, name: str) -> World:
    """A world with one open session, whose agent shows that screen and says which key it gets."""
    text = (_SCREENS / harness / f"{name}.txt").read_text().rstrip()
    world.tool(
        harness,
        f"""[ "$1" = --help ] && exit 0
cat <<'END'
{text}
END
read -r key && echo "got a key"
exec cat""",
    )
    done = world.hqt("new", "--harness", harness)
    assert done.returncode == 0, done.stderr
    last = text.splitlines()[-1].strip()
    assert shows(world, 1, last)
    return world


def _state(world: World) -> str:
    (found,) = world.json("list", "--all")
    assert isinstance(found["state"], str)
    return found["state"]


@pytest.mark.parametrize(
    ("harness", "name"),
    [("claude", "waiting-trust-narrow"), ("codex", "waiting-trust-narrow"), ("gemini", "waiting-narrow")],
)
def test_a_question_before_the_first_prompt_is_seen_and_not_answered(
    world: World, harness: str, name: str
) -> None:
    """A19: in each new folder it waits for trust, and nobody sees it."""
    _showing(world, harness, name)
    (found,) = world.json("list")
    assert found["state"] == "waiting"
    assert found["reason"]
    assert "got a key" not in screen(world, 1)


@pytest.mark.parametrize("harness", ["claude", "codex", "pi"])
def test_a_finished_answer_is_idle_for_a_command_that_runs_once(world: World, harness: str) -> None:
    """A57: no other process has looked before."""
    assert _state(_showing(world, harness, "idle-narrow")) == "idle"


def test_an_agent_that_crashed_has_exited_whatever_it_shows(world: World) -> None:
    """A58: its pane is kept, and its last screen says that it waits."""
    _showing(world, "claude", "waiting-permission-narrow")
    assert _state(world) == "waiting"
    os.kill(agent_pid(world, 1), signal.SIGKILL)
    assert wait_until(lambda: _state(world) == "exited", within_s=20)
    assert "Do you want to proceed?" in screen(world, 1)


@pytest.mark.parametrize(
    "command",
    [
        ("python3", "-i"),
        ("top",),
        ("cat",),
        (
            "sh",
            "-c",
            r"printf '\033]2;✳ Claude Code\007\a Do you want to proceed?\n Esc to cancel\n'; exec cat",
        ),
    ],
)
def test_a_mere_command_runs_and_no_finer_state_is_made_up(world: World, command: tuple[str, ...]) -> None:
    """A60: also where it has a title, rings the bell, and shows what an agent would."""
    done = world.hqt("new", "--harness", "generic", "--", *command)
    assert done.returncode == 0, done.stderr
    if command[0] == "sh":
        assert shows(world, 1, "Esc to cancel")
    for _ in range(2):
        (found,) = world.json("list")
        assert (found["state"], found["unseen"], found["reason"]) == ("running", False, None)
    os.kill(agent_pid(world, 1), signal.SIGKILL)
    assert wait_until(lambda: _state(world) == "exited")
