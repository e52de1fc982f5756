"""Paths are followed on the jail's mounts: a link leads where it would lead inside."""

import os
from pathlib import Path

import pytest

from hqt.sandbox.mounts import Mount
from hqt.sandbox.path_inside import Inside, Reached


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "proj"
    (folder / "sub").mkdir(parents=True)
    (folder / "file").write_text("x")
    (tmp_path / "secret").write_text("x")
    return folder


def inside(folder: Path, *, writable: bool = True) -> Inside:
    return Inside(
        (
            Mount("fresh", Path("/")),
            Mount("fresh", Path("/home"), writable=True),
            Mount("link", Path("/home/name"), Path("/home/p")),
            Mount("bind", Path("/home/p"), folder, writable=writable),
            Mount("bind", Path("/home/p/sub"), folder / "sub"),
            Mount("file", Path("/home/copy"), writable=True),
        )
    )


def reach(view: Inside, path: str) -> tuple[Path, bool, bool]:
    found = view.reach(Path(path))
    return found.place, found.exists, found.writable


def test_a_file_of_a_bind_is_reached_with_its_source(folder: Path) -> None:
    view = inside(folder)
    assert view.reach(Path("/home/p/file")) == Reached(
        Path("/home/p/file"), view.mounts[3], folder / "file", exists=True, writable=True
    )


@pytest.mark.parametrize(
    ("path", "place", "exists", "writable"),
    [
        ("/", "/", True, False),
        ("/home", "/home", True, True),
        ("/home/other", "/home/other", False, True),
        ("/etc", "/etc", False, False),
        ("/home/copy", "/home/copy", True, True),
        ("/home/copy/x", "/home/copy/x", False, False),
        ("/home/p/new", "/home/p/new", False, True),
        ("/home/p/sub", "/home/p/sub", True, False),
        ("/home/p/sub/new", "/home/p/sub/new", False, False),
        ("/home/p/file/x", "/home/p/file/x", False, False),
        ("/home/name/file", "/home/p/file", True, True),
        ("/home/p/sub/../file", "/home/p/file", True, True),
    ],
)
def test_each_place_is_what_its_mount_makes_it(
    folder: Path, path: str, place: str, exists: bool, writable: bool
) -> None:
    assert reach(inside(folder), path) == (Path(place), exists, writable)


def test_a_link_leads_to_what_lies_there_inside(folder: Path) -> None:
    (folder / "out").symlink_to(folder.parent / "secret")
    (folder / "up").symlink_to("../copy")
    (folder / "round").symlink_to("round")
    view = inside(folder)
    assert reach(view, "/home/p/out") == (folder.parent / "secret", False, False)
    assert reach(view, "/home/p/up") == (Path("/home/copy"), True, True)
    assert view.reach(Path("/home/p/round")).mount is None


def test_a_read_only_bind_is_not_written(folder: Path) -> None:
    assert reach(inside(folder, writable=False), "/home/p/file") == (Path("/home/p/file"), True, False)


def test_a_folder_that_the_agent_may_not_enter_bars_the_way(folder: Path) -> None:
    (folder / "shut").mkdir()
    (folder / "shut/x").write_text("")
    (folder / "shut").chmod(0)
    found = inside(folder).reach(Path("/home/p/shut/x"))
    (folder / "shut").chmod(0o700)
    assert (found.barred, found.exists) == (Path("/home/p/shut"), False)


def test_processes_of_the_host_are_not_in_the_jails_proc() -> None:
    view = Inside((Mount("fresh", Path("/")), Mount("proc", Path("/proc"), Path("/proc"))))
    assert reach(view, f"/proc/{os.getppid()}") == (Path(f"/proc/{os.getppid()}"), False, False)
    assert reach(view, "/proc/meminfo") == (Path("/proc/meminfo"), True, False)
