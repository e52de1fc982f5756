"""The system call filter of a jail: classic BPF as bytes, for the kernel's own tables; pure."""

import errno
import struct
from collections.abc import Iterator

from hqt.errors import JailError
from hqt.values import frozen

# struct seccomp_data: number, architecture, instruction pointer, six arguments of 8 bytes (linux/seccomp.h)
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16

# struct sock_filter's codes (linux/bpf_common.h)
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06

_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000

_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C  # both type into the terminal for whoever reads it next
_CLONE_NEWUSER = 0x10000000
_UNIX, _INET, _INET6, _NETLINK = 1, 2, 10, 16
_X32 = 0x40000000
_SETUID = 0o4000
_CREATES = 0o100 | 0o20000000  # O_CREAT, __O_TMPFILE: without them open has no mode (open(2))

# calls that change what is mounted, reach other namespaces, the kernel's keys or its code
_DENIED = (
    "mount umount2 pivot_root open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr "
    "open_tree_attr setns open_by_handle_at add_key request_key keyctl perf_event_open bpf userfaultfd "
    "io_uring_setup io_uring_enter io_uring_register kexec_load kexec_file_load "
    "init_module finit_module delete_module create_module query_module get_kernel_syms "
    "reboot swapon swapoff acct syslog quotactl quotactl_fd settimeofday iopl ioperm uselib nfsservctl"
).split()

# since Linux 5.1 new calls have one number everywhere (Documentation/process/adding-syscalls.rst)
_COMMON = {
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428,
    "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "clone3": 435,
    "openat2": 437, "mount_setattr": 442, "quotactl_fd": 443, "fchmodat2": 452, "open_tree_attr": 467,
}  # fmt: skip
_X86_64 = _COMMON | {
    "open": 2, "creat": 85, "chmod": 90, "fchmod": 91, "mknod": 133, "openat": 257, "mknodat": 259,
    "fchmodat": 268,
    "ioctl": 16, "socket": 41, "clone": 56, "syslog": 103, "uselib": 134, "pivot_root": 155, "acct": 163,
    "settimeofday": 164, "mount": 165, "umount2": 166, "swapon": 167, "swapoff": 168, "reboot": 169,
    "iopl": 172, "ioperm": 173, "create_module": 174, "init_module": 175, "delete_module": 176,
    "get_kernel_syms": 177, "query_module": 178, "quotactl": 179, "nfsservctl": 180, "kexec_load": 246,
    "add_key": 248, "request_key": 249, "keyctl": 250, "unshare": 272, "perf_event_open": 298,
    "open_by_handle_at": 304, "setns": 308, "finit_module": 313, "kexec_file_load": 320, "bpf": 321,
    "userfaultfd": 323,
}  # fmt: skip
_AARCH64 = _COMMON | {
    "mknodat": 33, "fchmod": 52, "fchmodat": 53, "openat": 56,
    "ioctl": 29, "umount2": 39, "mount": 40, "pivot_root": 41, "nfsservctl": 42, "quotactl": 60, "acct": 89,
    "unshare": 97, "kexec_load": 104, "init_module": 105, "delete_module": 106, "syslog": 116, "reboot": 142,
    "settimeofday": 170, "socket": 198, "add_key": 217, "request_key": 218, "keyctl": 219, "clone": 220,
    "swapon": 224, "swapoff": 225, "perf_event_open": 241, "open_by_handle_at": 265, "setns": 268,
    "finit_module": 273, "bpf": 280, "userfaultfd": 282, "kexec_file_load": 294,
}  # fmt: skip


@frozen
class _Machine:
    architecture: int  # AUDIT_ARCH_* (linux/audit.h)
    numbers: dict[str, int]


_MACHINES = {"x86_64": _Machine(0xC000003E, _X86_64), "aarch64": _Machine(0xC00000B7, _AARCH64)}


MACHINES = tuple(_MACHINES)


def program(machine: str) -> bytes:
    """The filter for `machine` (uname -m), as bwrap's --seccomp wants it: an array of struct sock_filter.

    Raises JailError for a machine whose tables are not known: no filter, no jail.
    """
    found = _MACHINES.get(machine)
    if found is None:
        raise JailError(f"hqt has no system call filter for {machine}: start the session without a jail")
    return b"".join(struct.pack("<HBBI", *step) for step in _steps(found))


def is_known(machine: str) -> bool:
    """Whether there is a filter for `machine` (uname -m)."""
    return machine in _MACHINES


_Step = tuple[int, int, int, int]  # code, jump if true, jump if false, operand


def _steps(machine: _Machine) -> Iterator[_Step]:
    numbers = machine.numbers
    yield _load(_ARCHITECTURE)
    yield from _unless(_EQUAL, machine.architecture, errno.ENOSYS)
    yield _load(_NUMBER)
    if machine.architecture == _MACHINES["x86_64"].architecture:
        yield from _when(_AT_LEAST, _X32, errno.ENOSYS)
    for name in _DENIED:
        if name in numbers:
            yield from _when(_EQUAL, numbers[name], errno.EPERM)
    # their arguments lie in memory, where a filter can't look; programs fall back to clone and openat
    for name in ("clone3", "openat2"):
        yield from _when(_EQUAL, numbers[name], errno.ENOSYS)
    for name in ("clone", "unshare"):
        yield from _only(numbers[name], 0, tuple(_when(_ANY_BIT, _CLONE_NEWUSER, errno.EPERM)))
    # the kernel looks at the low 32 bits of a request only (CVE-2019-10063), and so does this
    typing = (step for request in (_TIOCSTI, _TIOCLINUX) for step in _when(_EQUAL, request, errno.EPERM))
    yield from _only(numbers["ioctl"], 1, tuple(typing))
    yield from _only(numbers["socket"], 0, tuple(_families()))
    yield from _no_setuid(numbers)
    yield _return(_ALLOW)


def _families() -> Iterator[_Step]:
    """Allow these address families; others, such as VSOCK to a virtual machine's host, do not exist."""
    allowed = (_UNIX, _INET, _INET6, _NETLINK)
    for place, family in enumerate(allowed):
        yield (_EQUAL, len(allowed) - place, 0, family)  # past the refusal
    yield _return(_ERRNO | errno.EAFNOSUPPORT)


# call -> which argument is the mode; of the second kind the one before says whether there is a mode
_MODES = {"chmod": 1, "fchmod": 1, "fchmodat": 2, "fchmodat2": 2, "creat": 1, "mknod": 1, "mknodat": 2}
_MODES_OF_CREATED = {"open": 2, "openat": 3}


def _no_setuid(numbers: dict[str, int]) -> Iterator[_Step]:
    """A setuid file in the project would give the user's rights to others on this machine."""
    refused = tuple(_when(_ANY_BIT, _SETUID, errno.EPERM))
    for name, argument in _MODES.items():
        if name in numbers:
            yield from _only(numbers[name], argument, refused)
    for name, argument in _MODES_OF_CREATED.items():
        if name in numbers:
            created = ((_ANY_BIT, 0, len(refused) + 1, _CREATES), _load(_ARGUMENTS + 8 * argument), *refused)
            yield from _only(numbers[name], argument - 1, created)


def _only(number: int, argument: int, steps: tuple[_Step, ...]) -> Iterator[_Step]:
    """`steps` on the low half of an argument, for one call; then the number is loaded again."""
    yield (_EQUAL, 0, len(steps) + 2, number)
    yield _load(_ARGUMENTS + 8 * argument)
    yield from steps
    yield _load(_NUMBER)


def _when(test: int, operand: int, code: int) -> Iterator[_Step]:
    yield (test, 0, 1, operand)
    yield _return(_ERRNO | code)


def _unless(test: int, operand: int, code: int) -> Iterator[_Step]:
    yield (test, 1, 0, operand)
    yield _return(_ERRNO | code)


def _load(offset: int) -> _Step:
    return (_LOAD, 0, 0, offset)


def _return(action: int) -> _Step:
    return (_RETURN, 0, 0, action)
