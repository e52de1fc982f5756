"""A declared harness's jail writes no project but its own, and that only as its policy says."""

from pathlib import Path

import pytest

from hqt.config_harness import DeclaredHarness
from hqt.errors import JailError
from hqt.harnesses.base import HarnessConfigurator, Place
from hqt.harnesses.declared import kind
from hqt.sandbox import Bind
from hqt.sandbox.private import Private
from hqt.services import refusing
from tests.services.conftest import Desk


def _judge(desk: Desk, harness: HarnessConfigurator, *written: str) -> None:
    home = desk.world.places.home
    private = Private.of(home, desk.world.places.own())
    binds = [Bind(home / path, writable=True) for path in written]
    refusing.in_projects(harness, binds, desk.world.places, private, home / "mine")


def _harness(desk: Desk) -> HarnessConfigurator:
    home = desk.world.places.home
    said = DeclaredHarness("mine", "Mine", ("mine",))
    return kind(said, home)(Place(home=home, env={}, uid=0, cwd=home / "mine"))


def _session(desk: Desk, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    desk.service.create_session(folder, "generic", args=("cat",))


@pytest.mark.parametrize(
    ("path", "whose"),
    [
        ("shop", "session 1"),
        ("shop/.mine", "session 1"),
        ("mine/.x", "the session itself"),
    ],
)
def test_an_entry_in_a_project_stops_the_start(desk: Desk, path: str, whose: str) -> None:
    home = desk.world.places.home
    _session(desk, home / "shop")
    project = home / Path(path).parts[0]
    with pytest.raises(JailError) as refused:
        _judge(desk, _harness(desk), path)
    assert str(refused.value) == (
        f"{home / path} of harness.mine.rw is, holds or lies in {project}, the project of {whose}:"
        " name what lies elsewhere, or leave it out"
    )


def test_a_folder_of_projects_stops_it_too(desk: Desk) -> None:
    (desk.world.places.home / "src").mkdir()
    _session(desk, desk.world.places.home / "src/shop")
    with pytest.raises(JailError, match=r"/src of .*/src/shop, the project of session 1"):
        _judge(desk, _harness(desk), "src")


def test_a_session_in_the_home_itself_stops_nothing(desk: Desk) -> None:
    _session(desk, desk.world.places.home)
    _judge(desk, _harness(desk), ".mine")


def test_what_hqt_itself_says_of_a_harness_is_not_judged(desk: Desk) -> None:
    home = desk.world.places.home
    _session(desk, home / "shop")
    harness = desk.service.caller.harnesses.configure("claude", Place(home, {}, 0, home / "mine"))
    _judge(desk, harness, "shop/.claude")
