"""What a start would be, to the last word; nothing is made or started for it."""

from dataclasses import dataclass

from hqt import sandbox
from hqt.db import reader
from hqt.errors import JailError, ServiceError
from hqt.paths import Places
from hqt.sandbox.availability import Layer
from hqt.services import launching, rungs
from hqt.services.launching import Caller, Launch, Plan, Surveys
from hqt.services.views import SessionView


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A start as it would be now."""

    surveys: Surveys
    plan: Plan
    layers: tuple[Layer, ...] = ()  # of the jail; none of an open session


def start(launch: Launch, places: Places, caller: Caller, *, terminal: bool) -> Foreseen:
    """The start of `launch`. Raises HqtError with the sentence that would stop it."""
    if launch.sandbox is None:
        surveys = launching.survey(launch, places, caller, None, terminal=terminal)
        return Foreseen(surveys, launching.plan(launch, surveys))
    found = sandbox.availability()
    refusal = found.refusal(launch.sandbox)
    if refusal is not None:
        raise JailError(refusal)
    surveys = launching.survey(launch, places, caller, found, terminal=terminal)
    return Foreseen(surveys, launching.plan(launch, surveys), found.layers)


def resumed(view: SessionView, places: Places, caller: Caller) -> Foreseen:
    """The start that `hqt resume` would make of the session; errors as of `start`."""
    if view.invalid is not None:
        raise JailError(f"session {view.id} would not be started: {view.invalid}")
    if view.state == "broken":
        raise ServiceError(f"session {view.id} would not be started: {view.note}")
    row = reader.find(places, str(view.id))
    rungs.refuse_another_folder(row)
    harness = launching.on_disk(row.harness, places, caller, view.project)
    launch = rungs.resume(row, harness) or rungs.fresh(row, harness)
    return start(launch, places, caller, terminal=True)
