"""The main screen, over looks that tests make up."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.events import Key, MouseScrollDown
from textual.pilot import Pilot
from textual.widgets import Input

from hqt.errors import BackendError, DatabaseError, HqtError, NewerDatabase, ServiceError
from hqt.observe.views import Exit, Outcome
from hqt.tui import actions
from hqt.tui.main.screen import SessionsScreen
from hqt.tui.screens.confirm import ConfirmScreen
from hqt.tui.screens.details import DetailsScreen
from hqt.tui.screens.ended import EndedScreen
from hqt.tui.screens.help import HelpScreen
from hqt.tui.widgets.footer import Footer
from hqt.tui.widgets.notices import Notices
from hqt.values import replace
from tests.tui.front import Front, FrontServices
from tests.tui.scenes import VIEWS
from tests.tui.stand import seen, until

_WAITING, _WORKING, _DONE, _STOPPED = VIEWS[1], VIEWS[0], VIEWS[2], VIEWS[12]
_HOSTILE = ("fix [/] x", "[/home/x]", "[link=file:///]q[/link]", "[red]x", "[@click=app.quit]hi[/]")


@asynccontextmanager
async def shown(
    services: FrontServices, size: tuple[int, int] = (98, 30)
) -> AsyncIterator[tuple[Front, Pilot[None]]]:
    """The screen with its first list."""
    app = Front(services)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: services.looks >= 2 and bool(app.table.lines))
        yield app, pilot


async def says(app: Front, pilot: Pilot[None], text: str) -> None:
    """Wait until it stands on the screen."""
    await until(pilot, lambda: text in "\n".join(seen(app)))


def notices(app: Front) -> tuple[str, ...]:
    return app.screen_stack[0].query_one(Notices).said


def toasts(app: Front) -> list[str]:
    return [each.message for each in app._notifications]


async def test_all_that_is_there_is_shown_and_the_most_urgent_is_chosen() -> None:
    async with shown(FrontServices(*VIEWS)) as (app, pilot):
        assert app.chosen == 5
        assert seen(app)[:3] == [
            " 2 waiting · 1 done · 1 working · 3 failed · 1 starting · 1 running · 1 idle · 1 unreachable",
            " blog",
            "› ? waiting        blog-codex                          claude  OPEN       feature/dark-mo… 10m",
        ]
        await pilot.press("down")
        assert app.chosen == 6


async def test_space_goes_through_those_that_need_their_human() -> None:
    async with shown(FrontServices(*VIEWS)) as (app, pilot):
        gone_to = []
        for _ in range(3):
            await pilot.press("space")
            gone_to.append(app.chosen)
        assert gone_to == [2, 3, 5]


async def test_space_where_nobody_waits_says_so() -> None:
    async with shown(FrontServices(_WORKING)) as (app, pilot):
        await pilot.press("space")
        assert toasts(app) == ["no other session needs you"]


async def test_space_finds_also_what_the_filter_hides() -> None:
    async with shown(FrontServices(*VIEWS)) as (app, pilot):
        await pilot.press("slash", *"theme", "enter", "space")
        assert app.chosen == 5
        assert len(app.rows()) == 17


async def test_the_choice_stays_with_its_session_wherever_it_moves() -> None:
    services = FrontServices(_WAITING, _WORKING, _DONE)
    async with shown(services) as (app, pilot):
        await pilot.press("end")
        assert app.chosen == _WORKING.id
        services.views = (replace(_WORKING, state="waiting", since="2026-06-10T08:00:00Z"), _WAITING, _DONE)
        await until(pilot, lambda: app.table.lines[1].key == _WORKING.key)
        assert app.chosen == _WORKING.id


async def test_where_the_chosen_one_is_gone_its_neighbour_is_chosen() -> None:
    services = FrontServices(_WAITING, _WORKING, _DONE)
    async with shown(services) as (app, pilot):
        await pilot.press("down")
        assert app.chosen == _DONE.id
        services.views = (_WAITING, _WORKING)
        await until(pilot, lambda: len(app.table.lines) == 3)
        assert app.chosen == _WORKING.id
        services.views = ()
        await until(pilot, lambda: app.chosen is None)
        assert app.rows()[0] == " No sessions yet."


async def test_the_filter_narrows_while_it_is_typed_and_esc_shows_all() -> None:
    async with shown(FrontServices(*VIEWS)) as (app, pilot):
        await pilot.press("slash", *"blog code")
        assert app.rows() == [
            " blog",
            "  ? waiting blog-codex                                        claude OPEN feature/dark-mo… 10m",
        ]
        assert seen(app)[0].startswith(" 1 of 14 match · 2 waiting")
        await pilot.press("enter", "down")
        assert app.focused is app.table
        await pilot.press("escape")
        assert len(app.rows()) == 17
        assert not app.screen.query_one(Input).display


@pytest.mark.parametrize(
    ("key", "asked"),
    [("s", ("stop", "13")), ("r", ("resume", "13")), ("R", ("fresh", "13"))],
)
async def test_a_key_does_it_to_the_chosen_one(key: str, asked: tuple[str, ...]) -> None:
    services = FrontServices(_STOPPED)
    async with shown(services) as (_, pilot):
        await pilot.press(key)
        await until(pilot, lambda: services.hands.asked == [asked])


async def test_what_runs_is_not_resumed() -> None:
    services = FrontServices(_WAITING, _STOPPED)
    async with shown(services) as (app, pilot):
        await pilot.press("R")
        assert toasts(app) == ["It is already running. Press enter to enter it, s to stop it."]
        await pilot.press("m", "m", "R")
        await until(pilot, lambda: services.hands.asked == [("fresh", "13")])


async def test_the_row_says_at_once_what_is_done_and_a_second_press_does_nothing() -> None:
    """A54: the same key twice starts it once; another session is not held up."""
    services = FrontServices(*VIEWS)
    services.hands.held.clear()
    async with shown(services) as (app, pilot):
        await pilot.press("s", "s", "r", "down", "s")
        await until(pilot, lambda: len(services.hands.asked) == 2)
        assert [row[:16] for row in app.rows()[1:3]] == ["  ~ stopping…   ", "  ~ stopping…   "]
        services.hands.held.set()
        await until(pilot, lambda: "stopping" not in "".join(app.rows()))
        assert services.hands.asked == [("stop", "5"), ("stop", "6")]


async def test_marked_ones_are_meant_together_and_the_question_names_how_many() -> None:
    services = FrontServices(*VIEWS)
    async with shown(services) as (app, pilot):
        await pilot.press("m", "m", "s")
        assert [row[:2] for row in app.rows()[1:4]] == [" *", " *", "  "]
        await says(app, pilot, "Stop 2 sessions?")
        await pilot.press("n")
        assert services.hands.asked == []
        await pilot.press("s", "y")
        await until(pilot, lambda: sorted(services.hands.asked) == [("stop", "5"), ("stop", "6")])
        assert [row[:2] for row in app.rows()[1:4]] == ["  "] * 3


async def test_one_is_muted_at_once_and_heard_again_and_told_of_by_its_name() -> None:
    services = FrontServices(_WORKING)
    async with shown(services) as (app, pilot):
        await pilot.press("M")
        await until(pilot, lambda: toasts(app) == ["shop-claude is muted"])
        services.views = (replace(_WORKING, muted=True),)
        await says(app, pilot, "shop-claude muted")
        await pilot.press("M")
        await until(pilot, lambda: toasts(app)[1:] == ["shop-claude is heard again"])
        assert services.hands.asked == [("mute", "1"), ("unmute", "1")]


@pytest.mark.parametrize(
    ("muted", "question", "asked"),
    [
        ((False, False, False), "Mute 3 sessions?", [("mute", "1"), ("mute", "2"), ("mute", "3")]),
        ((True, False, False), "Mute 2 sessions?", [("mute", "2"), ("mute", "3")]),
        ((True, True, True), "Unmute 3 sessions?", [("unmute", "1"), ("unmute", "2"), ("unmute", "3")]),
    ],
)
async def test_marked_ones_become_all_silent_and_only_then_all_heard(
    muted: tuple[bool, ...], question: str, asked: list[tuple[str, ...]]
) -> None:
    views = [replace(view, muted=is_so) for view, is_so in zip(VIEWS, muted, strict=False)]
    services = FrontServices(*views)
    async with shown(services) as (app, pilot):
        await pilot.press("m", "m", "m", "M")
        await says(app, pilot, question)
        await pilot.press("y")
        await until(pilot, lambda: sorted(services.hands.asked) == asked)


async def test_whoever_marks_what_is_done_has_looked_at_it() -> None:
    services = FrontServices(_WORKING, _DONE)
    async with shown(services) as (app, pilot):
        await pilot.press("m", "m")  # each goes on to the next row
        await until(pilot, lambda: any(what == "saw" for what, _ in services.asked))
        assert app.chosen is not None
    assert [each for each in services.asked if each[0] == "saw"] == [("saw", _DONE.id)]


async def test_marks_that_the_filter_hides_are_not_meant() -> None:
    services = FrontServices(*VIEWS)
    async with shown(services) as (_, pilot):
        await pilot.press("m", "slash", *"theme", "enter", "s")
        await until(pilot, lambda: services.hands.asked == [("stop", "6")])


@pytest.mark.parametrize("first", ["d", "n", "N", "e", "question_mark"])
async def test_keys_typed_faster_than_a_question_opens_do_nothing_to_the_list(first: str) -> None:
    """Read in one piece, what was meant for the question must not stop or resume a session."""
    services = FrontServices(*VIEWS)
    async with shown(services) as (app, pilot):
        for key in (first, "s", "r", "R", "m"):
            app.post_message(Key(key, key if len(key) == 1 else "?"))
        await until(pilot, lambda: len(app.screen_stack) == 2)
        await pilot.pause(0.2)
        assert services.hands.asked == []
        assert not any(row.startswith(" *") for row in app.rows())


async def test_what_is_about_to_be_deleted_is_not_asked_for_again() -> None:
    async with shown(FrontServices(*VIEWS)) as (app, pilot):
        await pilot.press("d", "y", "d")
        assert isinstance(app.screen, SessionsScreen)


async def test_what_was_refused_is_said_as_it_is() -> None:
    services = FrontServices(*VIEWS)
    services.hands.refusal = ServiceError("session 5 [/] can't be stopped\x1b[2J")
    async with shown(services) as (app, pilot):
        await pilot.press("s")
        await until(pilot, lambda: toasts(app) == ["session 5 [/] can't be stopped\\x1b[2J"])


async def test_delete_asks_then_waits_ten_seconds_and_only_then_deletes() -> None:
    services = FrontServices(*VIEWS)
    async with shown(services) as (app, pilot):
        await pilot.press("d", "enter")  # enter at once: no
        await pilot.press("d", "y")
        await until(pilot, lambda: "deleted in" in app.rows()[1])
        assert app.rows()[1] == "  deleted in 10 s · u to undo  blog-codex"
        app.later(9)
        await until(pilot, lambda: "deleted in 1 s" in app.rows()[1])
        assert services.hands.asked == []
        app.later(1)
        await until(pilot, lambda: services.hands.asked == [("delete", "5")])


async def test_u_keeps_it() -> None:
    services = FrontServices(*VIEWS)
    async with shown(services) as (app, pilot):
        await pilot.press("d", "y", "u")
        await until(pilot, lambda: "deleted" not in app.rows()[1])
        await pilot.press("u")
        assert toasts(app) == ["no deletion to undo"]
        app.later(60)
        await pilot.press("q")
    assert services.hands.asked == []


async def test_who_is_entered_is_not_deleted() -> None:
    services = FrontServices(*VIEWS)
    async with shown(services) as (_, pilot):
        await pilot.press("d", "y", "enter")
        await until(pilot, lambda: services.entered == [5])
        await pilot.press("q")
    assert services.hands.asked == []


async def test_on_leaving_what_was_to_be_deleted_is_and_failures_are_said_afterwards() -> None:
    services = FrontServices(*VIEWS)
    services.hands.refusal = ServiceError("session 5 can't be removed")
    async with shown(services) as (app, pilot):
        await pilot.press("d", "y", "q")
        await until(pilot, lambda: app._exit)
    assert services.hands.asked == [("delete", "5")]
    assert app.last_words == ["session 5 can't be removed"]


async def test_enter_leads_in_and_back_to_the_row_shown_last_inside() -> None:
    services = FrontServices(*VIEWS)
    services.last, services.note = VIEWS[3].key, "the terminal type 'x' is not known here"
    async with shown(services) as (app, pilot):
        await pilot.press("enter")
        await until(pilot, lambda: app.chosen == 4)
        assert services.entered == [5]
        assert toasts(app) == ["the terminal type 'x' is not known here"]


async def test_inside_hqts_own_tmux_the_screen_goes_on_beside_it() -> None:
    """A45: the terminal is switched, not lent."""

    class Inside(FrontServices):
        is_inside = True

    services = Inside(*VIEWS)
    async with shown(services) as (app, pilot):
        app.lend = None  # type: ignore[assignment]
        await pilot.press("enter")
        await until(pilot, lambda: services.entered == [5])
        await pilot.press("down")
        await until(pilot, lambda: app.chosen == 6)


async def test_one_that_ended_meanwhile_shows_its_last_lines() -> None:
    services = FrontServices(*VIEWS)
    ended = replace(VIEWS[4], state="exited", exit=Exit(code=3), name="[/]")
    services.gone[ended.key] = Outcome(ended, ("bye [/home]", "", "\x1b[31mred"))
    async with shown(services) as (app, pilot):
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, EndedScreen))
        for said in ("session 5 [/]: exited (3)", "bye [/home]", "\\x1b[31mred"):
            await says(app, pilot, said)
        await pilot.press("enter")
        assert isinstance(app.screen, SessionsScreen)
        assert app.chosen == 5


async def test_a_session_that_tmux_could_not_enter_is_said() -> None:
    services = FrontServices(*VIEWS)
    services.last = BackendError("tmux could not enter session 5")
    async with shown(services) as (app, pilot):
        await pilot.press("enter")
        await until(pilot, lambda: toasts(app) == ["tmux could not enter session 5"])
        assert app.chosen == 5


async def test_a_double_click_enters_and_a_click_chooses() -> None:
    services = FrontServices(*VIEWS)
    async with shown(services) as (app, pilot):
        await pilot.click(app.table, offset=(5, 0))
        assert app.chosen == 5  # the head of a project is no session
        await pilot.click(app.table, offset=(5, 2))
        assert app.chosen == 6
        await pilot.click(app.table, offset=(5, 6), times=2)
        await until(pilot, lambda: services.entered == [3])


async def test_the_keys_in_the_footer_can_be_clicked_and_the_wheel_scrolls() -> None:
    services = FrontServices(*VIEWS)
    async with shown(services) as (app, pilot):
        at = seen(app)[-1].index("s stop")
        await pilot.click(Footer, offset=(at + 2, 0))
        await until(pilot, lambda: services.hands.asked == [("stop", "5")])
        table = app.table
        table.post_message(MouseScrollDown(table, 5, 5, 0, 1, 0, False, False, False))
        await until(pilot, lambda: table.scroll_offset.y > 0)
        assert app.chosen == 5


async def test_a_new_name_is_asked_for_and_a_refusal_keeps_what_was_typed() -> None:
    services = FrontServices(*VIEWS)
    services.hands.refusal = ServiceError("the name [/] is taken: choose another")
    async with shown(services) as (app, pilot):
        await pilot.press("e", *"[/]", "enter")
        await says(app, pilot, "the name [/] is taken")
        assert services.hands.asked == [("rename", "5", "[/]")]
        services.hands.refusal = None
        await pilot.press("2", "enter")
        await until(pilot, lambda: isinstance(app.screen, SessionsScreen))
        assert services.hands.asked[-1] == ("rename", "5", "[/]2")


@pytest.mark.parametrize(
    ("failure", "sentence"),
    [
        (BackendError("tmux gave no answer [/]"), "tmux gave no answer [/]"),
        (DatabaseError("the disk is full"), "the disk is full"),
        (NewerDatabase("of version 9"), "hqt was updated: quit and restart it"),
    ],
)
async def test_a_look_that_fails_is_a_line_above_the_list_until_one_succeeds(
    failure: HqtError, sentence: str
) -> None:
    services = FrontServices(*VIEWS)
    async with shown(services) as (app, pilot):
        services.failure = failure
        await until(pilot, lambda: notices(app) == (sentence,))
        await says(app, pilot, sentence)
        assert len(app.rows()) == 17
        services.failure = None
        await until(pilot, lambda: notices(app) == ())


async def test_an_hqt_that_was_installed_over_this_one_is_said() -> None:
    services = FrontServices(*VIEWS)
    services.is_outdated = True
    async with shown(services) as (app, _):
        assert notices(app) == ("hqt was updated: quit and restart it",)


async def test_a_database_that_can_not_be_written_is_said_and_the_list_works() -> None:
    services = FrontServices(*VIEWS)
    services.closed, services.heard = DatabaseError("the disk is full"), ("the database was damaged",)
    async with shown(services) as (app, pilot):
        await until(pilot, lambda: notices(app) == ("the disk is full", "the database was damaged"))
        await pilot.press("down")
        assert app.chosen == 6


async def test_keys_are_answered_while_a_look_hangs() -> None:
    services = FrontServices(*VIEWS)
    async with shown(services) as (app, pilot):
        looks = services.looks
        services.slow.clear()
        await until(pilot, lambda: services.looks == looks + 1)
        await pilot.press("down", "down", "m")
        assert app.rows()[3].startswith(" *")
        assert services.looks == looks + 1
        services.slow.set()


async def test_every_action_is_in_the_command_palette_and_runs_from_there() -> None:
    services = FrontServices(*VIEWS)
    async with shown(services) as (app, pilot):
        found = {each.title: each for each in app.get_system_commands(app.screen)}
        assert list(found) == [*(each.short for each in actions.ACTIONS), "theme"]
        await pilot.press("ctrl+p", *"stop", "enter")
        await until(pilot, lambda: services.hands.asked == [("stop", "5")])


async def test_ctrl_q_leaves_nothing_and_ctrl_c_says_how_to_leave() -> None:
    async with shown(FrontServices(*VIEWS)) as (app, pilot):
        await pilot.press("ctrl+q", "ctrl+c")
        assert not app._exit
        assert toasts(app) == ["q quits hqt; the agents go on"]


@pytest.mark.parametrize("size", [(80, 24), (40, 10), (20, 5), (1, 1)])
async def test_no_size_is_too_small(size: tuple[int, int]) -> None:
    """A73."""
    async with shown(FrontServices(*VIEWS), size) as (app, pilot):
        for key, screen in (("question_mark", HelpScreen), ("d", ConfirmScreen), ("i", DetailsScreen)):
            await pilot.press(key)
            assert isinstance(app.screen, screen)
            await pilot.resize_terminal(*reversed(size))
            await pilot.resize_terminal(*size)
            await pilot.press("escape")
        await pilot.press("slash", "x", "escape", "down")
        assert app.chosen == 6


@pytest.mark.parametrize("name", _HOSTILE)
async def test_names_are_shown_literally_wherever_they_stand(name: str) -> None:
    """A67."""
    async with shown(FrontServices(replace(_WORKING, name=name))) as (app, pilot):
        for key in ("down", "d", "e", "i"):
            await pilot.press(key)
            await says(app, pilot, name)
            await pilot.press("escape")
