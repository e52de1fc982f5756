"""`hqt demo`: a jailed agent in a scratch world, from start to end."""

import os
import sys
import time

import click

from hqt.backends.tmux.backend import TmuxBackend
from hqt.cli.output import say
from hqt.demo.commands import Commands
from hqt.demo.ending import Interruption, ended
from hqt.demo.report import Report
from hqt.demo.stage import Stage, built
from hqt.demo.tour import Tour
from hqt.formatting import literal
from hqt.paths import places
from hqt.start.caller import Caller
from hqt.values import replace
from hqt.wiring import tmux_backend


@click.command(epilog="\b\nExample:\n  hqt demo")
def demo() -> None:
    """See a jailed agent start, try to get out, and come back.

    The agent is a small script in a scratch home; no login, network or terminal is needed and nothing stays
    behind. Exits with 1 when anything is not as promised.
    """
    interruption = Interruption()
    interruption.listen()
    begun = time.monotonic()
    report = Report(lambda line: print(literal(line), flush=True))
    with built(os.environ) as stage, ended(_backend(stage)):
        print(f"a jailed agent from start to end, in {stage.root}", flush=True)
        Tour(stage, Commands(stage, interruption.leave_if_asked), report).take()
    print(f"\n{report.promises - len(report.broken)} of {report.promises} as promised ", end="")
    print(f"in {time.monotonic() - begun:.1f} s; nothing of it is left")
    if report.broken:
        say(
            f"{len(report.broken)} of the jail's promises did not hold, marked BROKEN: do not rely on it here"
        )
        sys.exit(1)


def _backend(stage: Stage) -> TmuxBackend:
    """The one that the demo's commands use."""
    caller = replace(Caller.current(), env=stage.env)
    return tmux_backend(places(stage.env, caller.uid), caller)
