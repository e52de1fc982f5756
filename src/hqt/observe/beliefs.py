"""What is believed of each agent, kept for every process that looks: they all say the same."""

import json
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from hqt.backends.base import Backend, Pane, Panes
from hqt.db.reader import SessionRow
from hqt.observe import evidence
from hqt.observe.evidence import Live
from hqt.paths import Places
from hqt.start.caller import Caller
from hqt.status.detect import Belief, Look, judge
from hqt.values import as_dict, frozen, replace

_NAME = "belief.json"


@frozen
class Judgement:
    """One session whose agent lives: what was seen of it now, and what is believed since."""

    key: str
    look: Look
    belief: Belief | None  # None: it shows and tells nothing, as any command may


def judge_all(
    rows: Sequence[SessionRow], panes: Panes, places: Places, caller: Caller, backend: Backend
) -> tuple[Judgement, ...]:
    """Those of `rows` whose agents live, after a look at all of them."""
    found = evidence.live(rows, panes, places, caller)
    looks = evidence.looks(found, backend, time.time())
    return tuple(_judged(each, looks[each.row.key], panes, places) for each in found)


def mark_seen(places: Places, key: str) -> None:
    """A person has looked at what its agent did."""
    kept = _read(places, key)
    if kept is not None:
        _write(places, key, kept.life, replace(kept.belief, seen_at=time.time()))


@frozen
class _Kept:
    life: str
    belief: Belief


def _judged(found: Live, look: Look, panes: Panes, places: Places) -> Judgement:
    life = _life(found.pane, panes)
    kept = _read(places, found.row.key)
    before = kept.belief if kept is not None and kept.life == life else None
    after = judge(look, before)
    if after is not None and after != before:
        _write(places, found.row.key, life, after)
    return Judgement(found.row.key, look, after)


def _life(pane: Pane, panes: Panes) -> str:
    """Names one start of an agent: a server gives no pane's number twice."""
    return f"{panes.server} {pane.pane} {pane.pid}"


def _read(places: Places, key: str) -> _Kept | None:
    try:
        found = json.loads(_file(places, key).read_bytes())
        return _Kept(found["life"], Belief(**found["belief"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(places: Places, key: str, life: str, belief: Belief) -> None:
    file = _file(places, key)
    half = file.with_name(f"{_NAME}.{os.getpid()}-{os.urandom(4).hex()}")
    with suppress(OSError):  # the session is gone, or the disk is full: judged anew next time
        half.write_text(json.dumps({"life": life, "belief": as_dict(belief)}))
        half.replace(file)


def _file(places: Places, key: str) -> Path:
    return places.session(key) / _NAME
