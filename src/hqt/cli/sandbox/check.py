"""`hqt sandbox check`: the jail's promises, each tried on this machine."""

import sys
import time
from collections.abc import Iterable, Iterator
from itertools import groupby

import click
from click.exceptions import Exit

from hqt.cli.output import print_json, say
from hqt.demo.ending import Interruption
from hqt.formatting import literal
from hqt.jailcheck import probe as probes
from hqt.jailcheck.check import check as try_all
from hqt.jailcheck.probe import Outcome
from hqt.jailcheck.processes import Stopped
from hqt.start.caller import Caller

_HQT = (sys.executable, "-I", "-m", "hqt")


@click.command(epilog="\b\nExamples:\n  hqt sandbox check\n  hqt sandbox check --json")
@click.option("--json", "as_json", is_flag=True, help="Each probe as an object: id, kind, ok, why.")
def check(*, as_json: bool) -> None:
    """Try to get out of the jail, each way a probe, in a scratch home that is removed afterwards.

    Exits with 1 where a promise does not hold or could not be shown, and with 4 where no jail can be had.
    """
    interruption = Interruption()
    interruption.listen()
    begun, known = time.monotonic(), probes.load()
    progress = _Progress(len(known))
    try:
        found = try_all(
            known, Caller.current(), _HQT, stop=lambda: interruption.number is not None, told=progress.tell
        )
    except Stopped:
        interruption.leave_if_asked()
        raise
    finally:
        progress.clear()
    broken = [each for each in found if not each.ok]
    if as_json:
        print_json({"probes": [_json(each) for each in found]})
    else:
        print("\n".join(lines(found)))
        print(f"\n{len(found) - len(broken)} of {len(found)} hold, in {time.monotonic() - begun:.0f} s")
    if broken:
        say(f"{len(broken)} of the jail's promises did not hold or were not shown: do not rely on them here")
        raise Exit(1)


class _Progress:
    """One line that is written over, on a terminal only."""

    def __init__(self, total: int) -> None:
        self._total, self._shown = total, sys.stderr.isatty()

    def tell(self, count: int) -> None:
        if self._shown:
            print(f"\r{count} of {self._total} tried", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _json(outcome: Outcome) -> dict[str, object]:
    return {"id": outcome.id, "kind": outcome.kind, "ok": outcome.ok, "why": outcome.why}


def lines(outcomes: Iterable[Outcome]) -> Iterator[str]:
    for kind, group in groupby(outcomes, key=lambda each: each.kind):
        found = list(group)
        broken = [each for each in found if not each.ok]
        yield f"{kind:10} {len(found) - len(broken)} of {len(found)}"
        for each in broken:
            yield f"  BROKEN   {each.id}: {literal(each.why or '')}"
