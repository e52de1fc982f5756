"""A session whose agent is stopped waits for its human, whatever was believed; only it is let go on."""

import os
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from hqt.backends.base import Panes
from hqt.backends.job_control import is_stopped
from hqt.observe.suspended import let_continue, mark_suspended
from hqt.observe.views import SessionView
from hqt.values import replace
from tests.backends.fake_backend import FakeBackend
from tests.sessions.sample import pane, up
from tests.tui.sample import view
from tests.world import wait_until

_OPEN = view(
    3, sandbox=None, state="idle", since="2026-06-10T12:00:00Z", since_s=9.5, unseen=True, reason="why"
)


@pytest.fixture
def stopped() -> Iterator[int]:
    """A process that is stopped."""
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as process:
        process.send_signal(signal.SIGSTOP)
        assert wait_until(lambda: is_stopped(process.pid))
        yield process.pid
        process.kill()


@dataclass(slots=True)
class OnePane(FakeBackend):
    """Its only pane is that of `_OPEN`; it counts who asks."""

    asked: int = 0
    pid: int = 0

    def panes(self) -> Panes:
        self.asked += 1
        return up(pane(key=_OPEN.key, pid=self.pid))


def test_a_stopped_agent_waits_to_be_let_go_on(stopped: int) -> None:
    assert mark_suspended(_OPEN, up(pane(key=_OPEN.key, pid=stopped))) == replace(
        _OPEN,
        state="waiting",
        since=None,
        since_s=0.0,
        unseen=False,
        reason="suspended by a signal: `hqt resume 3` lets it continue",
        suspended=True,
    )


@pytest.mark.parametrize("changes", [{"state": "starting"}, {"state": "exited"}, {"key": "00000009"}])
def test_who_does_not_run_is_not_suspended(changes: dict[str, object], stopped: int) -> None:
    seen: SessionView = replace(_OPEN, **changes)
    assert mark_suspended(seen, up(pane(key=_OPEN.key, pid=stopped))) == seen


def test_who_runs_stays_as_it_was_seen() -> None:
    assert mark_suspended(_OPEN, up(pane(key=_OPEN.key, pid=os.getpid()))) == _OPEN


def test_only_who_is_suspended_is_let_go_on(stopped: int) -> None:
    backend = OnePane(pid=stopped)
    let_continue([_OPEN], backend)
    assert (backend.asked, is_stopped(stopped)) == (0, True)
    let_continue([_OPEN, replace(_OPEN, suspended=True)], backend)
    assert backend.asked == 1
    assert wait_until(lambda: not is_stopped(stopped))
