"""Stands before the Python of each probe, in whatever Python 3 the jail shows: system calls by name."""

import ctypes
import errno
import platform
from typing import Callable, Union  # noqa: UP035 - the jail's Python may be older than hqt's

# numbers of the kernel's tables (arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h);
# apart from the filter's own, so that a wrong number there is seen here
_BOTH = {
    "pidfd_open": 434, "pidfd_getfd": 438, "pidfd_send_signal": 424, "io_uring_setup": 425, "open_tree": 428,
    "move_mount": 429, "fsopen": 430, "fsmount": 432, "clone3": 435, "openat2": 437,
    "mount_setattr": 442, "fchmodat2": 452,
}  # fmt: skip
_NUMBERS = {
    "x86_64": {
        "ioctl": 16, "shmget": 29, "clone": 56, "ptrace": 101, "pivot_root": 155, "settimeofday": 164,
        "mount": 165, "umount2": 166, "swapon": 167, "reboot": 169, "syslog": 103, "init_module": 175,
        "add_key": 248, "request_key": 249, "keyctl": 250, "inotify_add_watch": 254, "unshare": 272,
        "perf_event_open": 298, "open_by_handle_at": 304, "setns": 308, "process_vm_readv": 310,
        "process_vm_writev": 311, "bpf": 321, "userfaultfd": 323, "kexec_load": 246, "quotactl": 179,
    },
    "aarch64": {
        "ioctl": 29, "shmget": 194, "clone": 220, "ptrace": 117, "pivot_root": 41, "settimeofday": 170,
        "mount": 40, "umount2": 39, "swapon": 224, "reboot": 142, "syslog": 116, "init_module": 105,
        "add_key": 217, "request_key": 218, "keyctl": 219, "inotify_add_watch": 27, "unshare": 97,
        "perf_event_open": 241, "open_by_handle_at": 265, "setns": 268, "process_vm_readv": 270,
        "process_vm_writev": 271, "bpf": 280, "userfaultfd": 282, "kexec_load": 104, "quotactl": 60,
    },
}[platform.machine()]  # fmt: skip
_LIBC = ctypes.CDLL(None, use_errno=True)
_Word = Union[int, bytes, "ctypes.Array[ctypes.c_char]"]


def call(name: str, *arguments: _Word) -> str:
    """Make a system call; "done", or the name of the error that the kernel gave."""
    ctypes.set_errno(0)
    number = {**_BOTH, **_NUMBERS}[name]
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    words += [ctypes.c_long(0)] * (6 - len(words))
    answer = _LIBC.syscall(ctypes.c_long(number), *words)
    return "done" if answer >= 0 else named(ctypes.get_errno())


def tried(doing: Callable[..., object], *arguments: object) -> str:
    """Call `doing`; "done", or the name of the error."""
    try:
        doing(*arguments)
    except OSError as error:
        return named(error.errno)
    return "done"


def named(number: int | None) -> str:
    return errno.errorcode.get(number or 0, str(number))
