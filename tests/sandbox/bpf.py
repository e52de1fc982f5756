"""The kernel's classic BPF, as much of it as a filter of ours uses: a program run on one system call."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

ALLOW, ERRNO = 0x7FFF0000, 0x00050000
X86_64, AARCH64, I386 = 0xC000003E, 0xC00000B7, 0x40000003
_STEP = struct.Struct("<HBBI")


@dataclass(frozen=True, slots=True)
class Call:
    """struct seccomp_data (linux/seccomp.h)."""

    number: int
    architecture: int = X86_64
    arguments: Sequence[int] = ()

    def packed(self) -> bytes:
        arguments = [each & (1 << 64) - 1 for each in (*self.arguments, *[0] * 6)][:6]
        return struct.pack("<IIQ6Q", self.number & (1 << 32) - 1, self.architecture, 0, *arguments)


def run(program: bytes, call: Call) -> int:
    """What the filter returns for `call`; raises where the kernel would not have taken the program."""
    steps = list(_STEP.iter_unpack(program))
    seen, at, accumulator = call.packed(), 0, 0
    for _ in steps:  # it only jumps forwards, so it ends
        code, if_true, if_false, operand = steps[at]
        if code == 0x06:
            return int(operand)
        if code == 0x20:
            if operand % 4:
                raise ValueError(f"step {at} loads from {operand}")
            (accumulator,) = struct.unpack_from("<I", seen, operand)
            at += 1
        else:
            test = {0x15: accumulator == operand, 0x35: accumulator >= operand, 0x45: accumulator & operand}[
                code
            ]
            at += 1 + (if_true if test else if_false)
    raise ValueError("the program does not return")
