"""Keys reach what they were typed for, however fast."""

from textual.events import Key
from textual.widgets import Input

from tests.tui.front import Front, FrontServices
from tests.tui.scenes import VIEWS
from tests.tui.stand import until


async def test_a_burst_after_slash_is_typed_into_the_filter_and_obeyed_by_nothing_else() -> None:
    """Read in one piece, `/dsqi` would ask to delete, stop, quit and open the details."""
    services = FrontServices(*VIEWS)
    app = Front(services)
    async with app.run_test() as pilot:
        await until(pilot, lambda: services.looks >= 2 and bool(app.table.lines))
        for key in ("slash", *"dsqi D-b"):
            app.post_message(Key({" ": "space", "-": "minus"}.get(key, key), "/" if key == "slash" else key))
        typed = app.screen.query_one(Input)
        await until(pilot, lambda: len(typed.value) >= 8)
        assert (typed.value, len(app.screen_stack)) == ("dsqi D-b", 1)
