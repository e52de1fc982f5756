"""What tmux prints is read whole, and nothing in a title passes for more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.backends.base import Pane
from hqt.backends.tmux import parse

TITLES = st.text().map(lambda text: "".join(sign for sign in text if sign.isprintable()))


def line(pane: Pane) -> str:
    """What list-panes prints for it with `parse.LISTING`."""
    status, number, printed = (
        "" if value is None else value for value in (pane.status, pane.signal, pane.printed_at)
    )
    ended = f"{pane.dead:d} {status} {number}"
    seen = f"{pane.rang:d} {printed} {pane.watched:d}"
    return f"{pane.pane} {pane.pane} {pane.pid} {ended} {seen} hqt-{pane.key} {pane.title}"


def said(pane: Pane) -> str:
    """And what it prints with `parse.SAID`."""
    return f"said {pane.pane} {pane.said}"


PANES = st.builds(
    Pane,
    key=st.text("0123456789abcdef", min_size=8, max_size=8),
    pane=st.integers(0).map(lambda number: f"%{number}"),
    pid=st.integers(1),
    dead=st.booleans(),
    status=st.none() | st.integers(0, 255),
    signal=st.none() | st.integers(1, 64),
    title=TITLES,
    said=TITLES,
    rang=st.booleans(),
    printed_at=st.none() | st.integers(0),
    watched=st.booleans(),
)


@given(st.lists(PANES, unique_by=lambda pane: pane.pane))
def test_every_pane_is_read_as_it_was_printed(panes: list[Pane]) -> None:
    assert parse.server("\n".join(["42", *map(line, panes), *map(said, panes), "end"])) == (42, tuple(panes))


@given(st.lists(PANES, unique_by=lambda pane: pane.pane), st.data())
def test_an_answer_that_was_cut_short_tells_of_no_pane(panes: list[Pane], data: st.DataObject) -> None:
    """Who is missing in it would count as lost, and be started once more."""
    whole = "\n".join(["42", *map(line, panes), *map(said, panes), "end"])
    assert parse.server(whole[: data.draw(st.integers(0, len(whole) - 1))]) is None


@given(st.lists(TITLES))
def test_other_lines_are_no_agents(lines: list[str]) -> None:
    assert parse.server("\n".join(["42", *lines, "end"])) == (42, ())


@pytest.mark.parametrize(
    "other",
    [
        "%2 %1 9 0   0 5 0 hqt-0000000a a pane that the user split off",
        "%2  9 0   0 5 0 hqt-0000000a a session that the user made",
        "%2 %2 9 0   0 5 0 my own",
        "%2 %2 9 0   0 5 0 hqt-0000000a0 renamed",
    ],
)
def test_what_is_not_an_agents_pane_is_left_out(other: str) -> None:
    assert parse.server(f"42\n{other}\n%1 %1 8 1 3  0  0 hqt-0000000a t\nend") == (
        42,
        (Pane("0000000a", "%1", 8, dead=True, status=3, signal=None, title="t"),),
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("tmux 3.3a", (3, 3)),
        ("tmux 3.10", (3, 10)),
        ("tmux next-3.6", (3, 6)),
        ("tmux openbsd-7.4", (7, 4)),
        ("tmux master", None),
        ("", None),
    ],
)
def test_the_version_is_read_where_there_is_one(text: str, found: tuple[int, int] | None) -> None:
    assert parse.version(text) == found


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("3.7", True),
        ("3.7c", True),
        ("3.10", True),
        ("4.0", True),
        ("3.6b", False),
        ("next-3.7", False),
        ("3.7-rc", False),
        ("openbsd-7.4", False),
        ("master", False),
        ("", False),
    ],
)
def test_only_a_release_is_known_to_be_new_enough(text: str, is_so: bool) -> None:
    assert parse.is_at_least(text, (3, 7)) == is_so


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[detached (from session hqt-0000000a)]\n", "0000000a"),
        ("[detached (from session mine)]\n", None),  # the user went elsewhere
        ("[exited]\n", None),
        ("[server exited]\n", None),
        ("", None),
    ],
)
def test_the_session_that_a_client_left_is_read_from_its_last_words(text: str, key: str | None) -> None:
    assert parse.last_session(text) == key
