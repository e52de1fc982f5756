"""Learning which conversation a session is in, and where its harness keeps it."""

from collections.abc import Iterable

from hqt.db import reader
from hqt.db.engine import Database
from hqt.db.reader import SessionRow
from hqt.errors import HarnessError
from hqt.harnesses.base import HarnessConfigurator
from hqt.paths import Places
from hqt.services import conversations, equipping, rows
from hqt.services.conversations import Learned, Reports
from hqt.services.launches import Caller
from hqt.status import events

_LEFT = "it went on in another conversation inside, the one before is "


def learn(row: SessionRow, places: Places, caller: Caller, database: Database) -> None:
    """Record the conversation that `row` is in, once it is known for sure; one that it left stays its own."""
    if row.damage is not None or row.harness not in caller.harnesses.names:
        return
    try:
        harness = equipping.of_row(row, places, caller)
    except HarnessError:  # a variable of this shell names no folder of its; another shell's will
        return
    learned = _learned(row, harness, places)
    if learned is not None:
        before = row.conversation or next(reversed(learned.left), None)
        told = f"{_LEFT}{before}" if before not in (None, learned.conversation) else None
        rows.claim(database, row, learned, told, instead_of=_LEFT)


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
        return conversations.followed(row, every, reports, found, kept)
    return conversations.discovered(row, every, reports, harness.conversations())


def _reports(every: Iterable[SessionRow], row: SessionRow, places: Places) -> Reports:
    """What the harness's other sessions report, ended ones as well: theirs may not be recorded yet."""
    others = (other for other in every if other.key != row.key and other.harness == row.harness)
    return {other.key: events.started(places.session(other.key) / events.FOLDER) for other in others}
