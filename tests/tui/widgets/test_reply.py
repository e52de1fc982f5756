"""The reply line of the main screen: for one session, kept where it was left, and never into a question."""

from textual.widgets import Static

from hqt.errors import ServiceError
from hqt.tui.widgets.entry import Entry
from hqt.tui.widgets.reply import Reply
from tests.tui.front import Front, FrontServices
from tests.tui.main.test_screen import shown, toasts
from tests.tui.scenes import VIEWS
from tests.tui.stand import until

_WORKING, _WAITING, _DONE, _STOPPED = VIEWS[0], VIEWS[1], VIEWS[2], VIEWS[12]


def line(app: Front) -> str | None:
    """What stands in it; None where it is not shown."""
    reply = app.screen.query_one(Reply)
    return reply.query_one(Entry).value if reply.display else None


async def test_what_is_typed_after_the_key_is_sent_by_enter() -> None:
    services = FrontServices(_DONE)
    async with shown(services) as (app, pilot):
        await pilot.press("a", *"deploy it")
        assert line(app) == "deploy it"
        assert str(app.screen.query_one(Reply).query_one(Static).content) == "to 3 search:"
        await pilot.press("enter")
        await until(pilot, lambda: services.hands.asked == [("send", "3", "deploy it")])
        assert line(app) is None
        assert app.focused is app.table
        await pilot.pause()
        await pilot.press("a")
        assert line(app) == ""


async def test_esc_keeps_the_line_for_its_session_alone() -> None:
    async with shown(FrontServices(_DONE, _WORKING)) as (app, pilot):
        await pilot.press("a", *"half", "escape")
        assert (line(app), app.focused) == (None, app.table)
        await pilot.press("down", "a")
        assert line(app) == ""
        await pilot.press("escape", "up", "a")
        assert line(app) == "half"


async def test_a_refused_line_is_kept_and_the_sentence_is_shown() -> None:
    services = FrontServices(_DONE)
    services.hands.refusal = ServiceError("session 3 asks you something: answer on its screen")
    async with shown(services) as (app, pilot):
        await pilot.press("a", *"yes", "enter")
        await until(pilot, lambda: toasts(app) == ["session 3 asks you something: answer on its screen"])
        await pilot.press("a")
        assert line(app) == "yes"


async def test_who_asks_or_does_not_run_gets_no_line() -> None:
    for view, told in (
        (_WAITING, "It is asking you something. Press enter to answer."),
        (_STOPPED, "It is not running. Press enter to resume it."),
    ):
        async with shown(FrontServices(view)) as (app, pilot):
            await pilot.press("a")
            assert (line(app), toasts(app)) == (None, [told])


async def test_without_a_session_the_key_does_nothing() -> None:
    async with shown(FrontServices()) as (app, pilot):
        await pilot.press("a")
        assert (line(app), toasts(app)) == (None, [])
