"""One line says why a session waits or how it ended."""

from datetime import UTC, datetime

import pytest

from hqt.observe.views import Exit, SessionView
from hqt.tui.list.reason import reason
from tests.tui.sample import view

NOW = datetime(2026, 6, 10, 12, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("of", "line"),
    [
        (view(1), ""),
        (view(1, state="idle"), ""),
        (view(1, note="fell back"), "fell back"),
        (view(1, state="waiting"), "it waits for you"),
        (view(1, state="waiting", reason="asks: rm -rf /?\x1b[2J"), r"asks: rm -rf /?\x1b[2J"),
        (view(1, state="waiting", reason="asks", note="noted"), "asks · noted"),
        (
            view(1, state="exited", exit=Exit(code=3), ended_at="2026-06-10T12:00:00Z"),
            "exited (3) 5m ago",
        ),
        (view(1, state="stopped"), "stopped"),
        (view(1, state="lost"), "gone with tmux or a reboot: r resumes it"),
        (view(1, state="broken", invalid="the policy can't be read"), "the policy can't be read"),
    ],
)
def test_the_line(of: SessionView, line: str) -> None:
    assert reason(of, NOW) == line
