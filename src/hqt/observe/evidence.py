"""What one look sees of the agents that live: their hooks' words, registries, titles, bells and screens."""

from collections.abc import Iterator, Mapping, Sequence

from hqt.backends.base import Backend, Pane, Panes
from hqt.db.reader import SessionRow
from hqt.errors import BackendError, HarnessError
from hqt.harnesses.base import HarnessConfigurator
from hqt.paths import Places
from hqt.start import configurator
from hqt.start.caller import Caller
from hqt.status import events, rules
from hqt.status.detect import Look, Sign
from hqt.values import frozen


@frozen
class Live:
    """A session whose agent lives."""

    row: SessionRow
    pane: Pane
    harness: HarnessConfigurator


def live(rows: Sequence[SessionRow], panes: Panes, places: Places, caller: Caller) -> tuple[Live, ...]:
    """The sessions of `rows` that can be judged: their agents live, and their harnesses are known."""
    found = ((row, panes.of(row.key)) for row in rows)
    judged = ((row, pane, harness_of(row, places, caller)) for row, pane in found if pane and not pane.dead)
    return tuple(Live(row, pane, harness) for row, pane, harness in judged if harness is not None)


def harness_of(row: SessionRow, places: Places, caller: Caller) -> HarnessConfigurator | None:
    """The harness of a session; None for one that can't be configured here and now."""
    try:
        return configurator.of_row(row, places, caller)
    except HarnessError:  # of a harness that is gone from config.toml, or whose folder's variable is odd
        return None


def looks(found: Sequence[Live], backend: Backend, now: float) -> dict[str, Look]:
    """What is seen of each, by key; every screen that is needed comes in one call."""
    screens = _screens([each.pane for each in found if each.harness.screen_rules], backend)
    return {each.row.key: look(each, screens.get(each.row.key), now) for each in found}


def look(found: Live, screen: Sequence[str] | None, now: float) -> Look:
    """What is seen of one session; `screen`: None where it was not asked for, or not got."""
    pane, whole = found.pane, screen is not None or not found.harness.screen_rules
    signs = tuple(_signs(found, screen or (), now))
    return Look(now, signs, pane.printed_at, pane.watched, whole, found.harness.reports)


def _signs(found: Live, screen: Sequence[str], now: float) -> Iterator[Sign]:
    """Strongest first."""
    harness, pane = found.harness, found.pane
    told = events.told(harness.events, now) if harness.events else None
    if told is not None:
        yield Sign("hook", told.word, told.at, worked=told.worked)
    own = harness.registry(pane.pid, now)
    if own is not None:
        yield own
    titled = rules.told(harness.title_rules, [pane.said])
    if titled is not None:
        # that it waits; what for is on the screen
        yield Sign("title", titled.word, pattern=titled.pattern)
    if pane.rang and harness.bell is not None:
        yield Sign("bell", harness.bell)
    shown = rules.told(harness.screen_rules, screen)
    if shown is not None:
        reason = shown.line if shown.word == "waiting" else None
        yield Sign("screen", shown.word, reason=reason, pattern=shown.pattern)


def _screens(panes: Sequence[Pane], backend: Backend) -> Mapping[str, Sequence[str]]:
    try:
        return backend.screens(panes) if panes else {}
    except BackendError:  # one ended between the two calls: the next look sees more
        return {}
