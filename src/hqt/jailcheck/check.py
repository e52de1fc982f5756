"""All probes, a few at a time, each on a ground of its own."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from hqt import sandbox
from hqt.errors import JailError
from hqt.jailcheck.probe import Outcome, Probe
from hqt.jailcheck.processes import Asked, Stopped
from hqt.jailcheck.run import run
from hqt.jailcheck.scratch import ScratchHomes, scratch_homes
from hqt.sandbox import Availability, SandboxPolicy
from hqt.start.caller import Caller
from hqt.values import replace

_WORKERS_MAX = 6


def check(
    probes: Sequence[Probe],
    caller: Caller,
    hqt: Sequence[str],
    *,
    stop: Asked,
    told: Callable[[int], None],
) -> tuple[Outcome, ...]:
    """Try `probes` and return how each went, in their order; `told` hears how many are done.

    Raises JailError where no jail can be had, and Stopped soon after `stop` says so.
    """
    available = sandbox.availability()
    refusal = available.refusal(SandboxPolicy())
    if refusal is not None:
        raise JailError(refusal)
    # most of their time probes wait for processes, not for this one
    workers = min(_WORKERS_MAX, (os.cpu_count() or 1) + 1)
    with scratch_homes(caller, hqt) as made, ThreadPoolExecutor(workers) as pool:
        tried = [pool.submit(_one, probe, made, available, stop) for probe in probes]
        for count, _ in enumerate(as_completed(tried), 1):
            told(count)
        return tuple(each.result() for each in tried)


def _one(probe: Probe, made: ScratchHomes, available: Availability, stop: Asked) -> Outcome:
    if stop():
        raise Stopped
    with made.fresh() as ground:
        found = run(probe, ground, offline=available.net_off_ok, stop=stop)
    absent = [layer.why_not for layer in available.layers if layer.name == probe.layer and not layer.active]
    return found if found.ok or not absent else replace(found, why=f"{absent[0]}: {found.why}")
