"""What a start would be, to the last word; nothing is made or started for it."""

from hqt import sandbox
from hqt.errors import JailError, about
from hqt.paths import Places
from hqt.sandbox import project
from hqt.sandbox.bwrap import Layer
from hqt.sandbox.files import untrusted
from hqt.sandbox.files.private import Private
from hqt.start import plan as planning
from hqt.start import survey
from hqt.start.caller import Caller
from hqt.start.hidden_commands import hidden_commands
from hqt.start.plan import Plan
from hqt.start.request import Launch
from hqt.start.survey import Surveys
from hqt.values import frozen, replace


@frozen
class Preview:
    """A start as it would be now."""

    surveys: Surveys
    plan: Plan
    layers: tuple[Layer, ...] = ()  # of the jail; none of an open session


def preview_start(launch: Launch, places: Places, caller: Caller, *, terminal: bool) -> Preview:
    """The start of `launch`. Raises HqtError with the sentence that would stop it."""
    if launch.sandbox is None:
        surveys = survey.survey(launch, places, caller, None, terminal=terminal)
        return Preview(surveys, _telling(planning.plan(launch, surveys)))
    # the folder first: below / lies every bwrap, and none is run from inside a project
    project.survey(launch.given, launch.sandbox, Private.of(places.home, places.own(), caller.account_home))
    found = sandbox.availability(untrusted.real(launch.given))
    refusal = found.refusal(launch.sandbox)
    if refusal is not None:
        with about("sandbox"):
            raise JailError(refusal)
    surveys = survey.survey(launch, places, caller, found, terminal=terminal)
    plan = planning.plan(launch, surveys)
    return Preview(surveys, _telling(plan, *hidden_commands(surveys, plan)), found.layers)


def _telling(plan: Plan, *more: str) -> Plan:
    """The plan with its notes as text: settings and names, of agents too, may hold what UTF-8 can't."""
    notes = (note.encode(errors="backslashreplace").decode() for note in (*plan.notes, *more))
    return replace(plan, notes=tuple(notes))
