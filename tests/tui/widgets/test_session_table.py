"""The list as a widget."""

import pytest
from textual.pilot import Pilot

from hqt.tui.link.services import Snapshot
from hqt.tui.list.layout import Scene
from hqt.tui.widgets.session_table import SessionTable
from hqt.values import replace
from tests.tui.sample import view
from tests.tui.scenes import EVERY_STATE, NOW, VIEWS
from tests.tui.stand import CannedServices, seen, stand


def many(count: int) -> Scene:
    views = tuple(view(number, since="2026-06-10T11:00:00Z") for number in range(1, count + 1))
    return Scene(Snapshot(views), NOW)


async def show(table: SessionTable, pilot: Pilot[None], scene: Scene) -> None:
    table.show(scene)
    await pilot.pause()


async def test_only_lines_that_changed_are_painted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    table = SessionTable()
    painted: list[int] = []
    async with stand(CannedServices(), table).run_test(size=(80, 30)) as pilot:
        await show(table, pilot, EVERY_STATE)
        rendered = SessionTable.render_line

        def counted(each: SessionTable, y: int) -> object:
            painted.append(y)
            return rendered(each, y)

        monkeypatch.setattr(SessionTable, "render_line", counted)
        await show(table, pilot, EVERY_STATE)
        assert painted == []
        views = tuple(replace(each, name="other") if each is VIEWS[3] else each for each in VIEWS)
        await show(table, pilot, replace(EVERY_STATE, glance=replace(EVERY_STATE.glance, views=views)))
        assert set(painted) == {10}
        painted.clear()
        await pilot.press("down")
        assert set(painted) == {1, 2}


async def test_the_cursor_is_a_sign_and_follows_the_keys_to_the_ends() -> None:
    table = SessionTable()
    app = stand(CannedServices(), table)
    async with app.run_test(size=(80, 10)) as pilot:
        table.focus()
        await show(table, pilot, many(100))
        for keys, chosen in (
            (["up"], 1),
            (["down", "j"], 3),
            (["k"], 2),
            (["pagedown"], 11),
            (["pageup"], 2),
            (["end"], 100),
            (["down"], 100),
            (["home"], 1),
        ):
            await pilot.press(*keys)
            assert table.chosen == f"{chosen:08x}", keys
            (row,) = [row for row in seen(app) if row.startswith("›")]
            assert row.startswith("› ▸ running shop-claude")


async def test_the_head_of_its_project_is_seen_with_the_first_session() -> None:
    table = SessionTable()
    app = stand(CannedServices(), table)
    async with app.run_test(size=(80, 10)) as pilot:
        table.focus()
        await show(table, pilot, many(100))
        await pilot.press("end", "home")
        assert seen(app)[0] == " shop"


async def test_a_resize_arranges_anew_and_keeps_the_choice_in_sight() -> None:
    table = SessionTable()
    app = stand(CannedServices(), table)
    async with app.run_test(size=(100, 20)) as pilot:
        table.focus()
        await show(table, pilot, EVERY_STATE)
        await pilot.press("end")
        await pilot.resize_terminal(40, 5)
        await pilot.pause()
        assert {len(line.text) for line in table.lines} <= {39, 40}
        assert any(row.startswith("› ▫ lost") for row in seen(app))
