"""How often a terminal's bell is rung after a look."""

from hqt.services import locks
from hqt.services.ringing import Bell
from hqt.services.views import Exit
from tests.tui.sample import view
from tests.world import World

THEN, NOW = "2026-06-10T12:00:00Z", "2026-06-10T12:00:05Z"
WORKING = view(1, state="working", since=THEN)
FAILED = view(1, state="exited", exit=Exit(code=1), since=NOW, ended_at=NOW)


def test_it_rings_once_for_each_notice(world: World) -> None:
    bell = Bell(world.places, is_wanted=True)
    assert [bell.rings([each]) for each in (WORKING, FAILED, FAILED)] == [0, 1, 0]


def test_an_end_that_a_command_goes_on_from_rings_nobody(world: World) -> None:
    """A resume whose harness ends at once goes on with a fresh start."""
    bell = Bell(world.places, is_wanted=True)
    with locks.hold(world.places.session(WORKING.key), limit_s=0):
        assert [bell.rings([each]) for each in (WORKING, FAILED, WORKING)] == [0, 0, 0]
    assert bell.rings([FAILED]) == 1


def test_an_unwanted_one_is_silent(world: World) -> None:
    bell = Bell(world.places, is_wanted=False)
    assert [bell.rings([each]) for each in (WORKING, FAILED)] == [0, 0]
