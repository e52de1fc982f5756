import os
from pathlib import Path

import pytest

from hqt.harnesses import transcripts


def test_only_the_start_of_a_regular_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"0123456789")
    (tmp_path / "link").symlink_to("file")
    os.mkfifo(tmp_path / "pipe")
    names = ("file", "link", "pipe", ".", "missing")
    assert [transcripts.head(tmp_path / name, 4) for name in names] == [b"0123", b"", b"", b"", b""]


def test_names_come_last_first_and_links_not_at_all(tmp_path: Path) -> None:
    for name in ("a", "c", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / f"{name}.txt").touch()
    (tmp_path / "d").symlink_to("a")
    (tmp_path / "d.txt").symlink_to("a.txt")
    assert [path.name for path in transcripts.folders(tmp_path)] == ["c", "b", "a"]
    assert [path.name for path in transcripts.files(tmp_path)] == ["c.txt", "b.txt", "a.txt"]


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    assert list(transcripts.files(tmp_path / "missing")) == []
    assert not transcripts.is_file(tmp_path / "missing")


def test_no_number_of_entries_holds_a_look_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "_ENTRIES_MAX", 3)
    for number in range(9):
        (tmp_path / str(number)).touch()
    assert len(list(transcripts.files(tmp_path))) == 3


def test_a_copy_is_private_and_whole(tmp_path: Path) -> None:
    source = tmp_path / "x.jsonl"
    source.write_bytes(b"line\n" * 500_000)
    transcripts.duplicate(source, tmp_path / "new/folder")
    copy = tmp_path / "new/folder/x.jsonl"
    assert copy.read_bytes() == source.read_bytes()
    assert (copy.stat().st_mode & 0o777, copy.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert list(copy.parent.iterdir()) == [copy]


def test_only_a_regular_file_is_copied(tmp_path: Path) -> None:
    (tmp_path / "secret").touch()
    (tmp_path / "link").symlink_to("secret")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("link", "pipe", "folder"):
        with pytest.raises(OSError, match=r"symbolic links|not a regular file"):
            transcripts.duplicate(tmp_path / name, tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []
