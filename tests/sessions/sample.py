"""Rows and panes for tests, each field with a plain value."""

from typing import Any

from hqt.backends.base import Pane, Panes
from hqt.db.reader import SessionRow
from hqt.values import replace

KEY = "0000000a"
CREATED = "2026-06-10T12:00:00Z"
CREATED_UNIX = 1781092800.0

_ROW = SessionRow(
    id=1,
    key=KEY,
    name="shop-claude",
    project="/home/a/shop",
    project_name="shop",
    cwd="/home/a/shop",
    harness="claude",
    args=(),
    env_names=(),
    conversation=None,
    conversation_source=None,
    note=None,
    phase="running",
    exit_code=None,
    exit_signal=None,
    created_at=CREATED,
    started_at=CREATED,
    ended_at=None,
    sandbox_json=None,
)
_PANE = Pane(key=KEY, pane="%1", pid=100, dead=False, status=None, signal=None, title="shop-claude")


def row(**changes: Any) -> SessionRow:  # noqa: ANN401  # dataclasses.replace takes any field
    return replace(_ROW, **changes)


def pane(**changes: Any) -> Pane:  # noqa: ANN401
    return replace(_PANE, **changes)


def up(*panes: Pane) -> Panes:
    return Panes("up", panes, server=7)
