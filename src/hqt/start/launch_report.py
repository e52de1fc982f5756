"""The words that the launcher and bwrap leave about one start: JSON, one object a line."""

import json
from pathlib import Path
from typing import Self

from hqt.values import frozen


@frozen
class LaunchReport:
    """What is known of a start. Source: launch.py, and bwrap(1) --json-status-fd."""

    executed: bool = False  # the launcher became the program; for a jail, bwrap
    failure: str | None = None  # the launcher's sentence
    reaper: int | None = None  # a jail's first process, by the host's numbers; its mounts may still fail
    exit_code: int | None = None  # of the program in a jail; bwrap is silent where it never came to one

    @classmethod
    def read(cls, file: Path) -> Self:
        try:
            text = file.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return cls()
        return cls.parse(text)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Half a line at the end, or one that is no JSON, says nothing yet."""
        found: dict[str, object] = {}
        for line in text.splitlines():
            try:
                said = json.loads(line)
            except ValueError:
                continue
            if isinstance(said, dict):
                found.update(said)
        why, reaper, code = found.get("why"), found.get("child-pid"), found.get("exit-code")
        return cls(
            executed="launch" in found,
            failure=why if isinstance(why, str) else None,
            reaper=reaper if isinstance(reaper, int) else None,
            exit_code=code if isinstance(code, int) else None,
        )
