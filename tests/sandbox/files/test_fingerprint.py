"""Two looks at a path differ where what lies there differs, and no look takes long or follows a link."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hqt.sandbox.files.fingerprint import fingerprint, identity


def _tree(folder: Path) -> Path:
    root = folder / "t"
    (root / "a/b").mkdir(parents=True)
    (root / "a/b/file").write_text("1\n")
    (root / "empty").mkdir()
    (root / "link").symlink_to("a")
    return root


def _exchange(root: Path) -> None:
    (root / "empty").rmdir()
    (root / "empty").symlink_to("a")


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "a/b/file").write_text("2\n"),
        lambda root: (root / "a/b/file").chmod(0o755),
        lambda root: (root / "a/b/file").unlink(),
        lambda root: (root / "a/b/new").touch(),
        lambda root: (root / "a/b/file").rename(root / "a/b/other"),
        lambda root: ((root / "link").unlink(), (root / "link").symlink_to("a/b")),
        lambda root: (root / "new").mkdir(),
        lambda root: os.mkfifo(root / "new"),
        _exchange,
    ],
)
def test_a_folder_is_another_after(change: Callable[[Path], object], tmp_path: Path) -> None:
    root = _tree(tmp_path)
    before = fingerprint(root)
    assert fingerprint(root) == before
    change(root)
    assert fingerprint(root) not in (before, None)


def test_what_was_put_back_is_the_same_again(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_text("1\n")
    before = fingerprint(file)
    file.write_text("2\n")
    assert fingerprint(file) != before
    file.unlink()
    assert fingerprint(file) is None
    file.write_text("1\n")
    assert fingerprint(file) == before


def test_a_large_file_is_another_after_a_change_though_its_times_are_set_back(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"x" * (2 << 20))
    os.utime(file, (1, 1))
    before = fingerprint(file)
    with file.open("r+b") as opened:
        opened.write(b"y")
    os.utime(file, (1, 1))
    assert fingerprint(file) != before


def test_links_are_told_by_where_they_lead_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "l").symlink_to("/dev/zero")
    assert fingerprint(tmp_path / "l") == "link /dev/zero"


def test_pipes_and_names_of_any_bytes_are_no_trouble(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / os.fsdecode(b"\xff")).write_text("x")
    assert fingerprint(tmp_path / "pipe") == "special 0o10000"
    assert str(fingerprint(tmp_path)).startswith("folder ")
    assert fingerprint(Path("x\0y")) is None


def test_a_huge_folder_takes_a_bounded_time(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / str(number)).write_bytes(b"x" * (1 << 20))
    began = time.process_time()
    fingerprint(tmp_path)
    assert time.process_time() - began < 1.5


def test_a_folder_of_any_depth_is_looked_at(tmp_path: Path) -> None:
    here = os.open(tmp_path, os.O_RDONLY)
    folders = [here]
    for _ in range(700):
        os.mkdir("deep-deep", dir_fd=folders[-1])
        folders.append(os.open("deep-deep", os.O_RDONLY, dir_fd=folders[-1]))
    assert str(fingerprint(tmp_path)).startswith("folder ")
    for folder in reversed(folders[1:]):
        os.close(folder)
        os.rmdir("deep-deep", dir_fd=folders[folders.index(folder) - 1])
    os.close(here)


def test_identity_is_of_the_path_itself(tmp_path: Path) -> None:
    file, link = tmp_path / "f", tmp_path / "l"
    file.touch()
    link.symlink_to(file)
    assert identity(file) == (file.stat().st_dev, file.stat().st_ino)
    assert identity(link) != identity(file)
    assert identity(tmp_path / "none") is None
