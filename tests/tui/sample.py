"""Views to show."""

from pathlib import Path

from hqt.observe.views import SessionView
from hqt.sandbox import SandboxPolicy
from hqt.values import replace

VIEW = SessionView(
    id=1,
    key="00000001",
    name="shop-claude",
    project=Path("/home/a/shop"),
    project_name="shop",
    cwd=Path("/home/a/shop"),
    given=Path("/home/a/shop"),
    harness="claude",
    args=(),
    env_names=(),
    state="running",
    exit=None,
    sandbox=SandboxPolicy(),
    invalid=None,
    conversation=None,
    conversation_source=None,
    created_at="2026-06-10T12:00:00Z",
    ended_at=None,
    note=None,
)


def view(number: int, **changes: object) -> SessionView:
    return replace(VIEW, id=number, key=f"{number:08x}", **changes)
