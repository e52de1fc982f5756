"""One program in control mode, played by a script: what is taken for an answer and what is not."""

import select
from collections.abc import Iterator

import pytest

from hqt.backends.tmux import connection
from hqt.backends.tmux.blocks import Block
from hqt.backends.tmux.connection import Broken, Connection

_ANSWER = r"%begin 1 1 1\nx\n%end 1 1 1\n%window-add @1\n%begin 1 2 1\nFENCE\n%end 1 2 1\n"


@pytest.fixture
def opened() -> Iterator[list[Connection]]:
    made: list[Connection] = []
    yield made
    for each in made:
        each.close()


def says(opened: list[Connection], printed: str, after: str = "exec cat >/dev/null") -> Connection:
    """A program that has printed that by now."""
    made = Connection(
        ["/bin/sh", "-c", f"printf '{printed.replace('%', '%%')}'; {after}"], {"PATH": "/usr/bin:/bin"}
    )
    opened.append(made)
    assert made._process.stdout is not None
    select.select([made._process.stdout], [], [])
    return made


def test_an_answer_is_all_before_the_fence(opened: list[Connection]) -> None:
    assert says(opened, _ANSWER).ask("x", "FENCE", limit_s=5) == (Block((b"x",), failed=False),)


def test_who_was_stopped_past_the_time_takes_what_has_come_meanwhile(opened: list[Connection]) -> None:
    """A70: a laptop that slept leaves no failure behind."""
    assert says(opened, _ANSWER).ask("x", "FENCE", limit_s=-30) == (Block((b"x",), failed=False),)


@pytest.mark.parametrize(
    ("printed", "after"),
    [
        (_ANSWER, "exec cat >/dev/null"),  # another fence than was asked for: it stays silent
        (r"%begin 1 1 1\nx\n%end 1 1 1\nmore of the screen\n", "exec cat >/dev/null"),
        (r"%exit\n", "exit 0"),
    ],
)
def test_what_is_no_answer_breaks_it(printed: str, after: str, opened: list[Connection]) -> None:
    with pytest.raises(Broken):
        says(opened, printed, after).ask("x", "OTHER", limit_s=0.2)


def test_an_answer_without_end_breaks_it(opened: list[Connection], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_ANSWER_MAX", 100_000)
    with pytest.raises(Broken):
        says(opened, r"%begin 1 1 1\n", "exec yes").ask("x", "FENCE", limit_s=60)


def test_a_program_that_cannot_be_run_breaks_it() -> None:
    with pytest.raises(Broken):
        Connection(["/nonexistent/tmux"], {})


def test_one_that_does_not_end_by_itself_is_ended(opened: list[Connection]) -> None:
    made = says(opened, "x", "trap '' HUP TERM; while :; do sleep 1 </dev/null >/dev/null; done")
    made.close()
    assert made._process.poll() is not None
