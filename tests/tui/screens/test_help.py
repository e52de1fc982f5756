"""The help names the keys that hold, inside a session too."""

from pathlib import Path

import pytest

from hqt.backends.tmux.settings import TmuxSettings
from hqt.config.file import parse_config
from hqt.tui.app import HqtApp
from hqt.tui.screens.help import HelpScreen
from hqt.tui.session_keys import SessionKeys
from tests.tui.stand import CannedServices, seen, stand, until

_FILE = Path("/home/u/.config/hqt/config.toml")


def _keys(text: str) -> SessionKeys:
    chosen = parse_config(text, _FILE)
    return SessionKeys.of(
        TmuxSettings(
            tmux=Path("tmux"),
            socket=Path("socket"),
            runtime=Path("run"),
            server_env={},
            launcher=Path("launch"),
            python=Path("python"),
            detach_key=chosen.detach_key,
            next_key=chosen.next_key,
        )
    )


async def _group(app: HqtApp) -> list[str]:
    """What is said of the keys inside a session."""
    async with app.run_test(size=(80, 60)) as pilot:
        app.push_screen(HelpScreen())
        await until(pilot, lambda: any("In a session" in row for row in seen(app)))
        rows = [row.strip(" │") for row in seen(app)]
        begin = rows.index("In a session") + 1
        return rows[begin : rows.index("", begin)]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("", SessionKeys("ctrl-q", "ctrl-space")),
        ('[keys]\ndetach = "f12"\nnext = "alt-n"', SessionKeys("f12", "alt-n")),
        ('[keys]\ndetach = "ctrl-space"', SessionKeys("ctrl-space", None)),
        ('[keys]\nnext = "none"', SessionKeys("ctrl-q", None)),
    ],
)
async def test_it_names_the_keys_that_config_toml_says(text: str, keys: SessionKeys) -> None:
    assert _keys(text) == keys
    app = stand(CannedServices())
    app.inside = keys
    following = [] if keys.next is None else [f"{keys.next:10} the next session that needs you"]
    assert await _group(app) == [f"{keys.back:10} return to this list", *following]


async def test_no_other_line_of_it_names_one_of_them() -> None:
    app = stand(CannedServices())
    app.inside = SessionKeys("f12", "f11")
    async with app.run_test(size=(80, 60)) as pilot:
        app.push_screen(HelpScreen())
        await until(pilot, lambda: any("In a session" in row for row in seen(app)))
        told = "\n".join(seen(app))
    assert ("ctrl-q" in told, "ctrl-space" in told, told.count("f12"), told.count("f11")) == (
        False,
        False,
        1,
        1,
    )
