"""What is written into the runtime folder."""

import stat
from pathlib import Path

import pytest

from hqt.backends.base import Size, SpawnRequest
from hqt.backends.spec import spec_text
from hqt.backends.tmux import files
from hqt.errors import BackendError


def request(key: str) -> SpawnRequest:
    return SpawnRequest(
        key, "t", "OPEN", ("x",), Path("/"), {}, (), None, seal=None, umask=0, size=Size(80, 24)
    )


def test_a_spec_is_private_and_each_has_its_own(tmp_path: Path) -> None:
    first, second = (files.write_spec(tmp_path, request("0000000a")) for _ in range(2))
    assert first != second
    assert first.read_text() == spec_text(request("0000000a"))
    assert stat.S_IMODE(first.stat().st_mode) == 0o600


def test_only_the_specs_of_one_session_are_discarded(tmp_path: Path) -> None:
    files.write_spec(tmp_path, request("0000000a"))
    other = files.write_spec(tmp_path, request("0000000b"))
    files.discard_specs(tmp_path, "0000000a")
    assert list(tmp_path.iterdir()) == [other]


def test_an_unchanged_configuration_is_not_written_again(tmp_path: Path) -> None:
    path = tmp_path / "c"
    files.write_config(path, "a\n")
    before = path.stat()
    files.write_config(path, "a\n")
    assert (path.stat().st_ino, stat.S_IMODE(before.st_mode)) == (before.st_ino, 0o600)
    files.write_config(path, "b\n")
    assert path.read_text() == "b\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_gone_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match=r"can't be written \(No such file or directory\)"):
        files.write_spec(tmp_path / "gone", request("0000000a"))
    with pytest.raises(BackendError, match=r"can't be written \(No such file or directory\)"):
        files.write_config(tmp_path / "gone/c", "x")
