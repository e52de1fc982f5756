"""What is printed is safe for a terminal, and columns stay straight."""

import json
from pathlib import Path

import pytest

from hqt.cli import output
from hqt.observe.views import Exit, SessionView
from hqt.sandbox import SandboxPolicy
from hqt.values import replace

_VIEW = SessionView(
    id=3,
    key="0000000a",
    name="shop-claude",
    project=Path("/home/a/shop"),
    project_name="shop",
    cwd=Path("/home/a/shop"),
    given=Path("/home/a/link"),
    harness="claude",
    args=("--model", "m"),
    env_names=(),
    state="exited",
    exit=Exit(signal=15),
    sandbox=SandboxPolicy("ro", net=False),
    invalid=None,
    conversation="5e55-1",
    conversation_source="minted",
    created_at="2026-06-10T12:00:00Z",
    ended_at="2026-06-10T12:01:00Z",
    note="a note",
)


def test_the_object_of_a_session_is_the_documented_one() -> None:
    assert json.loads(json.dumps(output.session_json(_VIEW))) == {
        "id": 3,
        "name": "shop-claude",
        "project": "/home/a/shop",
        "cwd": "/home/a/shop",
        "harness": "claude",
        "state": "exited",
        "since": None,
        "unseen": False,
        "reason": None,
        "muted": False,
        "exit": {"code": None, "signal": 15},
        "sandbox": {"fs": "ro", "net": False},
        "conversation": "5e55-1",
        "created_at": "2026-06-10T12:00:00Z",
        "note": "a note",
    }


@pytest.mark.parametrize(
    ("invalid", "policy", "shown"),
    [
        (None, None, None),
        (None, SandboxPolicy(), {"fs": "rw", "net": True}),
        ("it can't be read", None, {"invalid": "it can't be read"}),
    ],
)
def test_open_jailed_and_invalid_are_three_things(
    invalid: str | None, policy: SandboxPolicy | None, shown: dict[str, object] | None
) -> None:
    assert output.session_json(replace(_VIEW, invalid=invalid, sandbox=policy))["sandbox"] == shown


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    table = output.table(("ID", "NAME", "X"), [("1", "修复 bug", "a"), ("12", "b\n", "")])
    assert table == "ID  NAME      X\n1   修复 bug  a\n12  b\\n"
