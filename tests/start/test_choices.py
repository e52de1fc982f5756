"""What the dialog is given to choose from, and what is chosen in it already."""

from pathlib import Path

import pytest

from hqt import sandbox
from hqt.errors import ConfigError
from hqt.sandbox import Availability
from hqt.start import choices
from hqt.start.caller import Caller
from hqt.start.choices import Candidate, Choices, FolderFacts
from hqt.values import replace
from tests.sessions.rig import AVAILABLE, Rig
from tests.world import World


@pytest.fixture(autouse=True)
def here(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(rig.world.project)
    monkeypatch.setenv("PWD", str(rig.world.project))


def _choices(world: World) -> Choices:
    return choices.choices(world.places, Caller(dict(world.env), 1000, 0o022))


def _configure(world: World, text: str) -> None:
    world.places.config_file.parent.mkdir(parents=True)
    world.places.config_file.write_text(text)


def _start(rig: Rig, folder: Path, harness: str = "generic", name: str | None = None) -> None:
    rig.service.create_session(folder, harness, name, args=("cat",) if harness == "generic" else ())


def test_on_a_new_machine_nothing_is_chosen_but_where_hqt_was_started(world: World) -> None:
    found = _choices(world)
    assert replace(found, harnesses=()) == Choices(world.home, here=world.project)
    assert found.candidate("generic") == Candidate("generic", "Command")
    assert found.candidate("claude") == Candidate(
        "claude", "Claude Code", installed=False, keeps_login=True, asks=True
    )
    assert found.candidate("nano") is None


def test_what_is_installed_comes_first_and_the_only_agent_is_chosen(world: World) -> None:
    world.tool("codex", "exec cat")
    found = _choices(world)
    assert [each.name for each in found.harnesses if each.installed] == ["codex", "generic"]
    assert [each.installed for each in found.harnesses] == sorted(
        (each.installed for each in found.harnesses), reverse=True
    )
    assert found.harness == "codex"
    world.tool("claude", "exec cat")
    assert _choices(world).harness is None


def test_what_was_used_last_is_chosen_again_while_it_is_there(rig: Rig) -> None:
    codex = rig.world.tool("codex", "exec cat")
    rig.world.tool("claude", "exec cat")
    _start(rig, rig.world.project, "codex")
    assert _choices(rig.world).harness == "codex"
    codex.unlink()
    assert _choices(rig.world).harness == "claude"
    _start(rig, rig.world.project)
    assert _choices(rig.world).harness == "generic"


def test_the_config_chooses_before_what_was_used_last(rig: Rig) -> None:
    _start(rig, rig.world.project)
    _configure(rig.world, '[new]\nharness = "claude"\nsandbox = true\n')
    found = _choices(rig.world)
    assert (found.harness, found.jailed) == ("claude", True)


def test_a_harness_that_nobody_knows_is_shown_where_the_config_names_it(world: World) -> None:
    _configure(world, '[new]\nharness = "nano"\n')
    found = _choices(world)
    assert found.harness == "nano"
    assert found.harnesses[-1] == Candidate("nano", "nano", installed=False)


def test_a_config_that_is_wrong_is_a_sentence(world: World) -> None:
    _configure(world, "[new]\nsandbox = 1\n")
    with pytest.raises(ConfigError, match=r"new\.sandbox = 1 is no choice"):
        _choices(world)


def test_projects_come_newest_first_as_they_were_given_and_names_are_taken(rig: Rig) -> None:
    link = rig.world.home / "link"
    link.symlink_to(rig.world.project)
    for folder, name in ((link, "a"), (rig.world.project, None), (link, None)):
        _start(rig, folder, name=name)
    found = _choices(rig.world)
    assert found.projects == (link, rig.world.project)
    assert found.names == {"a", "proj-generic", "proj-generic-2"}


def test_a_folder_that_is_gone_is_not_where_hqt_was_started(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = world.home / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert _choices(world).here is None


def test_a_ground_is_named_by_its_real_path_and_asked_for_without_what_lies_in_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path | None] = []

    def availability(project: Path | None = None) -> Availability:
        asked.append(project)
        return AVAILABLE

    monkeypatch.setattr(sandbox, "availability", availability)
    caller = Caller(dict(world.env), 1000, 0o022)
    link = world.home / "link"
    link.symlink_to(world.project)
    found = [choices.folder_facts(each, world.places, caller) for each in (link, Path("/"), world.home)]
    assert found == [FolderFacts(name, AVAILABLE) for name in ("proj", "root", "home")]
    assert choices.folder_facts(None, world.places, caller) == FolderFacts(None, AVAILABLE)
    assert asked == [world.project, None, None, None]  # of a refused folder that is no news
