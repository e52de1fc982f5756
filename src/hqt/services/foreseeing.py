"""What a start would be, to the last word; nothing is made or started for it."""

from dataclasses import dataclass, replace

from hqt import sandbox
from hqt.errors import JailError, about
from hqt.paths import Places
from hqt.sandbox import project, untrusted
from hqt.sandbox.availability import Layer
from hqt.sandbox.private import Private
from hqt.services import hiding, launching, surveying
from hqt.services.launches import Caller, Launch
from hqt.services.launching import Plan
from hqt.services.surveying import Surveys


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A start as it would be now."""

    surveys: Surveys
    plan: Plan
    layers: tuple[Layer, ...] = ()  # of the jail; none of an open session


def start(launch: Launch, places: Places, caller: Caller, *, terminal: bool) -> Foreseen:
    """The start of `launch`. Raises HqtError with the sentence that would stop it."""
    if launch.sandbox is None:
        surveys = surveying.survey(launch, places, caller, None, terminal=terminal)
        return Foreseen(surveys, _telling(launching.plan(launch, surveys)))
    # the folder first: below / lies every bwrap, and none is run from inside a project
    project.survey(launch.given, launch.sandbox, Private.of(places.home, places.own(), caller.account_home))
    found = sandbox.availability(untrusted.real(launch.given))
    refusal = found.refusal(launch.sandbox)
    if refusal is not None:
        with about("sandbox"):
            raise JailError(refusal)
    surveys = surveying.survey(launch, places, caller, found, terminal=terminal)
    plan = launching.plan(launch, surveys)
    return Foreseen(surveys, _telling(plan, *hiding.notes(surveys, plan)), found.layers)


def _telling(plan: Plan, *more: str) -> Plan:
    """The plan with its notes as text: settings and names, of agents too, may hold what UTF-8 can't."""
    notes = (note.encode(errors="backslashreplace").decode() for note in (*plan.notes, *more))
    return replace(plan, notes=tuple(notes))
