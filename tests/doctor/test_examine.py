"""The whole look, in the order in which people read it."""

import pytest

from hqt.doctor.examine import examine
from hqt.harnesses import registry
from tests.doctor.scenes import caller
from tests.world import World

IDS = [
    *"python tmux tmux-server git bwrap bwrap-offline bwrap-layers".split(),
    *(f"harness-{name}" for name in registry.NAMES),
    *"folder-data folder-config folder-state folder-runtime config tmux-config".split(),
    *"notices database panes".split(),
]


@pytest.fixture
def alone(world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """The world, as the sandbox sees it too."""
    for name in ("HOME", "PATH", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, world.env[name])
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    return world


def test_everything_is_looked_at(alone: World) -> None:
    report = examine(caller(alone), alone.project)
    assert [check.id for check in report.checks] == IDS


@pytest.mark.parametrize(
    "name", ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"]
)
@pytest.mark.parametrize("value", ["", "relative", "/" + "long" * 2000])
def test_a_wrong_variable_hides_nothing(
    alone: World, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    report = examine(caller(alone, **{name: value}), None)
    assert ([check.id for check in report.checks], report.ok) == (IDS, False)
    failed = {check.id for check in report.checks if check.state == "failed"}
    folder = name.removeprefix("XDG_").partition("_")[0].lower()
    all_four = {"folder-data", "folder-config", "folder-state", "folder-runtime"}
    # a home too long to look at is no bar to the runtime folder, which does not lie in it
    expected = (
        {f"folder-{folder}"}
        if name != "HOME"
        else all_four
        if len(value) < 100
        else all_four - {"folder-runtime"}
    )
    assert failed == expected


def test_nothing_is_made_but_remembered_answers(alone: World) -> None:
    alone.tool("claude", "echo 1.0")
    before = set(alone.root.rglob("*"))
    examine(caller(alone), alone.project)
    made = set(alone.root.rglob("*")) - before
    state = alone.places.state
    assert {path for path in made if not state.is_relative_to(path)} <= {
        state / "bwrap.json",
        state / "programs.json",
    }
