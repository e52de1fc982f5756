"""What is shown of a session: the row says what was meant, the pane what is."""

from pathlib import Path

import pytest

from hqt.backends.base import Pane, Panes
from hqt.db.reader import SessionRow
from hqt.observe.look import exit_of, views
from hqt.observe.views import Exit, SessionView, State
from hqt.sandbox import SandboxPolicy
from hqt.status.detect import Belief
from tests.sessions.sample import CREATED, CREATED_UNIX, KEY, pane, row, up

_DOWN = Panes("down")
_LOST_SOCKET = Panes("unreachable", server=7)
_JAIL = SandboxPolicy("ro", net=False).to_json()
_DEAD = pane(dead=True, status=0)


def _look(found: SessionRow, panes: Panes, after_s: float = 1) -> SessionView:
    return views([found], panes, CREATED_UNIX + after_s)[0]


def test_a_view_holds_all_that_is_known() -> None:
    found = row(
        cwd="/home/a/link",
        args=("--model", "x"),
        env_names=("TOKEN",),
        conversation="c-1",
        conversation_source="minted",
        note="a note",
        sandbox_json=_JAIL,
        muted=True,
    )
    assert _look(found, up(pane())) == SessionView(
        id=1,
        key=KEY,
        name="shop-claude",
        project=Path("/home/a/shop"),
        project_name="shop",
        cwd=Path("/home/a/shop"),
        given=Path("/home/a/link"),
        harness="claude",
        args=("--model", "x"),
        env_names=("TOKEN",),
        state="running",
        exit=None,
        sandbox=SandboxPolicy("ro", net=False),
        invalid=None,
        conversation="c-1",
        conversation_source="minted",
        created_at=CREATED,
        ended_at=None,
        note="a note",
        since=CREATED,
        muted=True,
    )


def test_what_is_believed_is_shown_by_the_second_and_ordered_by_the_moment() -> None:
    belief = Belief("waiting", CREATED_UNIX + 0.25, "hook", "told by its hook just now")
    (found,) = views([row()], up(pane()), CREATED_UNIX + 1, {KEY: belief})
    assert (found.state, found.since, found.since_s) == ("waiting", CREATED, CREATED_UNIX + 0.25)


@pytest.mark.parametrize(
    ("found", "panes", "state"),
    [
        (row(), up(pane()), "running"),
        (row(), up(_DEAD), "exited"),
        (row(), up(), "lost"),
        (row(), up(pane(key="0000000b")), "lost"),
        (row(), _DOWN, "lost"),
        (row(), _LOST_SOCKET, "unreachable"),
        (row(phase="starting", started_at=None), up(pane()), "starting"),
        (row(phase="starting", started_at=None), up(), "starting"),
        (row(phase="starting", started_at=None), _DOWN, "starting"),
        (row(phase="starting"), up(_DEAD), "exited"),
        (row(phase="stopped", ended_at=CREATED), up(), "stopped"),
        (row(phase="stopped", ended_at=CREATED), up(_DEAD), "stopped"),
        (row(phase="stopped", ended_at=CREATED), _DOWN, "stopped"),
        (row(phase="stopped", ended_at=CREATED), _LOST_SOCKET, "stopped"),
        (row(phase="exited", exit_code=0), up(_DEAD), "exited"),
        (row(phase="exited", exit_code=0), _DOWN, "exited"),
        # a stop that was cut short: the agent lives, whatever was meant
        (row(phase="stopped"), up(pane()), "running"),
    ],
)
def test_the_state_is_what_row_and_pane_say_together(found: SessionRow, panes: Panes, state: State) -> None:
    assert _look(found, panes).state == state


@pytest.mark.parametrize("started_at", [None, CREATED])
def test_a_start_without_a_pane_is_lost_after_a_minute(started_at: str | None) -> None:
    found = row(phase="starting", started_at=started_at)
    assert [_look(found, up(), after).state for after in (59, 61)] == ["starting", "lost"]


@pytest.mark.parametrize("stored", ["", "{", '{"fs": "rw"}', '{"fs": "x", "net": true}', "null"])
def test_a_policy_that_cannot_be_read_breaks_its_session_and_hides_no_other(stored: str) -> None:
    broken, other = views([row(sandbox_json=stored), row(id=2)], up(pane()), CREATED_UNIX)
    assert broken.state == "broken"
    assert broken.sandbox is None
    assert broken.invalid is not None
    assert stored in broken.invalid
    assert other.state == "running"


def test_a_damaged_row_is_broken_and_its_note_says_why() -> None:
    view = _look(row(damage="the stored arguments can't be read"), up(pane()))
    assert (view.state, view.note) == ("broken", "the stored arguments can't be read")


@pytest.mark.parametrize(
    ("dead", "open_", "jailed"),
    [
        (pane(dead=True, status=0), Exit(code=0), Exit(code=0)),
        (pane(dead=True, status=3), Exit(code=3), Exit(code=3)),
        (pane(dead=True, signal=9), Exit(signal=9), Exit(signal=9)),
        # bwrap tells of a signal inside as a shell does
        (pane(dead=True, status=128), Exit(code=128), Exit(code=128)),
        (pane(dead=True, status=129), Exit(code=129), Exit(signal=1)),
        (pane(dead=True, status=143), Exit(code=143), Exit(signal=15)),
        (pane(dead=True, status=159), Exit(code=159), Exit(signal=31)),
        (pane(dead=True, status=160), Exit(code=160), Exit(code=160)),
        (pane(), None, None),
    ],
)
def test_a_signal_is_told_from_a_code_inside_a_jail_and_outside(
    dead: Pane, open_: Exit | None, jailed: Exit | None
) -> None:
    assert (exit_of(dead, jailed=False), exit_of(dead, jailed=True)) == (open_, jailed)


@pytest.mark.parametrize(
    ("found", "panes", "shown"),
    [
        (row(), up(pane(dead=True, status=3)), Exit(code=3)),
        (row(sandbox_json=_JAIL), up(pane(dead=True, status=137)), Exit(signal=9)),
        (row(phase="exited", exit_code=3), _DOWN, Exit(code=3)),
        (row(phase="stopped", exit_signal=15), _DOWN, Exit(signal=15)),
        (row(phase="exited"), _DOWN, None),
        (row(exit_code=3), up(pane()), None),
    ],
)
def test_the_end_is_shown_from_the_row_or_else_the_pane(
    found: SessionRow, panes: Panes, shown: Exit | None
) -> None:
    assert _look(found, panes).exit == shown


@pytest.mark.parametrize(
    ("state", "alive"),
    [
        ("starting", True),
        ("running", True),
        ("unreachable", True),
        ("exited", False),
        ("stopped", False),
        ("lost", False),
        ("broken", False),
    ],
)
def test_only_what_may_still_run_is_alive(state: State, alive: bool) -> None:
    by_state = {
        "starting": _look(row(phase="starting", started_at=None), up()),
        "running": _look(row(), up(pane())),
        "unreachable": _look(row(), _LOST_SOCKET),
        "exited": _look(row(), up(_DEAD)),
        "stopped": _look(row(phase="stopped", ended_at=CREATED), up()),
        "lost": _look(row(), up()),
        "broken": _look(row(sandbox_json="{"), up()),
    }
    assert (by_state[state].state, by_state[state].is_alive) == (state, alive)
