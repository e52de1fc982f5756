"""When the watcher ends: once no agent lives, and all that is owed has been told."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import field

from hqt.notifications.history import History
from hqt.notifications.watcher import watch
from hqt.observe.look import Looker
from hqt.observe.views import Exit, SessionView
from hqt.sessions import locks
from hqt.start.caller import Caller
from hqt.values import frozen
from tests.backends.fake_backend import FakeBackend
from tests.tui.sample import view
from tests.world import World

THEN, NOW = "2026-06-10T12:00:00Z", "2026-06-10T12:00:05Z"
WORKING = view(1, state="working", since=THEN)
FAILED = view(1, state="exited", exit=Exit(code=1), since=NOW, ended_at=NOW)


@frozen
class Scripted(Looker):
    """Each look sees what is next."""

    looks: Iterator[SessionView] = field(default_factory=lambda: iter(()))

    def all(self) -> tuple[SessionView, ...]:
        return (next(self.looks),)


def told(world: World, looks: Iterator[SessionView]) -> list[str]:
    """What is told until the watcher ends."""
    found: list[str] = []
    looker = Scripted(world.places, Caller({}, 0, 0o022), FakeBackend(), looks=looks)
    watch(looker, History(THEN), lambda notice, _: found.append(notice.kind))
    return found


def test_it_ends_with_the_last_agent(world: World) -> None:
    assert told(world, iter((WORKING, FAILED))) == ["failed"]


def test_an_end_in_a_commands_hands_is_told_once_it_is_let_go(world: World) -> None:
    """Whoever records an end holds the session for a moment longer."""
    with ExitStack() as held:
        held.enter_context(locks.hold(world.places.session(WORKING.key), limit_s=0))
        assert told(world, _looks(held.close)) == ["failed"]


def _looks(let_go: Callable[[], None]) -> Iterator[SessionView]:
    yield WORKING
    yield FAILED
    let_go()
    yield FAILED
