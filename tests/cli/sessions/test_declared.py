"""A harness of config.toml is one like the others, in every command."""

import json
from pathlib import Path

import pytest

from tests.cli.steps import screen, shown, shows
from tests.world import World, needs_bwrap, needs_tmux

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]

AGENT = r"""
[ "$1" = --help ] && { echo ' -h, --help'; echo ' --yes --session --resume'; exit 0; }
echo "argv $*"
while [ $# -gt 0 ]; do
    [ "$1" = --session ] && { mkdir -p "$HOME/.mine"; echo "$2" > "$HOME/.mine/$2"; }
    [ "$1" = --resume ] && { echo "remembered $(cat "$HOME/.mine/$2")"; }
    shift
done
exec cat
"""
DECLARED = """
[harness.mine]
command = ["mine"]
skip = ["--yes"]
prompt = ["--", "{prompt}"]
new = ["--session", "{id}"]
resume = ["--resume", "{id}"]
transcript = "~/.mine/{id}"
rw = ["~/.mine/"]
"""


@pytest.fixture
def mine(world: World) -> Path:
    world.tool("mine", AGENT)
    file = world.places.config_file
    file.parent.mkdir(parents=True)
    file.write_text(DECLARED)
    return file


@needs_bwrap
def test_it_starts_in_a_jail_and_resumes_by_its_id(world: World, mine: Path) -> None:
    assert world.hqt("new", "-s", "--harness", "mine", "--prompt", "fix it").returncode == 0
    found = world.json("show", "1")
    conversation = found["conversation"]
    assert (found["harness"], found["name"]) == ("mine", "proj-mine")
    assert shows(world, 1, f"argv --yes --session {conversation} -- fix it")
    assert world.hqt("stop", "1").returncode == 0
    assert world.hqt("resume", "1").returncode == 0
    assert shows(world, 1, f"remembered {conversation}")
    assert f"argv --yes --resume {conversation}" in screen(world, 1)


def test_it_is_taken_without_being_named_when_it_is_the_only_one(world: World, mine: Path) -> None:
    assert world.hqt("new").returncode == 0
    assert world.json("show", "1")["harness"] == "mine"


@needs_bwrap
def test_it_is_explained_and_looked_at(world: World, mine: Path) -> None:
    (world.home / ".mine").mkdir()
    asked = world.hqt("sandbox", "why", "--json", "--harness", "mine", str(world.home / ".mine"))
    said = json.loads(asked.stdout)
    assert (said["visible"], said["writable"], said["rule"]) == (True, True, "harness")
    checks = {each["id"]: each for each in world.json("doctor")["checks"]}
    assert checks["harness-mine"]["state"] == "ok"


def test_a_session_whose_harness_is_declared_no_more_is_told_and_can_be_removed(
    world: World, mine: Path
) -> None:
    assert world.hqt("new").returncode == 0
    mine.unlink()
    assert shown(world, 1)["state"] == "running"
    assert world.hqt("stop", "1").returncode == 0
    gone = shown(world, 1)
    assert (gone["state"], gone["exit"], gone["note"][:26]) == ("broken", None, "there is no harness 'mine'")
    assert " broken !  mine " in world.hqt("list").stdout
    done = world.hqt("resume", "1")
    assert (done.returncode, done.stdout) == (1, "")
    assert "there is no harness 'mine': it is one of" in done.stderr
    assert "or declare [harness.mine] in config.toml" in done.stderr
    assert world.hqt("rm", "1").returncode == 0


def test_what_is_wrong_in_its_table_is_told_by_new_and_by_doctor(world: World, mine: Path) -> None:
    mine.write_text(DECLARED.replace("~/.mine/", "~/.ssh"))
    sentence = f"{mine}: harness.mine.rw has ~/.ssh, which is, holds or lies in a folder of keys"
    done = world.hqt("new", "--harness", "mine")
    assert (done.returncode, done.stderr) == (1, f"hqt: {sentence}: name what lies deeper, or leave it out\n")
    done = world.hqt("doctor")
    assert done.returncode == 1
    assert sentence in done.stdout
