"""Rows and panes become views: the one look that list, show, JSON and the screen share."""

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from hqt.backends.base import Backend, Pane, Panes
from hqt.db import reader
from hqt.db.columns import stamp
from hqt.db.reader import SessionRow
from hqt.errors import BackendError, JailError
from hqt.observe import evidence
from hqt.observe.beliefs import Judgement, judge_all
from hqt.observe.suspended import mark_suspended
from hqt.observe.views import ALIVE, Exit, SessionView, State
from hqt.paths import Places
from hqt.sandbox import SandboxPolicy
from hqt.start.caller import Caller
from hqt.start.request import policy_of
from hqt.status.detect import Belief
from hqt.values import frozen, replace

_STARTING_MAX_S = 60  # a row this old without a pane was left by a crash
_SIGNALS = range(129, 160)
_AGAIN_S = 0.25


@frozen
class Looker:
    """A look at everything from any process. It starts nothing, and writes only what it came to believe."""

    places: Places
    caller: Caller
    backend: Backend
    patient: bool = False  # looks again, a moment later, where one look leaves a doubt

    def all(self) -> tuple[SessionView, ...]:
        """Every session, oldest first."""
        return self._seen(reader.rows(self.places))

    def one(self, text: str) -> SessionView:
        """The session of that id or exact name; NoSuchSession where there is none."""
        return self._seen([reader.find(self.places, text)])[0]

    def judged(self, text: str) -> Judgement | None:
        """What is seen of the session now, and believed; None where its agent does not live."""
        rows = [reader.find(self.places, text)]
        found = judge_all(rows, self.backend.panes(), self.places, self.caller, self.backend)
        return found[0] if found else None

    def of(self, key: str) -> SessionView | None:
        """The session with that key, where there is one."""
        return next((view for view in self.all() if view.key == key), None)

    def told_in(self, keys: Collection[str]) -> tuple[Path, ...]:
        """The folders in which the agents of those sessions write what they do."""
        rows = [row for row in reader.rows(self.places) if row.key in keys]
        found = [evidence.harness_of(row, self.places, self.caller) for row in rows]
        return tuple(dict.fromkeys(folder for each in found if each for folder in each.told_in))

    def _seen(self, rows: Sequence[SessionRow]) -> tuple[SessionView, ...]:
        # no row, no call: the first `hqt list` on a machine needs no tmux
        panes = self.backend.panes() if rows else Panes("down")
        beliefs = self._beliefs(rows, panes)
        if self.patient and any(belief.doubt for belief in beliefs.values()):
            time.sleep(_AGAIN_S)
            panes = self.backend.panes()
            beliefs = self._beliefs(rows, panes)
        found = self._placed(views(rows, panes, time.time(), beliefs))
        return tuple(self._guarded(self._honoured(mark_suspended(view, panes))) for view in found)

    def _beliefs(self, rows: Sequence[SessionRow], panes: Panes) -> Mapping[str, Belief]:
        judged = judge_all(rows, panes, self.places, self.caller, self.backend)
        return {each.key: each.belief for each in judged if each.belief is not None}

    def _placed(self, found: tuple[SessionView, ...]) -> tuple[SessionView, ...]:
        """The views; what lives in the tmux of another runtime folder is not lost, but can't be reached."""
        lost = {view.key: view for view in found if view.state == "lost"}
        if not lost:
            return found
        jailed = {key for key, view in lost.items() if view.sandbox is not None}
        statuses = {key: self.places.session(key) / "status" for key in lost}
        from hqt.observe.elsewhere import lives_elsewhere, servers_elsewhere  # here: few are lost

        servers = servers_elsewhere(statuses, jailed)
        return tuple(
            replace(view, state="unreachable", note=lives_elsewhere(servers[view.key], self.places.socket))
            if view.key in servers
            else view
            for view in found
        )

    def _honoured(self, view: SessionView) -> SessionView:
        """The view; one that nobody can start, as its harness is declared no more, is broken."""
        harnesses = self.caller.harnesses
        if view.is_alive or view.state == "broken" or view.harness in harnesses.names:
            return view
        return replace(view, state="broken", exit=None, note=harnesses.unknown(view.harness))

    def _guarded(self, view: SessionView) -> SessionView:
        """The view with a word on guards that a replace on the host has taken from a jail that runs."""
        if not (view.sandbox and view.is_alive):
            return view
        from hqt.integrity import tripwire  # here: it brings the surveys of a jail along

        lost = tripwire.replaced(self.places, view.key)
        if not lost:
            return view
        told = f"no longer read-only in the jail: {', '.join(map(str, lost))}: stop and resume it"
        return replace(view, note=f"{view.note}; {told}" if view.note else told)

    def screen(self, view: SessionView, *, lines: int | None, ansi: bool = False) -> list[str]:
        """What is on its screen, or what was last on it, top first; see Backend.capture."""
        try:
            return self.backend.capture(view.key, lines=lines, ansi=ansi)
        except BackendError:
            seen = self.backend.panes()
            if seen.reach == "unreachable" or seen.of(view.key) is not None:
                raise
            # it has no pane, perhaps no more since the view was made: what was kept of it is the answer
        kept = last_screen(self.places, view.key)
        return kept if lines is None else kept[-lines:] if lines else []


def jailed_projects(places: Places) -> tuple[Path, ...]:
    """Where agents in jails may have put programs."""
    return tuple({Path(row.project) for row in reader.rows(places) if row.sandbox_json is not None})


def views(
    rows: Iterable[SessionRow], panes: Panes, now: float, beliefs: Mapping[str, Belief] | None = None
) -> tuple[SessionView, ...]:
    """One view a row; `now` in Unix time; `beliefs` by key, of the agents that can be judged."""
    return tuple(_view(row, panes, now, (beliefs or {}).get(row.key)) for row in rows)


def last_screen(places: Places, key: str) -> list[str]:
    """The last screen of a session whose pane is gone; empty where none was kept."""
    try:
        return screen_file(places, key).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def screen_file(places: Places, key: str) -> Path:
    return places.session(key) / "screen"


def exit_of(pane: Pane, *, jailed: bool) -> Exit | None:
    """How a dead pane's agent ended; inside a jail a signal reaches tmux as 128 and its number (bwrap)."""
    if not pane.dead:
        return None
    if pane.signal:
        return Exit(signal=pane.signal)
    if jailed and pane.status is not None and pane.status in _SIGNALS:
        return Exit(signal=pane.status - 128)
    return Exit(code=pane.status)


def _view(row: SessionRow, panes: Panes, now: float, belief: Belief | None) -> SessionView:
    sandbox, invalid = _judged(row)
    pane = panes.of(row.key)
    state = "broken" if invalid or row.damage else _state(row, pane, panes, now)
    if belief is not None and state == "running":
        state = belief.word
    else:
        belief = None
    return SessionView(
        id=row.id,
        key=row.key,
        name=row.name,
        project=Path(row.project),
        project_name=row.project_name,
        cwd=Path(row.project),
        given=Path(row.cwd),
        harness=row.harness,
        args=row.args,
        env_names=row.env_names,
        state=state,
        exit=_exit(row, pane, state),
        sandbox=sandbox,
        invalid=invalid,
        conversation=row.conversation,
        conversation_source=row.conversation_source,
        created_at=row.created_at,
        ended_at=row.ended_at,
        note=row.damage or row.note,
        former=row.former,
        copy_of=row.copy_of,
        muted=row.muted,
        watched=pane is not None and pane.watched,
        since=stamp(datetime.fromtimestamp(belief.since, UTC)) if belief else _since(row, state),
        since_s=belief.since if belief else 0.0,
        unseen=belief is not None and belief.unseen,
        reason=belief.reason if belief else None,
    )


def _judged(row: SessionRow) -> tuple[SandboxPolicy | None, str | None]:
    # shown, not raised: one bad row must not hide the others. Every start reads it again and refuses
    try:
        return policy_of(row), None
    except JailError as error:
        return None, str(error)


def _state(row: SessionRow, pane: Pane | None, panes: Panes, now: float) -> State:
    if pane is not None and not pane.dead:
        return "starting" if row.phase == "starting" else "running"
    if row.phase in ("stopped", "exited"):
        return row.phase
    if panes.reach == "unreachable":
        return "unreachable"
    if pane is not None:
        return "exited"
    if row.phase == "starting" and now - _unix(row.started_at or row.created_at) < _STARTING_MAX_S:
        return "starting"
    return "lost"


def _since(row: SessionRow, state: State) -> str | None:
    """When it began to be so; nobody knows when a session was lost."""
    if state in ALIVE:
        return row.started_at or row.created_at
    return row.ended_at


def _exit(row: SessionRow, pane: Pane | None, state: State) -> Exit | None:
    if row.exit_code is not None or row.exit_signal is not None:
        return Exit(code=row.exit_code, signal=row.exit_signal) if state in ("exited", "stopped") else None
    if state == "exited" and pane is not None:
        return exit_of(pane, jailed=row.sandbox_json is not None)
    return None


def _unix(stamp: str) -> float:
    return datetime.fromisoformat(stamp).timestamp()


def tells_state(looker: Looker, view: SessionView) -> bool:
    """Whether its harness can say what it does; a mere command can't."""
    harnesses = looker.caller.harnesses
    if view.harness not in harnesses.names:
        return False
    kind = harnesses.kind(view.harness)
    return kind.reports or bool(kind.screen_rules or kind.title_rules) or kind.bell is not None
