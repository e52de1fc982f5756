"""What an agent's screen tells: rules over its last lines, in the order that they were declared; pure."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hqt.status.detect import Word
from hqt.values import frozen

_LINES = 24  # of the screen's end: what stands above is what was said before
_CELLS = 400  # of a line; an agent may write lines of any length


@frozen
class ScreenRule:
    """`pattern`, found anywhere in one of the last `lines` lines, tells the state."""

    means: Word
    pattern: re.Pattern[str]
    lines: int = _LINES
    asks: re.Pattern[str] | None = None  # what it finds in the last line that has it says why


class Shown(NamedTuple):
    """What a screen tells, the line that tells it, or the words in one that say why, and by which pattern."""

    word: Word
    line: str
    pattern: str


def rule(means: Word, pattern: str, *, lines: int = _LINES, asks: str | None = None) -> ScreenRule:
    """A rule of a harness's file. Raises re.error for a pattern that is none."""
    return ScreenRule(means, re.compile(pattern), lines, re.compile(asks) if asks else None)


def told(rules: Iterable[ScreenRule], screen: Sequence[str]) -> Shown | None:
    """What the first rule that holds means; None where none does.

    Empty lines at the end do not count.
    """
    end = len(screen)
    while end and not screen[end - 1].strip():
        end -= 1
    last = [line[:_CELLS] for line in screen[max(end - _LINES, 0) : end]]
    for each in rules:
        line = _found(each.pattern, last[-each.lines :])
        if line is not None:
            return Shown(each.means, _asked(each, last) or line.strip(), each.pattern.pattern)
    return None


def _asked(told: ScreenRule, last: Sequence[str]) -> str | None:
    if told.asks is None:
        return None
    matches = (told.asks.search(line) for line in reversed(last))
    return next((match[0].strip() for match in matches if match), None)


def _found(pattern: re.Pattern[str], lines: Iterable[str]) -> str | None:
    return next((line for line in lines if pattern.search(line)), None)
