"""The filter decides as the policy says: each denied call, each argument looked at, all else let through."""

import errno
import json
import platform

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.errors import JailError
from hqt.sandbox import seccomp
from tests.sandbox.bpf import AARCH64, ALLOW, ERRNO, I386, X86_64, Call, run
from tests.world import World, needs_bwrap

# asm/unistd_64.h and asm-generic/unistd.h, written down again by hand: a slip in one shows
_DENIED = {
    X86_64: {
        "mount": 165, "umount2": 166, "pivot_root": 155, "open_tree": 428, "move_mount": 429, "fsopen": 430,
        "fsconfig": 431, "fsmount": 432, "fspick": 433, "mount_setattr": 442, "open_tree_attr": 467,
        "setns": 308, "open_by_handle_at": 304, "add_key": 248, "request_key": 249, "keyctl": 250,
        "perf_event_open": 298, "bpf": 321, "userfaultfd": 323, "io_uring_setup": 425, "io_uring_enter": 426,
        "io_uring_register": 427, "kexec_load": 246, "kexec_file_load": 320, "init_module": 175,
        "finit_module": 313, "delete_module": 176, "create_module": 174, "query_module": 178,
        "get_kernel_syms": 177, "reboot": 169, "swapon": 167, "swapoff": 168, "acct": 163, "syslog": 103,
        "quotactl": 179, "quotactl_fd": 443, "settimeofday": 164, "iopl": 172, "ioperm": 173, "uselib": 134,
        "nfsservctl": 180,
    },
    AARCH64: {
        "mount": 40, "umount2": 39, "pivot_root": 41, "open_tree": 428, "move_mount": 429, "fsopen": 430,
        "fsconfig": 431, "fsmount": 432, "fspick": 433, "mount_setattr": 442, "open_tree_attr": 467,
        "setns": 268, "open_by_handle_at": 265, "add_key": 217, "request_key": 218, "keyctl": 219,
        "perf_event_open": 241, "bpf": 280, "userfaultfd": 282, "io_uring_setup": 425, "io_uring_enter": 426,
        "io_uring_register": 427, "kexec_load": 104, "kexec_file_load": 294, "init_module": 105,
        "finit_module": 273, "delete_module": 106, "reboot": 142, "swapon": 224, "swapoff": 225, "acct": 89,
        "syslog": 116, "quotactl": 60, "quotactl_fd": 443, "settimeofday": 170, "nfsservctl": 42,
    },
}  # fmt: skip
_LOOKED_AT = {
    X86_64: {"ioctl": 16, "socket": 41, "clone": 56, "unshare": 272, "clone3": 435},
    AARCH64: {"ioctl": 29, "socket": 198, "clone": 220, "unshare": 97, "clone3": 435},
}
# number, which argument is the mode, and which the flags without which there is none
_MODES = {
    X86_64: [(90, 1, None), (91, 1, None), (268, 2, None), (452, 2, None), (85, 1, None), (133, 1, None),
             (259, 2, None), (2, 2, 1), (257, 3, 2)],
    AARCH64: [(52, 1, None), (53, 2, None), (452, 2, None), (33, 2, None), (56, 3, 2)],
}  # fmt: skip
_OPENAT2 = 437
_O_CREAT, _O_TMPFILE = 0o100, 0o20200000
_NAMES = {X86_64: "x86_64", AARCH64: "aarch64"}
_TIOCSTI, _TIOCLINUX, _TCGETS, _TIOCGWINSZ = 0x5412, 0x541C, 0x5401, 0x5413
_NEWUSER, _NEWNS, _THREAD = 0x10000000, 0x00020000, 0x003D0F00
_HIGH = 1 << 32

both = pytest.mark.parametrize("machine", [X86_64, AARCH64], ids=_NAMES.get)


def decided(machine: int, number: int, *arguments: int) -> int:
    return run(seccomp.program(_NAMES[machine]), Call(number, machine, arguments))


def refused(code: int) -> int:
    return ERRNO | code


@both
def test_every_denied_call_fails_with_eperm(machine: int) -> None:
    found = {name: decided(machine, number) for name, number in _DENIED[machine].items()}
    assert found == dict.fromkeys(_DENIED[machine], refused(errno.EPERM))


@both
def test_every_other_call_is_let_through_whatever_its_arguments(machine: int) -> None:
    modes = {number for number, *_ in _MODES[machine]}
    special = {*_DENIED[machine].values(), *_LOOKED_AT[machine].values(), *modes, _OPENAT2}
    others = [number for number in range(600) if number not in special]
    answers = {decided(machine, number, *[_TIOCSTI | _NEWUSER] * 6) for number in others}
    assert answers == {ALLOW}


@both
@pytest.mark.parametrize("foreign", [X86_64, AARCH64, I386, 0x40000028])
def test_a_foreign_architecture_has_no_calls_at_all(machine: int, foreign: int) -> None:
    if foreign != machine:
        program = seccomp.program(_NAMES[machine])
        answers = {run(program, Call(number, foreign)) for number in range(600)}
        assert answers == {refused(errno.ENOSYS)}


@given(st.integers(0x40000000, 0xFFFFFFFF))
def test_the_x32_numbers_do_not_exist(number: int) -> None:
    assert decided(X86_64, number) == refused(errno.ENOSYS)


@both
@pytest.mark.parametrize("request_", [_TIOCSTI, _TIOCLINUX])
@pytest.mark.parametrize("high", [0, _HIGH, 0xFFFFFFFF << 32])
def test_typing_into_the_terminal_is_refused_by_the_low_half_of_the_request(
    machine: int, request_: int, high: int
) -> None:
    assert decided(machine, _LOOKED_AT[machine]["ioctl"], 0, high | request_) == refused(errno.EPERM)


@both
def test_other_requests_are_let_through(machine: int) -> None:
    ioctl = _LOOKED_AT[machine]["ioctl"]
    answers = {decided(machine, ioctl, _TIOCSTI, each) for each in (_TCGETS, _TIOCGWINSZ, 0, _TIOCSTI << 32)}
    assert answers == {ALLOW}


@both
def test_four_socket_families_exist(machine: int) -> None:
    number = _LOOKED_AT[machine]["socket"]
    answers = {family: decided(machine, number, family, 1, 0) for family in range(64)}
    assert {family for family, answer in answers.items() if answer == ALLOW} == {1, 2, 10, 16}
    assert set(answers.values()) == {ALLOW, refused(errno.EAFNOSUPPORT)}
    assert decided(machine, number, _HIGH | 40) == refused(errno.EAFNOSUPPORT)
    assert decided(machine, number, _HIGH | 2) == ALLOW


@both
@pytest.mark.parametrize("call", ["clone", "unshare"])
def test_no_user_namespace_is_made_whatever_the_other_flags(machine: int, call: str) -> None:
    number = _LOOKED_AT[machine][call]
    answers = [decided(machine, number, flags) for flags in (_NEWUSER, _NEWUSER | _NEWNS, -1)]
    assert answers == [refused(errno.EPERM)] * 3
    assert {decided(machine, number, flags) for flags in (0, 17, _THREAD, _NEWNS, _NEWUSER << 32)} == {ALLOW}


@both
def test_clone3_does_not_exist_so_that_programs_fall_back_to_clone(machine: int) -> None:
    assert decided(machine, _LOOKED_AT[machine]["clone3"]) == refused(errno.ENOSYS)


@both
@pytest.mark.parametrize("mode", [0o4000, 0o4755, 0o6711, _HIGH | 0o104755])
def test_nothing_is_made_setuid(machine: int, mode: int) -> None:
    for number, place, flags in _MODES[machine]:
        for creates in (_O_CREAT, _O_TMPFILE) if flags is not None else (0,):
            arguments = [0o1000] * 6
            arguments[place] = mode
            if flags is not None:
                arguments[flags] = creates | 1
            assert decided(machine, number, *arguments) == refused(errno.EPERM), number


@both
@pytest.mark.parametrize("mode", [0, 0o644, 0o2775, 0o1777, 0o40755])
def test_other_modes_are_let_through(machine: int, mode: int) -> None:
    for number, place, _ in _MODES[machine]:
        arguments = [_O_CREAT] * 6
        arguments[place] = mode
        assert decided(machine, number, *arguments) == ALLOW, number


@both
def test_opening_a_file_that_is_there_has_no_mode_to_look_at(machine: int) -> None:
    for number, place, flags in _MODES[machine]:
        if flags is not None:
            arguments = [0] * 6
            arguments[place] = 0o4755
            assert decided(machine, number, *arguments) == ALLOW, number


@both
def test_openat2_does_not_exist_so_that_programs_fall_back_to_openat(machine: int) -> None:
    assert decided(machine, _OPENAT2) == refused(errno.ENOSYS)


@both
@given(st.integers(0, 0xFFFFFFFF), st.lists(st.integers(0, (1 << 64) - 1), min_size=6, max_size=6))
def test_the_program_ends_on_any_call(machine: int, number: int, arguments: list[int]) -> None:
    answer = decided(machine, number, *arguments)
    assert answer == ALLOW or answer & 0xFFFF0000 == ERRNO


def test_the_kernel_takes_at_most_4096_steps() -> None:
    assert all(len(seccomp.program(machine)) <= 4096 * 8 for machine in seccomp.MACHINES)


def test_an_unknown_machine_has_no_filter_and_so_no_jail() -> None:
    assert not seccomp.is_known("riscv64")
    with pytest.raises(JailError, match="no system call filter for riscv64"):
        seccomp.program("riscv64")


# each call with arguments that the kernel would take, or refuse with another error than the filter's
_CALLS = """
import ctypes, errno, json, sys
libc = ctypes.CDLL(None, use_errno=True)
def failed(number, *arguments):
    ctypes.set_errno(0)
    done = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(each) for each in arguments])
    return ctypes.get_errno() if done == -1 else 0
numbers, looked_at = json.loads(sys.argv[1])
found = {name: failed(number, -1, 0, 0, 0, 0, 0) for name, number in numbers.items()}
found |= {
    "TIOCSTI": failed(looked_at["ioctl"], 0, 0x5412, 0),
    "TIOCSTI high": failed(looked_at["ioctl"], 0, (1 << 32) | 0x5412, 0),
    "TIOCLINUX": failed(looked_at["ioctl"], 0, 0x541C, 0),
    "vsock": failed(looked_at["socket"], 40, 1, 0),
    "packet": failed(looked_at["socket"], 17, 3, 0),
    "alg": failed(looked_at["socket"], 38, 5, 0),
    "unix": failed(looked_at["socket"], 1, 1, 0),
    "netlink": failed(looked_at["socket"], 16, 3, 0),
    "raw": failed(looked_at["socket"], 2, 3, 1),
    "unshare user": failed(looked_at["unshare"], 0x10000000),
    "unshare mount": failed(looked_at["unshare"], 0x00020000),
    "clone user": failed(looked_at["clone"], 0x10000000 | 17, 0, 0, 0, 0),
    "clone3": failed(looked_at["clone3"], 0, 0),
}
print(json.dumps(found))
"""


@pytest.mark.real
@needs_bwrap
@pytest.mark.parametrize("net", ["--net", "--no-net"])
def test_the_denied_calls_are_really_denied_in_a_jail(net: str, world: World) -> None:
    machine = {"x86_64": X86_64, "aarch64": AARCH64}[platform.machine()]
    wanted = json.dumps([_DENIED[machine], _LOOKED_AT[machine]])
    done = world.hqt("sandbox", "exec", net, "--", "python3", "-c", _CALLS, wanted)
    assert (done.returncode, done.stderr) == (0, ""), done
    assert json.loads(done.stdout) == {
        **dict.fromkeys(_DENIED[machine], errno.EPERM),
        "TIOCSTI": errno.EPERM,
        "TIOCSTI high": errno.EPERM,
        "TIOCLINUX": errno.EPERM,
        "vsock": errno.EAFNOSUPPORT,
        "packet": errno.EAFNOSUPPORT,
        "alg": errno.EAFNOSUPPORT,
        "unix": 0,
        "netlink": 0,
        "raw": errno.EPERM,  # of the kernel: there is no capability for it
        "unshare user": errno.EPERM,
        "unshare mount": errno.EPERM,  # likewise
        "clone user": errno.EPERM,
        "clone3": errno.ENOSYS,
    }


@pytest.mark.real
@needs_bwrap
def test_threads_and_processes_still_start_in_a_jail(world: World) -> None:
    script = (
        "import threading, subprocess, multiprocessing\n"
        "threading.Thread(target=print, args=['thread']).start()\n"
        "print(subprocess.run(['echo', 'process'], capture_output=True, text=True).stdout, end='')"
    )
    done = world.hqt("sandbox", "exec", "--", "python3", "-c", script)
    assert (done.returncode, done.stdout) == (0, "thread\nprocess\n")
