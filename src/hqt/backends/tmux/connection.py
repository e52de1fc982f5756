"""One tmux program in control mode, and how long it may take."""

import os
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from hqt.backends.tmux.blocks import Block, Blocks, Mismatch

_END_S = 0.5
_ANSWER_MAX = 16 * 1024 * 1024
_CHUNK = 64 * 1024


class Broken(Exception):
    """It ended, or gave no answer in time, or one that can't be trusted: close it."""


class Connection:
    """Asks and reads in the caller's thread, one at a time; nothing runs between two questions."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str]) -> None:
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                argv,
                env=dict(env),
                cwd="/",
                stdin=pipe,
                stdout=pipe,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # ctrl-c in the screen's terminal is not for it
                bufsize=0,
            )
        except OSError as error:
            raise Broken from error
        self._blocks = Blocks()
        self._unread = b""

    def ask(self, line: str, fence: str, *, limit_s: float) -> tuple[Block, ...]:
        """The blocks of the commands in `line`, all that come before the one that holds just `fence`.

        `fence`: what nobody can have guessed. Then no text of theirs can pass for the end of the answer.
        """
        deadline = time.monotonic() + limit_s
        self._write(f"{line}\ndisplay-message -p {fence}\n".encode(errors="surrogateescape"))
        found: list[Block] = []
        end = Block((fence.encode(),), failed=False)
        read = 0
        while True:
            chunk = self._read(deadline)
            read += len(chunk)
            if read > _ANSWER_MAX:
                raise Broken
            for block in self._take(chunk):
                if block == end:
                    return tuple(found)
                found.append(block)

    def close(self) -> None:
        """End it; its session goes with it."""
        with self._process as process:
            with suppress(BrokenPipeError):
                assert process.stdin is not None  # noqa: S101 - opened as a pipe above
                process.stdin.close()  # as tmux(1) says, it detaches then
            try:
                process.wait(_END_S)
            except subprocess.TimeoutExpired:  # stopped, or its server is
                process.kill()

    def _write(self, words: bytes) -> None:
        assert self._process.stdin is not None  # noqa: S101
        try:
            self._process.stdin.write(words)
        except OSError as error:
            raise Broken from error

    def _read(self, deadline: float) -> bytes:
        assert self._process.stdout is not None  # noqa: S101
        poll = select.poll()
        poll.register(self._process.stdout, select.POLLIN)
        # whoever was stopped past the deadline takes what has come meanwhile
        if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            raise Broken
        chunk = os.read(self._process.stdout.fileno(), _CHUNK)
        if not chunk:
            raise Broken
        return chunk

    def _take(self, chunk: bytes) -> list[Block]:
        *lines, self._unread = (self._unread + chunk).split(b"\n")
        try:
            return [block for line in lines if (block := self._blocks.take(line)) is not None]
        except Mismatch as error:
            raise Broken from error
