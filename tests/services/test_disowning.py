"""What jails of a removed session left is marked, and nothing else ever is."""

from pathlib import Path

import pytest

from hqt.sandbox import SandboxPolicy
from hqt.services.disowning import disown, disowned
from hqt.services.launches import Caller
from hqt.services.pruning import Pruner
from tests.services.conftest import Desk
from tests.services.sample import KEY, row

_PLACES = {"gemini": ".gemini/hqt", "opencode": ".local/share/opencode/hqt"}


def _marked(desk: Desk) -> list[Path]:
    return list(disowned(desk.world.places.home, desk.world.env))


def _left(folder: Path, key: str) -> Path:
    (folder / key).mkdir(parents=True, exist_ok=True)
    (folder / key / "said").write_text("what was said\n")
    return folder / key


@pytest.mark.parametrize("harness", _PLACES)
def test_what_a_removed_session_left_is_found_and_freed(desk: Desk, harness: str) -> None:
    desk.world.tool(harness, "exec sleep 600")
    desk.service.create_session(desk.world.project, harness, sandbox=SandboxPolicy())
    key, folder = desk.row().key, desk.world.home / _PLACES[harness]
    kept, other = _left(folder, key), _left(folder, "0000ffff")
    assert _marked(desk) == []
    desk.service.delete_session("1")
    assert _marked(desk) == [folder / f"{key}.removed"]
    pruner = Pruner.of(desk.world.places, desk.backend, desk.world.env)
    (found,) = [each for each in pruner.find() if each.kind == "transcript"]
    assert (found.path, found.why) == (
        folder / f"{key}.removed",
        "the session that alone could read it was removed",
    )
    assert pruner.free(found) is True
    # the other may be a session of another data folder
    assert (kept.exists(), found.path.exists(), other.exists()) == (False, False, True)


def test_it_is_looked_for_where_the_session_was_started(desk: Desk) -> None:
    elsewhere = desk.world.home / "elsewhere"
    _left(elsewhere / ".gemini/hqt", KEY)
    disown(
        row(harness="gemini", roots=(f"GEMINI_CLI_HOME={elsewhere}",)),
        desk.world.places,
        Caller(dict(desk.world.env), 0, 0o022),
    )
    assert _marked(desk) == []
    moved = desk.world.env | {"GEMINI_CLI_HOME": str(elsewhere)}
    assert list(disowned(desk.world.home, moved)) == [elsewhere / f".gemini/hqt/{KEY}.removed"]


@pytest.mark.parametrize("harness", ["claude", "generic", "undeclared", "gemini"])
def test_where_nothing_was_left_nothing_happens(desk: Desk, harness: str) -> None:
    disown(row(harness=harness), desk.world.places, Caller(dict(desk.world.env), 0, 0o022))
    assert _marked(desk) == []


def test_a_variable_that_leads_nowhere_hides_only_its_own(desk: Desk) -> None:
    _left(desk.world.home / _PLACES["opencode"], f"{KEY}.removed")
    env = desk.world.env | {"GEMINI_CLI_HOME": "relative"}
    assert list(disowned(desk.world.home, env)) == [desk.world.home / _PLACES["opencode"] / f"{KEY}.removed"]
