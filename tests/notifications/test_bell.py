"""How often a terminal's bell is rung after a look."""

from hqt.notifications.bell import Bell
from hqt.observe.views import Exit
from hqt.sessions import locks
from tests.tui.sample import view
from tests.world import World

THEN, NOW = "2026-06-10T12:00:00Z", "2026-06-10T12:00:05Z"
WORKING = view(1, state="working", since=THEN)
FAILED = view(1, state="exited", exit=Exit(code=1), since=NOW, ended_at=NOW)


def test_it_rings_once_for_each_notice(world: World) -> None:
    bell = Bell(world.places)
    assert [bell.rings([each]) for each in (WORKING, FAILED, FAILED)] == [0, 1, 0]


def test_an_end_that_a_command_goes_on_from_rings_nobody(world: World) -> None:
    """A resume whose harness ends at once goes on with a fresh start."""
    bell = Bell(world.places)
    with locks.hold(world.places.session(WORKING.key), limit_s=0):
        assert [bell.rings([each]) for each in (WORKING, FAILED, WORKING)] == [0, 0, 0]
    assert bell.rings([FAILED]) == 1


def test_it_rings_as_the_config_says_at_that_moment(world: World) -> None:
    bell, file = Bell(world.places), world.places.config_file
    file.parent.mkdir(parents=True)
    found = []
    for said in ("bell = false", "bell = true", "bell", "bell = false"):
        file.write_text(f"[notify]\n{said}\n")
        found.append([bell.rings([each]) for each in (WORKING, FAILED)])
    assert found == [[0, 0], [0, 1], [0, 1], [0, 0]]  # one that can't be read: rather one too many
