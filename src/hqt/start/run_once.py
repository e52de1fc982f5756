"""One command in exactly the jail that a session would have, in the caller's own terminal."""

import os
import signal
import sys
from pathlib import Path
from typing import NoReturn

from hqt.backends.base import Size
from hqt.backends.spec import spec_text
from hqt.errors import JailError
from hqt.integrity import placeholders
from hqt.integrity.placeholders import release_placeholders, sweep_placeholders
from hqt.launch import CANNOT_LAUNCH, Refused, Spec, become
from hqt.paths import Places
from hqt.sandbox.bwrap import forget
from hqt.start.caller import Caller
from hqt.start.launch_report import LaunchReport
from hqt.start.prepare import prepare
from hqt.start.preview import preview_start
from hqt.start.request import Launch

_NO_TERMINAL = Size(columns=80, rows=24)  # the command keeps the caller's


def execute(launch: Launch, places: Places, caller: Caller) -> int:
    """Run the launch's command and return its exit status; 125 where its jail could not be made.

    Raises HqtError where the jail is refused before.
    """
    if launch.sandbox is None:
        raise JailError("a jail was not asked for: give a policy")
    plan = preview_start(launch, places, caller, terminal=os.isatty(0)).plan
    for note in plan.notes:
        print(f"hqt: note: {note}", file=sys.stderr)
    holder = placeholders.command()
    try:
        with prepare(plan, _NO_TERMINAL, places, holder) as request:
            return _run(Spec(spec_text(request).encode()))
    finally:
        release_placeholders(places, holder, _may_be_live)
        sweep_placeholders(places, _may_be_live)


def _may_be_live(holder: str) -> bool:
    """A session that ended unseen is released by the next command that changes something."""
    return not placeholders.is_command(holder) or placeholders.is_live_command(holder)


def _run(spec: Spec) -> int:
    status = os.memfd_create("hqt-status", os.MFD_CLOEXEC)
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        _become(spec, status)
    # Ctrl-C and Ctrl-\ are for the command; hqt must live to tell how it ended
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    words = LaunchReport.parse(Path(f"/proc/self/fd/{status}").read_text(encoding="utf-8", errors="replace"))
    if code >= 0 and words.executed and words.failure is None and words.exit_code is None:
        forget()  # what was known of bwrap did not hold
        print("hqt: the jail could not be made, nothing was started: see the line above", file=sys.stderr)
        return CANNOT_LAUNCH
    return code if code >= 0 else 128 - code


def _become(spec: Spec, status: int) -> NoReturn:
    try:
        become(spec, status)
    except Refused as refused:
        os.write(2, f"hqt: {refused}\n".encode(errors="surrogateescape"))
        os._exit(refused.code)
