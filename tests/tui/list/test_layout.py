"""The list, line by line."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.observe.order import in_order
from hqt.observe.views import SessionView
from hqt.tui.cells import width
from hqt.tui.link.services import Snapshot
from hqt.tui.list.layout import Line, Scene, Span, arrange, matching
from hqt.values import replace
from tests.tui.sample import view
from tests.tui.scenes import BLOG, BRANCHES, EVERY_STATE, NOW, OTHER_SHOP, SHOP, VIEWS, scene

_AT_80 = """\
 blog
  ? waiting        blog-codex         claude  OPEN       feature/dark-mo… 10m
  ✗ exited (3)     theme              claude  rw net     feature/dark-mo… 30s
  ▪ exited (0)     feed               claude  rw net     feature/dark-mo… 1d
 shop  /home/a/shop
  ? waiting        payment bug        claude  rw net     main             4m
  ✓ done           search             codex   rw net     main             30m
  ▸ working        shop-claude        claude  rw net     main             2m
  ▸ running        shell              generic OPEN       main             1s
  ◌ starting       new                claude  rw net     main             0s
  - idle           docs               claude  ro offline main             2h
  ✗ exited (KILL)  build              claude  rw net     main             1h   !
  ✗ broken         odd                claude  INVALID    main                  !
  ! unreachable    alone              claude  rw net     main             3h
  ▪ stopped (TERM) old                claude  rw net     main             2d
 shop  /srv/shop
  ▫ lost           lost one           claude  rw net
"""


def texts(arranged: Scene, cells: int) -> list[str]:
    return [line.text.rstrip() for line in arrange(arranged, cells)]


def test_sessions_stand_by_project_and_urgency_with_all_that_is_to_be_seen() -> None:
    assert texts(EVERY_STATE, 80) == _AT_80.splitlines()


@pytest.mark.parametrize(
    ("cells", "row"),
    [
        (74, "  ? waiting name of twenty cells claude ro offline feature/dark-mo… 4m   !"),
        (73, "  ? waiting name of twenty cells       ro offline feature/dark-mo… 4m   !"),
        (50, "  ? waiting name of twenty cells ro offline 4m   !"),
        (40, "  ? waiting name of t… ro offline 4m   !"),
        (30, "  ? waiting name… ro offline !"),
        (20, "  ? waiting ro offl…"),
        (3, "  …"),
        (0, ""),
    ],
)
def test_a_narrow_list_drops_harness_then_branch_never_state_or_jail(cells: int, row: str) -> None:
    chosen = replace(VIEWS[1], name="name of twenty cells", note="!", sandbox=VIEWS[3].sandbox, project=BLOG)
    assert texts(Scene(Snapshot((chosen,), BRANCHES), NOW), cells)[1] == row


@pytest.mark.parametrize(
    ("cells", "row"),
    [
        (60, "  ? waiting name of twenty cells muted  claude rw net 4m"),
        (50, "  ? waiting name of twenty ce… muted rw net 4m"),
        (40, "  ? waiting name of… muted rw net 4m"),
        (38, "  ? waiting name of twe… rw net 4m"),
    ],
)
def test_a_muted_session_says_so_where_its_name_stays_to_be_read(cells: int, row: str) -> None:
    muted = replace(VIEWS[1], name="name of twenty cells", muted=True)
    assert texts(Scene(Snapshot((muted,), {}), NOW), cells)[1] == row


def test_a_muted_session_leaves_the_columns_of_the_others_straight() -> None:
    one, other = replace(VIEWS[1], muted=True), replace(VIEWS[0], name="修复 bug", muted=True)
    assert texts(Scene(Snapshot((one, other, VIEWS[3]), {}), NOW), 60) == [
        " shop",
        "  ? waiting payment bug muted       claude rw net     4m",
        "  ▸ working 修复 bug muted          claude rw net     2m",
        "  - idle    docs                    claude ro offline 2h",
    ]


def test_wide_and_combining_names_keep_the_columns_straight() -> None:
    """A69."""
    names = ("修复 bug", "👨\u200d👩\u200d👧 x", "e\u0301te\u0301", "plain", "نام")
    for cells in (60, 120):
        rows = arrange(scene(*names), cells)[1:]
        ends = {width(row.text.partition(" rw net")[0]) for row in rows}
        assert len(ends) == 1


@pytest.mark.parametrize(
    "name", ["fix [/] x", "[/home/x]", "[link=file:///]q[/link]", "[red]x", "[@click=app.quit]hi[/]"]
)
def test_brackets_in_a_name_are_just_brackets(name: str) -> None:
    """A67."""
    assert name in arrange(scene(name), 80)[1].text


def test_marks_and_what_is_done_stand_in_the_row() -> None:
    first, second, third = VIEWS[1], VIEWS[0], VIEWS[3]
    now = Scene(
        Snapshot((first, second, third), {}),
        NOW,
        marked=frozenset({first.key}),
        doing={second.key: "stopping…"},
        leaving={third.key: "deleted in 8 s · u to undo"},
    )
    assert texts(now, 60) == [
        " shop",
        " *? waiting   payment bug           claude rw net     4m",
        "  ~ stopping… shop-claude           claude rw net     2m",
        "  deleted in 8 s · u to undo  docs",
    ]


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        ("", [5, 2, 3, 1, 10, 12, 4, 8, 9, 11, 14, 6, 7, 13]),
        ("payment", [2]),
        ("BLOG waiting", [5]),
        ("/srv", [9]),
        ("codex", [5, 3]),
        ("generic", [10]),
        ("dark-mode", [5, 6, 7]),
        ("done", [3]),
        ("kill", [8]),
        ("offline", [4]),
        ("open", [5, 10]),
        ("muted", [7]),
        ("nothing like it", []),
    ],
)
def test_the_filter_finds_name_project_harness_state_jail_and_branch(wanted: str, ids: list[int]) -> None:
    views = tuple(replace(each, muted=each.id == 7) for each in VIEWS)
    looked = replace(EVERY_STATE, glance=replace(EVERY_STATE.glance, views=views), wanted=wanted)
    assert sorted(each.id for each in matching(looked)) == sorted(ids)


def test_an_empty_list_says_what_to_do() -> None:
    assert texts(Scene(Snapshot(), NOW), 60) == [
        " No sessions yet.",
        "",
        " n    starts an agent in a folder",
        " N    starts one in a jail",
        " q, then `hqt demo`, shows what a jail does",
    ]
    assert texts(replace(EVERY_STATE, wanted="zz"), 60) == [" nothing matches the filter: esc shows all"]


def test_what_matters_is_stressed_by_roles_and_never_by_colour_alone() -> None:
    _, row, *_ = arrange(Scene(Snapshot((VIEWS[4],), {}), NOW), 34)
    assert row == Line(
        (
            Span("  "),
            Span("? waiting ", "waiting"),
            Span("blog-codex "),
            Span("OPEN ", "open"),
            Span("10m  ", "muted"),
            Span(" ", "waiting"),
            Span(""),
        ),
        VIEWS[4].key,
    )


_Views = tuple[SessionView, ...]
_VIEWS = st.lists(
    st.builds(
        lambda like, name, number, project, muted: replace(
            like, id=number, key=f"{number:08x}", name=name, project=project, muted=muted
        ),
        st.sampled_from(VIEWS),
        st.text(min_size=1, max_size=40),
        st.integers(1, 10_000),
        st.sampled_from((SHOP, BLOG, OTHER_SHOP)),
        st.booleans(),
    ),
    unique_by=lambda each: each.id,
    max_size=12,
).map(tuple)


@given(_VIEWS, st.integers(0, 160))
def test_every_line_is_as_wide_as_the_list(views: _Views, cells: int) -> None:
    assert {width(line.text) for line in arrange(Scene(Snapshot(views, BRANCHES), NOW), cells)} == {cells}


@given(_VIEWS)
def test_every_session_stands_once_and_in_its_order_within_its_project(
    views: _Views,
) -> None:
    arranged = Scene(Snapshot(views, BRANCHES), NOW)
    keys = [line.key for line in arrange(arranged, 80) if line.key is not None]
    assert sorted(keys) == sorted(each.key for each in views)
    by_key = {each.key: each for each in views}
    ordered = [each.key for each in in_order(views)]
    for above, below in pairwise(keys):
        if by_key[above].project == by_key[below].project:
            assert ordered.index(above) < ordered.index(below)
    assert keys == [line.key for line in arrange(arranged, 40) if line.key is not None]


@given(_VIEWS, st.randoms(use_true_random=False))
def test_the_order_in_which_sessions_are_found_does_not_matter(views: _Views, random: Random) -> None:
    shuffled = list(views)
    random.shuffle(shuffled)
    one, other = (Scene(Snapshot(each, BRANCHES), NOW) for each in (views, tuple(shuffled)))
    assert arrange(one, 80) == arrange(other, 80)


def test_a_name_is_shown_whole_where_there_is_room() -> None:
    assert view(1).name in arrange(scene(view(1).name), 41)[1].text
