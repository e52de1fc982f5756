"""Folders that are offered complete what was typed, and can be typed."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as supposing
from hypothesis import strategies as st

from hqt.tui.dialog.folder_completion import Completion, complete, completion_lines, completions


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("src/shop", "src/shop-api", "src/shed", "src/.hidden", "src/esc\x1b[2J", "src/new\nline"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "src/shout").write_text("no folder")
    (tmp_path / "src/link").symlink_to("shop")
    (tmp_path / "src/circle").symlink_to("circle")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("~/src/sh", ["~/src/shed", "~/src/shop", "~/src/shop-api"]),
        ("~/src/", ["~/src/link", "~/src/shed", "~/src/shop", "~/src/shop-api"]),
        ("~/src/.", ["~/src/.hidden"]),
        ("src/shop", ["src/shop", "src/shop-api"]),
        ("s", ["src"]),
        ("~/sr", ["~/src"]),
        ("/no/such", []),
        ("src/shout/", []),
        ("src/circle/", []),
        ("", []),
        ("~", []),
        ("~nobody-of-that-name/", []),
        ("a\0b/", []),
        ("a" * 5000 + "/", []),
    ],
)
def test_folders_that_begin_so_are_offered(home: Path, text: str, wanted: list[str]) -> None:
    assert [each.text for each in completions(text)] == wanted


def test_recent_projects_come_after_completions_and_none_twice(home: Path) -> None:
    recent = (home / "src/shop", Path("/elsewhere/shop"), home / "other")
    assert completion_lines("~/src/shop", recent, home) == (
        Completion("~/src/shop"),
        Completion("~/src/shop-api"),
        Completion("/elsewhere/shop", Path("/elsewhere/shop")),
    )
    assert completion_lines("", recent, home) == tuple(complete(path, home) for path in recent)
    assert completion_lines("SHOP", recent, home) == tuple(complete(path, home) for path in recent[:2])


def test_a_recent_folder_is_shown_literally_and_meant_as_it_is(home: Path) -> None:
    odd = home / "new\nline\x1b[2J"
    assert complete(odd, home) == Completion("~/new\\nline\\x1b[2J", odd)
    assert complete(home, home) == Completion("~", home)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@supposing(text=st.text())
def test_nothing_that_is_typed_raises_and_all_that_is_offered_continues_it(home: Path, text: str) -> None:
    for each in completion_lines(text, (), home):
        assert each.text.startswith(text)
        assert each.text.isprintable()
