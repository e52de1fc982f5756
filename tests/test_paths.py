"""Where hqt keeps its things, and the values of variables that it refuses."""

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt import paths
from hqt.errors import ConfigError
from hqt.paths import Places, home_folder, make_private, places, project_key
from hqt.values import replace

UID = os.geteuid()
OTHER = 54321  # nobody's

VARIABLES = {
    "XDG_DATA_HOME": "data",
    "XDG_CONFIG_HOME": "config",
    "XDG_STATE_HOME": "state",
    "XDG_RUNTIME_DIR": "runtime",
}

only_root = pytest.mark.skipif(UID != 0, reason="only root can give a folder away")


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stands for the system's temporary folder."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(paths, "_TEMPORARY", folder)
    return folder


def refusal(env: dict[str, str], uid: int = UID) -> str:
    with pytest.raises(ConfigError) as raised:
        places(env, uid)
    return str(raised.value)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_with_a_home_alone_everything_has_its_usual_place(tmp_path: Path, temporary: Path) -> None:
    assert places({"HOME": str(tmp_path)}, UID) == Places(
        home=tmp_path,
        data=tmp_path / ".local/share/hqt",
        config=tmp_path / ".config/hqt",
        state=tmp_path / ".local/state/hqt",
        runtime=temporary / f"hqt-{UID}",
        temporary=temporary / f"hqt-{UID}",
    )
    assert list(tmp_path.iterdir()) == [temporary]  # nothing is made by looking


@pytest.mark.parametrize("name", VARIABLES)
def test_each_variable_moves_its_folder_and_no_other(tmp_path: Path, name: str) -> None:
    env = {"HOME": str(tmp_path)}
    moved = places({**env, name: f"{tmp_path}/x/../else//where"}, UID)
    assert moved == replace(places(env, UID), **{VARIABLES[name]: tmp_path / "else/where/hqt"})


def test_the_files_have_their_names(tmp_path: Path) -> None:
    found = places({"HOME": str(tmp_path)}, UID)
    assert found.database == tmp_path / ".local/share/hqt/hqt.db"
    assert found.config_file == tmp_path / ".config/hqt/config.toml"
    assert found.log == tmp_path / ".local/state/hqt/hqt.log"
    assert found.session("0000000a") == tmp_path / ".local/share/hqt/sessions/0000000a"
    assert found.own() == (found.data, found.config, found.state, found.runtime, found.temporary)


@pytest.mark.parametrize("name", ["HOME", *VARIABLES])
def test_an_empty_value_is_refused(tmp_path: Path, name: str) -> None:
    assert refusal({"HOME": str(tmp_path), name: ""}) == (
        f"{name} is set but empty: unset it or give it an absolute path"
    )


@pytest.mark.parametrize("name", ["HOME", *VARIABLES])
@pytest.mark.parametrize("value", ["x", "./x", "../x", "~/x", " /x"])
def test_a_relative_value_is_refused(tmp_path: Path, name: str, value: str) -> None:
    assert refusal({"HOME": str(tmp_path), name: value}) == (
        f"{name}={value} is not an absolute path: unset it or give it one"
    )


def test_without_a_home_nothing_has_a_place() -> None:
    with pytest.raises(ConfigError) as raised:
        home_folder({})
    assert str(raised.value) == "HOME is not set: set it to your home folder"


@only_root
def test_su_and_sudo_keep_variables_of_whoever_called_them(tmp_path: Path) -> None:
    callers = tmp_path / "callers"
    callers.mkdir()
    os.chown(callers, OTHER, OTHER)
    for name in VARIABLES:
        assert refusal({"HOME": str(tmp_path), name: str(callers)}) == (
            f"{name}={callers}: {callers} belongs to another user (uid {OTHER}): unset it or give your own"
        )
    assert refusal({"HOME": str(callers)}) == (
        f"HOME={callers}: {callers} belongs to another user (uid {OTHER}): unset it or give your own"
    )


@only_root
def test_hqts_own_folder_must_be_the_users_and_not_even_roots(tmp_path: Path) -> None:
    (tmp_path / "hqt").mkdir()
    assert "belongs to another user (uid 0)" in refusal({"HOME": "/", "XDG_DATA_HOME": str(tmp_path)}, OTHER)


@only_root
def test_a_foreign_temporary_folder_is_refused_where_it_is_used(tmp_path: Path, temporary: Path) -> None:
    taken = temporary / f"hqt-{UID}"
    taken.mkdir()
    os.chown(taken, OTHER, OTHER)
    assert refusal({"HOME": str(tmp_path)}) == (
        f"XDG_RUNTIME_DIR is not set: {taken} belongs to another user (uid {OTHER}): "
        "unset it or give your own"
    )
    assert places({"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)}, UID).temporary == taken


@pytest.mark.skipif(UID == 0, reason="root enters every folder")
def test_a_folder_that_can_not_be_entered_is_refused(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    assert refusal({"HOME": str(tmp_path), "XDG_STATE_HOME": str(closed)}) == (
        f"XDG_STATE_HOME={closed}: {closed}/hqt can't be entered by you: unset it or give another"
    )


def test_a_loop_and_a_name_that_is_too_long_are_refused(tmp_path: Path) -> None:
    loop, long = tmp_path / "loop", tmp_path / ("x" * 300)
    loop.symlink_to(loop)
    for path, reason in ((loop, "Too many levels of symbolic links"), (long, "File name too long")):
        assert refusal({"HOME": str(tmp_path), "XDG_DATA_HOME": str(path)}) == (
            f"XDG_DATA_HOME={path}: {path}/hqt can't be looked at ({reason}): unset it or give another"
        )


def test_a_folder_may_be_missing_or_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    for name in ("missing/deep", "link", "link/deep"):
        found = places({"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / name)}, UID)
        assert found.data == tmp_path / name / "hqt"


def test_two_data_folders_have_two_sockets(tmp_path: Path) -> None:
    one = places({"HOME": "/h", "XDG_RUNTIME_DIR": str(tmp_path)}, UID)
    other = replace(one, data=Path("/other/hqt"))
    assert one.socket.parent == other.socket.parent == tmp_path / "hqt"
    assert one.socket != other.socket


@given(st.integers(1, 200))
def test_the_path_of_a_socket_always_fits(length: int) -> None:
    here = Path("/x")
    deep = Path("/", "é" * (length // 2) + "x" * (length % 2))
    found = Places(here, here, here, here, runtime=deep, temporary=Path("/tmp/hqt-1"))
    assert len(os.fsencode(found.socket)) <= 107
    fits = len(os.fsencode(deep / found.socket.name)) <= 107
    assert found.socket.parent == (deep if fits else Path("/tmp/hqt-1"))


def test_a_project_is_named_the_same_each_time_and_apart_from_others() -> None:
    assert project_key(Path("/a")) == project_key(Path("/a")) != project_key(Path("/a/b"))
    assert len(project_key(Path("/\udcff"))) == 16


def test_what_is_made_is_private_all_the_way_up(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        assert make_private(tmp_path / "a/b/hqt") == tmp_path / "a/b/hqt"
    finally:
        os.umask(old)
    assert [mode(tmp_path / name) for name in ("a", "a/b", "a/b/hqt")] == [0o700] * 3


def test_a_folder_that_was_open_is_closed_and_its_parent_left_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "share/hqt"
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    folder.parent.chmod(0o755)
    make_private(folder)
    assert (mode(folder), mode(folder.parent)) == (0o700, 0o755)


def test_a_link_or_a_file_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    (tmp_path / "file").touch()
    for name, sentence in {
        "link": f"{tmp_path}/link is no folder of its own: move it away",
        "dangling": f"the folder {tmp_path}/dangling can't be made: File exists",
        "file": f"the folder {tmp_path}/file can't be made: File exists",
        "file/hqt": f"the folder {tmp_path}/file/hqt can't be made: File exists",
    }.items():
        with pytest.raises(ConfigError) as raised:
            make_private(tmp_path / name)
        assert str(raised.value) == sentence


@only_root
def test_a_folder_of_another_user_is_not_taken_over(tmp_path: Path) -> None:
    folder = tmp_path / "hqt"
    folder.mkdir(mode=0o755)
    os.chown(folder, OTHER, OTHER)
    with pytest.raises(ConfigError) as raised:
        make_private(folder)
    assert str(raised.value) == f"{folder} belongs to another user (uid {OTHER}): move it away"
    assert mode(folder) == 0o755
