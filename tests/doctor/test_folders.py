"""Each folder is judged by itself, and none is made."""

import pytest

from hqt.doctor import folders
from hqt.doctor.check import Check
from tests.db.scratch import as_ordinary_user
from tests.doctor.scenes import look
from tests.world import World


def _checks(world: World, **env: str) -> dict[str, Check]:
    return {check.id: check for check in folders.checks(look(world, **env))}


def test_folders_that_are_not_there_are_ok_and_stay_so(world: World) -> None:
    here = world.places
    details = {id_: (check.state, check.detail) for id_, check in _checks(world).items()}
    assert details == {
        "folder-data": ("ok", f"{here.data}, made when first needed"),
        "folder-config": ("ok", f"{here.config}, not there"),
        "folder-state": ("ok", f"{here.state}, made when first needed"),
        "folder-runtime": ("ok", f"{here.runtime}, made when first needed"),
    }
    assert not any(folder.exists() for folder in (here.data, here.config, here.state, here.runtime))


def test_a_relative_variable_fails_its_own_folder_alone(world: World) -> None:
    checks = _checks(world, XDG_DATA_HOME="share")
    assert checks.pop("folder-data") == Check(
        "folder-data",
        "data folder",
        "failed",
        "XDG_DATA_HOME=share is not an absolute path",
        "unset it or give it one",
    )
    assert {check.state for check in checks.values()} == {"ok"}


@pytest.mark.parametrize(
    ("kind", "mode", "state"),
    [
        ("data", 0o700, "ok"),
        ("data", 0o750, "warning"),
        ("config", 0o755, "ok"),
        ("config", 0o775, "warning"),
    ],
)
def test_a_folder_open_to_others_is_a_warning(world: World, kind: str, mode: int, state: str) -> None:
    folder = getattr(world.places, kind)
    folder.mkdir(parents=True)
    folder.chmod(mode)
    check = _checks(world)[f"folder-{kind}"]
    open_ = ", is open to others" if state == "warning" else ""
    remedy = f"`chmod 700 {folder}`" if state == "warning" else None
    assert (check.state, check.detail) == (state, f"{folder}, yours, mode {mode:04o}{open_}")
    assert check.remedy == remedy


def test_a_link_in_the_place_of_an_own_folder_fails(world: World) -> None:
    world.places.state.parent.mkdir(parents=True, exist_ok=True)
    world.places.state.symlink_to(world.project)
    check = _checks(world)["folder-state"]
    assert (check.state, check.detail) == ("failed", f"{world.places.state} is no folder of its own")


def test_a_link_to_the_config_folder_is_as_good(world: World) -> None:
    world.places.config.parent.mkdir(parents=True)
    dotfiles = world.home / "dotfiles"
    dotfiles.mkdir(mode=0o755)
    world.places.config.symlink_to(dotfiles)
    assert _checks(world)["folder-config"].state == "ok"


def test_a_file_where_a_folder_should_be_made_fails(world: World) -> None:
    file = world.home / "file"
    file.touch()
    check = _checks(world, XDG_STATE_HOME=str(file))["folder-state"]
    assert (check.state, check.detail) == ("failed", f"{file}/hqt can't be made: {file} is no folder")


def test_a_folder_that_can_not_be_written_fails(world: World) -> None:
    world.places.data.mkdir(mode=0o500, parents=True)

    def work() -> None:
        check = _checks(world)["folder-data"]
        detail = f"{world.places.data}, yours, mode 0500, can't be used by you"
        assert (check.state, check.detail) == ("failed", detail)

    assert as_ordinary_user(world.places, work) == 0


def test_a_socket_of_a_long_path_has_its_folder_looked_at(world: World) -> None:
    deep = world.root / ("d" * 90)
    deep.mkdir(mode=0o700)
    assert "folder-socket" in _checks(world, XDG_RUNTIME_DIR=str(deep))


@pytest.mark.parametrize(
    ("text", "state", "detail", "remedy"),
    [
        (None, "ok", "none: the defaults hold", None),
        ('[keys]\ndetach = "f12"\n', "ok", "{}", None),
        ("[colours]\n", "failed", "{}: colours is unknown", "use harness or keys or new or notify or tmux"),
        ("[keys\n", "failed", "{} is not TOML (Expected ']'", "correct it"),
    ],
)
def test_a_wrong_config_fails_with_its_sentence(
    world: World, text: str | None, state: str, detail: str, remedy: str | None
) -> None:
    file = world.places.config_file
    if text is not None:
        file.parent.mkdir(parents=True)
        file.write_text(text)
    check = folders.config_file(look(world))
    assert (check.state, check.remedy) == (state, remedy)
    assert check.detail.startswith(detail.format(file))
