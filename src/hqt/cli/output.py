"""How views are printed: JSON for programs, lines and tables for people."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hqt.formatting import literal, width

if TYPE_CHECKING:  # `sandbox exec` says its errors here and shows no session
    from hqt.observe.views import SessionView


def session_json(view: "SessionView") -> dict[str, object]:
    """The documented object (README, Commands)."""
    return {
        "id": view.id,
        "name": view.name,
        "project": str(view.project),
        "cwd": str(view.cwd),
        "harness": view.harness,
        "state": view.state,
        "since": view.since,
        "unseen": view.unseen,
        "reason": view.reason,
        "muted": view.muted,
        "exit": None if view.exit is None else {"code": view.exit.code, "signal": view.exit.signal},
        "sandbox": _sandbox_json(view),
        "conversation": view.conversation,
        "created_at": view.created_at,
        "note": view.note,
    }


def print_json(found: object) -> None:
    print(json.dumps(found, indent=2))


def say(sentence: str) -> None:
    """A message for the person; results alone go to standard output."""
    print(f"hqt: {literal(sentence)}", file=sys.stderr)


def say_lines(lines: Iterable[str]) -> None:
    """An agent's own last lines, set off from hqt's words."""
    for line in lines:
        print(f"  | {literal(line)}", file=sys.stderr)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns as wide as their widest cell, counted in terminal cells."""
    cells = [list(heads), *([literal(cell) for cell in row] for row in rows)]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    lines = ("  ".join(_padded(cell, size) for cell, size in zip(row, widths, strict=True)) for row in cells)
    return "\n".join(line.rstrip() for line in lines)


def _padded(cell: str, size: int) -> str:
    return cell + " " * (size - width(cell))


def _sandbox_json(view: "SessionView") -> dict[str, object] | None:
    if view.invalid is not None:
        return {"invalid": view.invalid}
    return None if view.sandbox is None else {"fs": view.sandbox.fs, "net": view.sandbox.net}
