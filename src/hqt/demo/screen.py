"""What the demo's agent says on its screen, read back; its words are those of agent.sh."""

import re
from collections.abc import Iterable, Mapping
from typing import Literal, Self, cast

from hqt.values import field, frozen

Word = Literal["done", "refused"]

_WAITING = "agent: waiting"
_ATTEMPT = re.compile(r"(done|refused): (.*?)(?: \((.*)\))?")
_RUN = re.compile(r"agent: run (\d+)")
_NETWORK = re.compile(r"network: (net:\[\d+\]) ?(.*)")


@frozen
class Seen:
    """How one attempt went, with the reason or whatever was got."""

    word: Word
    why: str


@frozen
class Screen:
    """One run's report; a line that is missing was not said."""

    waiting: bool = False
    run: int | None = None
    attempts: Mapping[str, Seen] = field(default_factory=dict)
    network: str | None = None  # the namespace, as readlink(1) shows it
    ways_out: tuple[str, ...] = ()  # devices

    @classmethod
    def parse(cls, lines: Iterable[str]) -> Self:
        """The report on that screen; of a run said twice the later counts."""
        waiting, run, network, ways_out = False, None, None, ()
        attempts: dict[str, Seen] = {}
        for line in map(str.strip, lines):
            if match := _ATTEMPT.fullmatch(line):
                attempts[match[2]] = Seen(cast(Word, match[1]), match[3] or "")
            elif match := _RUN.fullmatch(line):
                run = int(match[1])
            elif match := _NETWORK.fullmatch(line):
                network, ways_out = match[1], tuple(match[2].split())
            waiting = waiting or line == _WAITING
        return cls(waiting, run, attempts, network, ways_out)
