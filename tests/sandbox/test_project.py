"""Folders that an agent may work in, and sentences for those that it may not."""

import os
import socket
import stat
from pathlib import Path

import pytest

from hqt.errors import JailError
from hqt.sandbox import project
from hqt.sandbox.files.private import Private
from hqt.sandbox.policy import SandboxPolicy
from hqt.sandbox.project import Project

WRITE, READ = SandboxPolicy(fs="rw"), SandboxPolicy(fs="ro")
UID = os.geteuid()

only_root = pytest.mark.skipif(UID != 0, reason="only root can give a folder away")
not_root = pytest.mark.skipif(UID == 0, reason="root enters every folder")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "home"
    made.mkdir()
    return made


def survey(given: Path, home: Path, policy: SandboxPolicy = WRITE) -> Project:
    return project.survey(given, policy, Private.of(home, ()))


def refusal(given: Path, home: Path, policy: SandboxPolicy = WRITE) -> str:
    with pytest.raises(JailError) as raised:
        survey(given, home, policy)
    return str(raised.value)


@pytest.mark.parametrize(
    "name", ["proj", "my project", "a_b", ".hid", "ünï 日本", "-lead", "q'\"\nq", "b\udcffd"]
)
def test_a_folder_is_a_project_whatever_its_name(home: Path, name: str) -> None:
    folder = home / name
    folder.mkdir()
    assert survey(folder, home) == Project(path=folder)


def test_a_link_is_judged_and_shown_by_what_it_is(home: Path) -> None:
    real, link = home / "real/p", home / "link"
    real.mkdir(parents=True)
    link.symlink_to(real)
    assert survey(link, home) == Project(path=real, link=link)


def test_a_folder_below_a_link_is_one_too(home: Path) -> None:
    real, alias = home / "real/p", home / "alias"
    real.mkdir(parents=True)
    alias.symlink_to(home / "real")
    assert survey(alias / "p", home) == Project(path=real, link=alias / "p")


def test_a_link_to_the_home_is_the_home(home: Path) -> None:
    link = home.parent / "link"
    link.symlink_to(home)
    assert refusal(link, home) == (
        f"{link} (in truth {home}) can't be jailed: it is your home folder or holds it: "
        "choose a project folder below it"
    )


def test_the_home_and_what_holds_it_are_refused(home: Path) -> None:
    for folder in (home, home.parent):
        assert refusal(folder, home) == (
            f"{folder} can't be jailed: it is your home folder or holds it: choose a project folder below it"
        )


def test_a_missing_folder_is_refused(home: Path) -> None:
    assert refusal(home / "nope", home) == (
        f"the folder {home}/nope can't be used (No such file or directory): choose another or see `hqt move`"
    )


def test_a_dangling_link_is_refused(home: Path) -> None:
    (home / "link").symlink_to(home / "gone")
    assert "(No such file or directory)" in refusal(home / "link", home)


def test_a_folder_below_a_file_is_refused(home: Path) -> None:
    (home / "file").touch()
    assert "(Not a directory)" in refusal(home / "file/x", home)


def test_a_loop_of_links_is_refused(home: Path) -> None:
    (home / "a").symlink_to(home / "b")
    (home / "b").symlink_to(home / "a")
    assert refusal(home / "a", home) == (
        f"the folder {home}/a can't be used (a loop of links): choose another or see `hqt move`"
    )


def test_a_name_that_is_too_long_is_refused(home: Path) -> None:
    assert "can't be used (File name too long)" in refusal(home / ("x" * 300), home)


def test_what_is_no_folder_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "file").touch()
    os.mkfifo(home / "fifo")
    monkeypatch.chdir(home)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        for name in ("file", "fifo", "socket"):
            assert refusal(home / name, home) == (
                f"{home}/{name} is not a folder: choose the folder it lies in"
            )


def test_a_folder_of_ones_own_that_can_not_be_written_is_refused_for_writing_only(home: Path) -> None:
    folder = home / "p"
    folder.mkdir(mode=0o500)
    assert survey(folder, home, READ) == Project(path=folder)
    assert "can't be written" in refusal(folder, home, WRITE)


def test_an_unreadable_folder_is_refused(home: Path) -> None:
    folder = home / "p"
    folder.mkdir(mode=0o300)
    for policy in (READ, WRITE):
        assert "can't be read" in refusal(folder, home, policy)


@not_root
def test_a_folder_below_one_that_can_not_be_entered_is_refused(home: Path) -> None:
    (home / "closed/p").mkdir(parents=True)
    (home / "closed").chmod(0)
    assert "can't be used (Permission denied)" in refusal(home / "closed/p", home)
    (home / "closed").chmod(0o700)


@only_root
def test_root_is_told_that_a_jail_takes_away_what_lets_it_write_here(home: Path) -> None:
    folder = home / "p"
    folder.mkdir(mode=0o755)
    os.chown(folder, 65534, 65534)
    assert survey(folder, home, READ) == Project(path=folder)
    assert refusal(folder, home, WRITE) == (
        f"{folder} belongs to uid 65534 and can't be written by uid 0 without root's privileges, "
        "which a jail takes away: work as its owner or change its mode"
    )


@only_root
def test_root_may_use_what_its_group_or_everybody_may_write(home: Path) -> None:
    folder = home / "p"
    folder.mkdir()
    for gid, mode in ((0, 0o770), (65534, 0o707)):
        os.chown(folder, 65534, gid)
        folder.chmod(mode)
        assert survey(folder, home, WRITE) == Project(path=folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o707
