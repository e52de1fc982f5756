"""The theme that was chosen comes back, and nothing else does."""

from pathlib import Path

import pytest

from hqt.errors import HqtError
from hqt.tui import theme
from hqt.tui.app import HqtApp
from tests.tui.stand import CannedServices, until

_DEFAULT = HqtApp(CannedServices()).theme


def _kept(state: Path, content: bytes) -> Path:
    state.mkdir(exist_ok=True)
    (state / "theme").write_bytes(content)
    return state


def _theme(state: Path) -> str:
    return HqtApp(CannedServices(), state=state).theme


async def test_the_chosen_theme_is_that_of_the_next_run(tmp_path: Path) -> None:
    state = tmp_path / "state"
    app = HqtApp(CannedServices(), state=state)
    async with app.run_test() as pilot:
        await pilot.pause()
        assert not state.exists()  # nothing was chosen
        app.theme = "nord"
        await until(pilot, lambda: theme.remembered_theme(state) == "nord")
        app.theme = "textual-light"
        await until(pilot, lambda: theme.remembered_theme(state) == "textual-light")
    assert _theme(state) == "textual-light"
    assert [each.name for each in state.iterdir()] == ["theme"]
    assert (state / "theme").stat().st_mode & 0o777 == 0o600
    assert state.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"no such theme\n", b"nord\nnord\n", b"nord\x1b[2J", b"\xff\xfe", b"n" * 5000, b"nord\0"],
)
def test_odd_content_is_ignored(tmp_path: Path, content: bytes) -> None:
    assert _theme(_kept(tmp_path / "state", content)) == _DEFAULT


def test_what_is_no_file_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "theme").symlink_to(_kept(tmp_path / "other", b"nord\n") / "theme")
    assert _theme(tmp_path) == _DEFAULT
    assert _theme(tmp_path / "missing") == _DEFAULT
    assert _theme(_kept(tmp_path / "state", b"nord")) == "nord"


def test_a_link_in_its_place_is_replaced_and_not_written_through(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine\n")
    (tmp_path / "state").mkdir()
    (tmp_path / "state/theme").symlink_to(precious)
    theme.remember_theme(tmp_path / "state", "nord")
    assert (precious.read_text(), theme.remembered_theme(tmp_path / "state")) == ("mine\n", "nord")


async def test_where_it_can_not_be_kept_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "state/theme/full").mkdir(parents=True)
    with pytest.raises(HqtError, match="the theme can't be saved in"):
        theme.remember_theme(tmp_path / "state", "nord")
    assert [each.name for each in (tmp_path / "state").iterdir()] == ["theme"]
    app = HqtApp(CannedServices(), state=tmp_path / "state")
    async with app.run_test() as pilot:
        app.theme = "nord"
        await until(pilot, lambda: any("can't be saved" in each.message for each in app._notifications))
