"""What an agent's screen tells: rules over its last lines, in the order that they were declared; pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hqt.status.detect import Word

_LINES = 24  # of the screen's end: what stands above is what was said before
_CELLS = 400  # of a line; an agent may write lines of any length


@dataclass(frozen=True, slots=True)
class ScreenRule:
    """`pattern`, found anywhere in one of the last `lines` lines, tells the state."""

    means: Word
    pattern: re.Pattern[str]
    lines: int = _LINES


class Shown(NamedTuple):
    """What a screen tells, and the line that tells it."""

    word: Word
    line: str


def rule(means: Word, pattern: str, *, lines: int = _LINES) -> ScreenRule:
    """A rule of a harness's file. Raises re.error for a pattern that is none."""
    return ScreenRule(means, re.compile(pattern), lines)


def told(rules: Iterable[ScreenRule], screen: Sequence[str]) -> Shown | None:
    """What the first rule that holds means; None where none does.

    Empty lines at the end do not count.
    """
    end = len(screen)
    while end and not screen[end - 1].strip():
        end -= 1
    last = [line[:_CELLS] for line in screen[max(end - _LINES, 0) : end]]
    for each in rules:
        line = next((line for line in last[-each.lines :] if each.pattern.search(line)), None)
        if line is not None:
            return Shown(each.means, line.strip())
    return None
