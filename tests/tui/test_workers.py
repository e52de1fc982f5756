"""Work that hqt's end leaves unbegun is left without a complaint."""

import gc
import warnings

import pytest
from textual.dom import DOMNode

from tests.tui.front import Front, FrontServices
from tests.tui.scenes import VIEWS
from tests.tui.stand import until

# what each leads to is begun by a worker
_KEYS = "s r R f m space t i a escape D r escape e enter escape d y q".split()


async def test_python_complains_of_no_coroutine_that_was_never_awaited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As a coroutine, what a signal's end left unbegun was complained of in the terminal."""
    services = FrontServices(*VIEWS)
    app = Front(services)
    begun: list[str] = []

    def left(node: DOMNode, work: object, **_: object) -> None:
        begun.append(type(node).__name__)

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        async with app.run_test(size=(98, 30)) as pilot:
            await until(pilot, lambda: services.looks >= 2 and bool(app.table.lines))
            monkeypatch.setattr(DOMNode, "run_worker", left)
            await pilot.press(*_KEYS)
            monkeypatch.undo()
        gc.collect()
    assert [str(each.message) for each in told] == []
    assert {"Front", "SessionsScreen", "Preview", "DetailsScreen", "DoctorScreen", "RenameScreen"} <= set(
        begun
    )
