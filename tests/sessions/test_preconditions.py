"""A declared harness's jail writes no project but its own, and that only as its policy says."""

from pathlib import Path

import pytest

from hqt.config.harness import DeclaredHarness
from hqt.errors import JailError
from hqt.harnesses.base import HarnessConfigurator, Place
from hqt.harnesses.declared.harness import kind
from hqt.sandbox import Bind
from hqt.sandbox.files.private import Private
from hqt.start.validate import declared_binds
from tests.sessions.rig import Rig


def _judge(rig: Rig, harness: HarnessConfigurator, *written: str) -> None:
    home = rig.world.places.home
    private = Private.of(home, rig.world.places.own())
    binds = [Bind(home / path, writable=True) for path in written]
    declared_binds(harness, binds, rig.world.places, private, home / "mine")


def _harness(rig: Rig) -> HarnessConfigurator:
    home = rig.world.places.home
    said = DeclaredHarness("mine", "Mine", ("mine",))
    return kind(said, home)(Place(home=home, env={}, uid=0, cwd=home / "mine"))


def _session(rig: Rig, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    rig.service.create_session(folder, "generic", args=("cat",))


@pytest.mark.parametrize(
    ("path", "whose"),
    [
        ("shop", "session 1"),
        ("shop/.mine", "session 1"),
        ("mine/.x", "the session itself"),
    ],
)
def test_an_entry_in_a_project_stops_the_start(rig: Rig, path: str, whose: str) -> None:
    home = rig.world.places.home
    _session(rig, home / "shop")
    project = home / Path(path).parts[0]
    with pytest.raises(JailError) as refused:
        _judge(rig, _harness(rig), path)
    assert str(refused.value) == (
        f"{home / path} of harness.mine.rw is, holds or lies in {project}, the project of {whose}:"
        " name what lies elsewhere, or leave it out"
    )


def test_a_folder_of_projects_stops_it_too(rig: Rig) -> None:
    (rig.world.places.home / "src").mkdir()
    _session(rig, rig.world.places.home / "src/shop")
    with pytest.raises(JailError, match=r"/src of .*/src/shop, the project of session 1"):
        _judge(rig, _harness(rig), "src")


def test_a_session_in_the_home_itself_stops_nothing(rig: Rig) -> None:
    _session(rig, rig.world.places.home)
    _judge(rig, _harness(rig), ".mine")


def test_what_hqt_itself_says_of_a_harness_is_not_judged(rig: Rig) -> None:
    home = rig.world.places.home
    _session(rig, home / "shop")
    harness = rig.service.caller.harnesses.configure("claude", Place(home, {}, 0, home / "mine"))
    _judge(rig, harness, "shop/.claude")
