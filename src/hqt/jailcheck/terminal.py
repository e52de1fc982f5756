"""A terminal for a probe: a command in it, and somebody who types, resizes and reads."""

import fcntl
import os
import select
import struct
import subprocess
import tempfile
import termios
import time
from collections.abc import Sequence

from hqt.jailcheck.probe import Terminal
from hqt.jailcheck.processes import LIMIT_S, Processes, TooLong

_CHUNK = 1 << 16

# the first terminal that the leader of a session opens becomes its own (tty_ioctl(2))
_IN_TERMINAL = ("sh", "-c", 'exec <>"$0" >&0 2>&0; exec "$@"')
# a shell that reads the same terminal after the jail, as the one a jail was started from does
_WITH_SHELL_BEHIND = ("sh", "-c", '"$@"; read -r got; echo "SHELLGOT:$got"', "sh")
# a terminal that the jail is not given, as in `cmd </dev/null | less`
_BEHIND = ("sh", "-c", '"$@" </dev/null 2>&1 | cat', "sh")


def converse(processes: Processes, argv: Sequence[str], tty: Terminal) -> tuple[int, str]:
    """Run `argv` in a fresh terminal, answer its READY as `tty` says: exit status and all that it said."""
    ours, theirs = os.openpty()
    try:
        _resize(ours, 100)
        around = {"inject": _WITH_SHELL_BEHIND, "behind": _BEHIND}.get(tty, ())
        with tempfile.TemporaryFile() as unused:
            process = processes.start([*_IN_TERMINAL, os.ttyname(theirs), *around, *argv], unused)
            code, heard = _talk(processes, process, ours, tty)
    finally:
        os.close(theirs)
        os.close(ours)
    return code, heard.decode(errors="replace").replace("\r\n", "\n")


def _talk(
    processes: Processes, process: "subprocess.Popen[bytes]", ours: int, tty: Terminal
) -> tuple[int, bytes]:
    heard, answered, end = b"", False, time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        code = processes.ended(process, 0)
        heard += _read(ours, wait_s=0 if code is not None else 0.1)
        if code is not None:
            return code, heard
        if not answered and b"READY" in heard:
            answered = True
            _answer(ours, tty)
    raise TooLong


def _read(terminal: int, wait_s: float) -> bytes:
    """All that is there, at least after `wait_s`."""
    found = b""
    while select.select([terminal], [], [], wait_s)[0]:
        found, wait_s = found + os.read(terminal, _CHUNK), 0
    return found


def _answer(terminal: int, tty: Terminal) -> None:
    if tty == "ctrlc":
        os.write(terminal, b"\x03")
    elif tty == "resize":
        _resize(terminal, 77)
    elif tty == "inject":
        # whatever was injected stands in the queue before this line
        os.write(terminal, b"typed\n")


def _resize(terminal: int, columns: int) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
