"""Learning which conversation a session is in, and where its harness keeps it."""

from collections.abc import Iterable

from hqt.conversations import ownership
from hqt.conversations.ownership import Learned, Reports
from hqt.db import reader
from hqt.db.reader import SessionRow
from hqt.errors import HarnessError
from hqt.harnesses.base import HarnessConfigurator
from hqt.paths import Places
from hqt.start import configurator
from hqt.start.caller import Caller
from hqt.status import events

LEFT = "it went on in another conversation inside, the one before is "


def learn_conversation(row: SessionRow, places: Places, caller: Caller) -> Learned | None:
    """The conversation that `row` is in, once it is known for sure; None where nothing new is known."""
    if row.damage is not None or row.harness not in caller.harnesses.names:
        return None
    try:
        harness = configurator.of_row(row, places, caller)
    except HarnessError:  # a variable of this shell names no folder of its; another shell's will
        return None
    return _learned(row, harness, places)


def left_note(row: SessionRow, learned: Learned) -> str | None:
    """What is said of a session that went on in another conversation, begun by LEFT."""
    before = row.conversation or next(reversed(learned.left), None)
    return f"{LEFT}{before}" if before not in (None, learned.conversation) else None


def _learned(row: SessionRow, harness: HarnessConfigurator, places: Places) -> Learned | None:
    own = events.started(harness.events) if harness.events else ()
    mine = {row.conversation, *row.former}
    if row.conversation and set(own) <= mine and own[-1:] in ((), (row.conversation,)):
        return None  # what it reports is known: no look at the disk
    every = reader.rows(places)
    reports = {row.key: own, **_reports(every, row, places)}
    if own:
        found = {each: there for each in own if each not in mine and (there := harness.find(each))}
        kept = frozenset(each for each in own if each in mine and harness.has_conversation(each))
        return ownership.from_reports(row, every, reports, found, kept)
    return ownership.from_disk(row, every, reports, harness.conversations())


def _reports(every: Iterable[SessionRow], row: SessionRow, places: Places) -> Reports:
    """What the harness's other sessions report, ended ones as well: theirs may not be recorded yet."""
    others = (other for other in every if other.key != row.key and other.harness == row.harness)
    return {other.key: events.started(places.session(other.key) / events.FOLDER) for other in others}
