"""A folder is taken as the user's shell knows it."""

import os
from pathlib import Path

import pytest

from hqt.errors import ServiceError
from hqt.start.folders import folder


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with `real/sub` and `link`, a link to `real`; the test works in it."""
    (tmp_path / "real/sub").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PWD", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (".", ""),
        ("link", "link"),
        ("./link/", "link"),
        ("no such", "no such"),
        ("~/x", "home/x"),
        ("link/sub/..", "real"),  # where .. really leads
    ],
)
def test_a_folder_is_absolute_and_links_keep_their_names(place: Path, text: str, wanted: str) -> None:
    assert folder(text) == place / wanted


def test_the_current_folder_is_named_as_the_shell_names_it(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place / "link")
    monkeypatch.setenv("PWD", str(place / "link"))
    assert folder(".") == place / "link"


@pytest.mark.parametrize("named", ["", "relative", "/no/such", "/tmp", "/tmp/../tmp"])
def test_a_wrong_name_of_the_current_folder_is_not_believed(
    place: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    monkeypatch.setenv("PWD", named)
    assert folder("x") == place / "x"


def test_a_current_folder_that_is_gone_is_a_sentence(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = place / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(
        ServiceError, match="the current folder is gone: change to another or give a whole path"
    ):
        folder(".")
    assert folder(str(place)) == place
    os.chdir(place)


@pytest.mark.parametrize("text", ["~nobody-of-that-name/x", "circle/../circle/x"])
def test_a_folder_that_leads_nowhere_is_a_sentence(place: Path, text: str) -> None:
    (place / "circle").symlink_to("circle")
    with pytest.raises(ServiceError, match="can't be found: it names no user, or its links lead in a circle"):
        folder(text)


def test_a_folder_with_a_nul_is_a_sentence() -> None:
    with pytest.raises(ServiceError) as raised:
        folder("a\0b")
    assert str(raised.value) == "the folder has a NUL in its name, which none can have: leave it out"
    assert raised.value.about == "directory"
