"""What a harness's hooks leave in its session's events folder, where a jailed agent may write anything."""

import os
import re
import stat
from pathlib import Path

VARIABLE = "HQT_EVENTS"  # names the folder to the hooks, so that their commands are the same everywhere
FOLDER = "events"  # of a session's private folder: unlike the runtime folder it outlives a reboot
INSIDE = Path("/run/hqt/events")  # where a jail has it
STARTS = "starts"

# /bin/sh and coreutils alone: hqt is not seen in a jail. By name and in one word, as a harness may use the
# user's own shell, such as fish. It takes all that it is told, says nothing, waits for no pipe that an agent
# put there and never fails: a harness may show a hook's errors, or stop at them
STARTED = (
    "/bin/sh -c '{ "
    f'f=${VARIABLE}/{STARTS}; if [ -d "${VARIABLE}" ] && {{ [ -f "$f" ] || ! [ -e "$f" ]; }}; '
    'then { head -c 1024; echo; } >>"$f"; fi; cat >/dev/null; '
    "} 2>/dev/null; exit 0'"
)

_HALF = 4096  # bytes read of either end: the first reports of a life, and the latest
_MOST = 32  # reports that are looked at
# a quote within a JSON string is escaped, so that no path can hold this
_REPORT = re.compile(rb'"session_id"\s*:\s*"([0-9A-Za-z_-]{1,128})"')


def renew(folder: Path) -> None:
    """Let the folder be there, 0700, and without a report of an earlier life.

    Raises OSError. Only its own name is trusted: what lies in it is what the last jail left.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)  # a jail may have closed it
    try:
        (folder / STARTS).unlink(missing_ok=True)
    except OSError:  # it was made a folder; what is in it goes with the session
        (folder / STARTS).rename(folder / f"gone-{os.urandom(8).hex()}")


def started(folder: Path) -> tuple[str, ...]:
    """The conversations that the harness says it was in, in the order of its reports.

    Of many the first and the latest. None where the file is anything but a small plain one of the user's own.
    """
    found = _REPORT.findall(_ends(folder))
    ids = [each.decode() for each in found]
    return tuple(ids if len(ids) <= _MOST else [ids[0], *ids[1 - _MOST :]])


def _ends(folder: Path) -> bytes:
    """The first and the last bytes of the file, as one text; empty where it may not be read."""
    try:
        within = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        # a link would lead elsewhere, and a FIFO without a writer hold up an open that waits (fifo(7))
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        file = os.open(STARTS, flags, dir_fd=within)
    except OSError:
        return b""
    finally:
        os.close(within)
    try:
        return _read(file)
    except OSError:
        return b""
    finally:
        os.close(file)


def _read(file: int) -> bytes:
    about = os.fstat(file)
    # a second name would be that of a file elsewhere
    if not stat.S_ISREG(about.st_mode) or about.st_nlink != 1 or about.st_uid != os.geteuid():
        return b""
    head = os.pread(file, _HALF, 0)
    latest = max(about.st_size - _HALF, _HALF)
    gap = b"\n" if latest > _HALF else b""
    return head + gap + os.pread(file, _HALF, latest)
