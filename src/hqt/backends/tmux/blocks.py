"""What tmux prints in control mode, read into answers; text on a screen can't pass for the end of one."""

from dataclasses import dataclass, field

from hqt.values import frozen


class Mismatch(Exception):
    """Something else than an answer or a notification: an agent drew lines as tmux prints them."""


@frozen
class Block:
    """What one command printed."""

    rows: tuple[bytes, ...]
    failed: bool


@dataclass(slots=True)
class Blocks:
    """Lines as they come become blocks. Source: tmux(1), CONTROL MODE."""

    _guard: bytes | None = None  # time, number and flags of the block that is open: its end repeats them
    _rows: list[bytes] = field(default_factory=list)

    def take(self, line: bytes) -> Block | None:
        """The block that `line` ends, if it ends one."""
        if self._guard is None:
            self._outside(line)
        elif line in (b"%end " + self._guard, b"%error " + self._guard):
            block = Block(tuple(self._rows), failed=line.startswith(b"%error "))
            self._guard = None
            return block
        else:
            self._rows.append(line)
        return None

    def _outside(self, line: bytes) -> None:
        """A block opens here; of notifications nothing is wanted."""
        word, _, guard = line.partition(b" ")
        # an end that ends nothing, or a row of a screen: a false end came before it
        if word in (b"%end", b"%error") or not word.startswith(b"%"):
            raise Mismatch
        if word == b"%begin":
            self._guard = guard
            self._rows.clear()
