"""What jails of a removed session left is marked, and nothing else ever is."""

from pathlib import Path

import pytest

from hqt.conversations.orphans import mark_orphans, orphans
from hqt.sandbox import SandboxPolicy
from hqt.sessions.prune import Pruner
from hqt.start.caller import Caller
from tests.sessions.rig import Rig
from tests.sessions.sample import KEY, row
from tests.world import LIVES

_PLACES = {"gemini": ".gemini/hqt", "opencode": ".local/share/opencode/hqt"}


def _marked(rig: Rig) -> list[Path]:
    return list(orphans(rig.world.places.home, rig.world.env))


def _left(folder: Path, key: str) -> Path:
    (folder / key).mkdir(parents=True, exist_ok=True)
    (folder / key / "said").write_text("what was said\n")
    return folder / key


@pytest.mark.parametrize("harness", _PLACES)
def test_what_a_removed_session_left_is_found_and_freed(rig: Rig, harness: str) -> None:
    rig.world.tool(harness, LIVES)
    rig.service.create_session(rig.world.project, harness, sandbox=SandboxPolicy())
    key, folder = rig.row().key, rig.world.home / _PLACES[harness]
    kept, other = _left(folder, key), _left(folder, "0000ffff")
    assert _marked(rig) == []
    rig.service.delete_session("1")
    assert _marked(rig) == [folder / f"{key}.removed"]
    pruner = Pruner.of(rig.world.places, rig.backend, rig.world.env)
    (found,) = [each for each in pruner.find() if each.kind == "transcript"]
    assert (found.path, found.why) == (
        folder / f"{key}.removed",
        "the session that alone could read it was removed",
    )
    assert pruner.free(found) is True
    # the other may be a session of another data folder
    assert (kept.exists(), found.path.exists(), other.exists()) == (False, False, True)


def test_it_is_looked_for_where_the_session_was_started(rig: Rig) -> None:
    elsewhere = rig.world.home / "elsewhere"
    _left(elsewhere / ".gemini/hqt", KEY)
    mark_orphans(
        row(harness="gemini", roots=(f"GEMINI_CLI_HOME={elsewhere}",)),
        rig.world.places,
        Caller(dict(rig.world.env), 0, 0o022),
    )
    assert _marked(rig) == []
    moved = rig.world.env | {"GEMINI_CLI_HOME": str(elsewhere)}
    assert list(orphans(rig.world.home, moved)) == [elsewhere / f".gemini/hqt/{KEY}.removed"]


@pytest.mark.parametrize("harness", ["claude", "generic", "undeclared", "gemini"])
def test_where_nothing_was_left_nothing_happens(rig: Rig, harness: str) -> None:
    mark_orphans(row(harness=harness), rig.world.places, Caller(dict(rig.world.env), 0, 0o022))
    assert _marked(rig) == []


def test_a_variable_that_leads_nowhere_hides_only_its_own(rig: Rig) -> None:
    _left(rig.world.home / _PLACES["opencode"], f"{KEY}.removed")
    env = rig.world.env | {"GEMINI_CLI_HOME": "relative"}
    assert list(orphans(rig.world.home, env)) == [rig.world.home / _PLACES["opencode"] / f"{KEY}.removed"]
