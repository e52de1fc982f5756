"""Conversations that were started elsewhere: which there are, and the start that takes one over."""

import time
from collections.abc import Iterator
from pathlib import Path

from hqt.db import reader
from hqt.db.columns import new_key
from hqt.db.reader import SessionRow
from hqt.errors import ServiceError, about
from hqt.harnesses.base import HarnessConfigurator
from hqt.observe.views import Adoption
from hqt.paths import Places
from hqt.start import configurator
from hqt.start.caller import Caller
from hqt.start.request import Launch
from hqt.status import events
from hqt.values import frozen


@frozen
class Adoptable:
    """A conversation in a folder that no session has or had."""

    conversation: str
    harness: str
    born: float  # Unix time of its start
    said: str | None  # the first line of its first prompt, as somebody typed it


def adoptable(directory: Path, harness: str | None, places: Places, caller: Caller) -> tuple[Adoptable, ...]:
    """Those of `directory` and of that harness, None for each, newest first; nothing is written."""
    owners = _owners(places)
    found = (each for each in _found(directory, harness, places, caller) if each.conversation not in owners)
    return tuple(sorted(found, key=lambda each: each.born, reverse=True))


def adoption_launch(wanted: Adoption, places: Places, caller: Caller) -> Launch:
    """The start that takes over what is wanted; ServiceError where it is none, or somebody has it open."""
    chosen = _chosen(wanted, places, caller)
    owner = _owners(places).get(chosen.conversation)
    if owner is not None:
        raise ServiceError(
            f"session {owner.id} {owner.name} has the conversation {chosen.conversation}:"
            f" `hqt resume {owner.id}`"
        )
    pid = _configured(chosen.harness, wanted.directory, places, caller).holder(
        chosen.conversation, time.time()
    )
    if pid is not None:
        raise ServiceError(
            f"the conversation {chosen.conversation} is open in the process {pid}: end that first"
        )
    return Launch(
        harness=chosen.harness,
        given=wanted.directory,
        sandbox=wanted.sandbox,
        conversation=chosen.conversation,
        resume=True,
        key=new_key(),
    )


def _chosen(wanted: Adoption, places: Places, caller: Caller) -> Adoptable:
    found = list(_found(wanted.directory, wanted.harness, places, caller))
    exact = [each for each in found if each.conversation == wanted.conversation]
    meant = exact or [each for each in found if each.conversation.startswith(wanted.conversation or "\0")]
    if not meant:
        raise ServiceError(
            f"no conversation in {wanted.directory} has an id that begins with {wanted.conversation}:"
            " `hqt adopt DIR` lists those that can be taken over"
        )
    if len(meant) > 1:
        raise ServiceError(
            f"{len(meant)} conversations have ids that begin with {wanted.conversation}: give more of the id"
        )
    return meant[0]


def _found(directory: Path, harness: str | None, places: Places, caller: Caller) -> Iterator[Adoptable]:
    for name in caller.harnesses.names if harness is None else (harness,):
        for each in _configured(name, directory, places, caller).elsewhere():
            yield Adoptable(each.conversation, name, each.born, each.said)


def _configured(harness: str, directory: Path, places: Places, caller: Caller) -> HarnessConfigurator:
    return configurator.on_disk(harness, places, caller, _real(directory))


@about("directory")
def _real(directory: Path) -> Path:
    try:
        return directory.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise ServiceError(f"the folder {directory} can't be found: name one that is there") from error


def _owners(places: Places) -> dict[str, SessionRow]:
    """Whose each conversation is or was, also where that is reported and not recorded yet."""
    every = reader.rows(places)
    reported = {each: row for row in every for each in _reported(row, places)}
    # a copy reports what it is a copy of: what is recorded counts first
    recorded = {each: row for row in every for each in (*row.former, row.conversation) if each is not None}
    return reported | recorded


def _reported(row: SessionRow, places: Places) -> tuple[str, ...]:
    return events.started(places.session(row.key) / events.FOLDER)
