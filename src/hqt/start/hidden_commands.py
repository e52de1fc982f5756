"""What the harness's settings would run and the jail hides, told before the start."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hqt.harnesses.base import NamedCommand
from hqt.sandbox.mounts import mounts
from hqt.sandbox.path_inside import Inside
from hqt.start.plan import Plan
from hqt.start.survey import Surveys
from hqt.values import frozen

_TOLD_MAX = 5
_LOOKED_AT_MAX = 100  # commands; an agent writes the project's settings
_WORDS_MAX = 30
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=")  # before a shell's command
_HOME = re.compile(r"~(?=/|$)|\$HOME(?![A-Za-z0-9_])|\$\{HOME\}")


def hidden_commands(surveys: Surveys, plan: Plan) -> tuple[str, ...]:
    """A sentence for each command whose program, or a path it names, is on this machine and not inside."""
    if plan.launch.sandbox is None or plan.launch.command is not None:
        return ()
    commands = list(surveys.harness.commands())[:_LOOKED_AT_MAX]
    if not commands:
        return ()
    view = _View(Inside(mounts(plan.argv)), plan.env, surveys.caller.env.get("PATH", ""), surveys.places.home)
    told = [sentence for command in commands for sentence in view.told(command)]
    more = len(told) - _TOLD_MAX
    return (*told[:_TOLD_MAX], *((f"the jail hides what {more} more settings need",) if more > 0 else ()))


@frozen
class _View:
    """The jail beside this machine."""

    inside: Inside
    env: Mapping[str, str]  # of the jail
    search: str  # PATH of this machine
    home: Path

    def told(self, command: NamedCommand) -> Iterator[str]:
        lost = next(self._lost(command.words[:_WORDS_MAX]), None)
        if lost is not None:
            yield f"{command.entry} in {command.file} needs {lost}, which the jail hides"

    def _lost(self, words: Sequence[str]) -> Iterator[Path]:
        rest = list(filter(_can_be_given, words))
        while rest and _ASSIGNED.match(rest[0]):
            del rest[0]
        if rest and "/" not in rest[0]:
            yield from self._lost_program(rest[0])
        for word in rest:
            path = _HOME.sub(lambda _: str(self.home), word, count=1)
            if path.startswith("/") and os.path.lexists(path) and not self._is_seen(Path(path)):
                yield Path(path)

    def _lost_program(self, name: str) -> Iterator[Path]:
        """Where the word is a program here, but none inside; a shell's own such as `cd` is neither."""
        found = next(_places(name, self.search), None)
        if found is not None and not any(map(self._is_seen, _named(name, self.env.get("PATH", "")))):
            yield found

    def _is_seen(self, path: Path) -> bool:
        return self.inside.reach(path).exists


def _places(name: str, search: str) -> Iterator[Path]:
    return (path for path in _named(name, search) if os.access(path, os.X_OK) and path.is_file())


def _named(name: str, search: str) -> Iterator[Path]:
    return (Path(entry, name) for entry in search.split(":") if entry.startswith("/"))


def _can_be_given(word: str) -> bool:
    """Whether a program can be given it: JSON also writes NULs and halves of characters."""
    try:
        return b"\0" not in os.fsencode(word)
    except UnicodeEncodeError:
        return False
