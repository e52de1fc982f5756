"""What is done when an agent ends, and what is caught up with when no hqt saw it end."""

import shutil
from pathlib import Path

from hqt.backends.base import Backend, Pane, Panes
from hqt.backends.exits import dead_pane
from hqt.conversations.learn import LEFT, learn_conversation, left_note
from hqt.conversations.orphans import mark_orphans
from hqt.db import reader
from hqt.db.engine import Database
from hqt.db.reader import SessionRow
from hqt.errors import BackendError
from hqt.integrity import placeholders, tripwire
from hqt.integrity.placeholders import release_placeholders, sweep_placeholders
from hqt.observe import look
from hqt.observe.elsewhere import server_elsewhere
from hqt.paths import Places
from hqt.sessions import locks, store, terminate
from hqt.start.caller import Caller
from hqt.start.launch_report import LaunchReport
from hqt.start.startup import has_begun
from hqt.values import frozen

_SCREEN_LINES = 200


@frozen
class Recovery:
    """Records ends, keeps last screens, gives back what jails needed."""

    places: Places
    caller: Caller
    backend: Backend
    database: Database

    def record_end(self, key: str) -> None:
        """Remember what became of an agent; called by tmux when its pane dies."""
        found = reader.by_key(self.places, key)
        if found is not None:
            with locks.hold_row(self.places, str(found.id)) as row:
                self._catch_up(row)

    def heal(self) -> None:
        """Catch up with what happened while no hqt looked: ends, starts and stops cut short by a crash."""
        unfinished = [row for row in reader.rows(self.places) if row.ended_at is None]
        panes = self.backend.panes() if unfinished else Panes("down")
        for row in unfinished if panes.reach != "unreachable" else ():
            if _is_settled(row, panes.of(row.key)):
                if panes.of(row.key) is None and tripwire.is_armed(self.places, row.key):
                    self._settle_lost(row)
                self.learn(row)
            elif not locks.is_held(self.places.session(row.key)):
                self.record_end(row.key)
        sweep_placeholders(self.places, self._may_run)

    def ended(self, row: SessionRow, pane: Pane | None, *, phase: str = "exited") -> None:
        """Record how and when the agent of `row` ended, once; `pane`: its dead one, if there is one."""
        self.keep_screen(row.key)
        if row.phase == phase and row.ended_at is not None:
            return
        ended = look.exit_of(pane, jailed=row.sandbox_json is not None) if pane else None
        values = {
            "phase": phase if row.phase != "stopped" else "stopped",
            "ended_at": store.now(),
            "exit_code": ended.code if ended else None,
            "exit_signal": ended.signal if ended else None,
        }
        self.settle(row)  # first: a row that says it ended is not looked at again
        store.change(self.database, row.key, values)
        self.learn(row)

    def settle(self, row: SessionRow) -> None:
        """After a jail: tell what changed of the guarded files, give back what was made for it."""
        traces = tripwire.compare(self.places, row.key, self.caller.env)
        if traces:
            tripwire.keep_traces(self.places, Path(row.project), traces)
            told = f"while it ran: {tripwire.describe(traces)}: look before you use them outside"
            note = next((now.note for now in reader.rows(self.places) if now.key == row.key), None)
            store.change(self.database, row.key, {"note": f"{note}; {told}" if note else told})
        tripwire.disarm(self.places, row.key)
        release_placeholders(self.places, row.key, self.is_holding)

    def forget(self, key: str) -> None:
        """Remove the row and the private folder of a session; what its jails left is nobody's then."""
        row = reader.by_key(self.places, key)
        store.remove(self.database, key)
        if row is not None:
            mark_orphans(row, self.places, self.caller)
        try:
            shutil.rmtree(self.places.session(key), ignore_errors=True)
        except RecursionError:  # a jail made it as deep as it could: `hqt prune` copes with that
            return

    def discard_pane(self, key: str) -> None:
        """Remove a pane of a start that failed, whose own error is the one to tell."""
        try:
            self.backend.kill(key)
        except BackendError:  # the first error is the one to tell
            return

    def keep_screen(self, key: str) -> None:
        """Keep the last screen for when the pane is gone."""
        try:
            lines = self.backend.capture(key, lines=_SCREEN_LINES, ansi=False)
        except BackendError:  # the pane went with its server
            return
        if any(line.strip() for line in lines):
            file = look.screen_file(self.places, key)
            file.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="replace")
            file.chmod(0o600)

    def learn(self, row: SessionRow) -> None:
        """Record the conversation that the harness is in, once it is known for sure (conversations.learn)."""
        learned = learn_conversation(row, self.places, self.caller)
        if learned is not None:
            store.claim(self.database, row, learned, left_note(row, learned), instead_of=LEFT)

    def is_holding(self, holder: str) -> bool:
        """Whether what was made for that jail must stay: it may run, or is not yet compared (tripwire)."""
        # taken away before, what hqt itself made would be told as gone
        return tripwire.is_armed(self.places, holder) or self._may_run(holder)

    def _may_run(self, holder: str) -> bool:
        """Whether the jail of that name may still run (integrity.placeholders)."""
        panes = self.backend.panes()
        pane = panes.of(holder)
        alive = panes.reach == "unreachable" or (pane is not None and not pane.dead)
        is_busy = locks.is_held(self.places.session(holder)) or placeholders.is_live_command(holder)
        return alive or is_busy or self._is_elsewhere(holder, jailed=True)

    def _is_elsewhere(self, key: str, *, jailed: bool) -> bool:
        """Whether it lives in the tmux of another runtime folder: a shell of cron or sudo may name none."""
        return server_elsewhere(key, self.places.session(key) / "status", jailed=jailed) is not None

    def _settle_lost(self, row: SessionRow) -> None:
        """After a jail that went with its server, unless somebody brings the session back just now."""
        if locks.is_held(self.places.session(row.key)):
            return
        with locks.hold_row(self.places, str(row.id)) as locked:
            gone = self.backend.panes().of(locked.key) is None
            if gone and not self._is_elsewhere(locked.key, jailed=True):
                self.settle(locked)

    def _catch_up(self, row: SessionRow) -> None:
        pane = self.backend.panes().of(row.key)
        if row.ended_at is not None or _is_settled(row, pane):
            return
        if pane is None and self._is_elsewhere(row.key, jailed=row.sandbox_json is not None):
            return
        if pane is not None and not pane.dead:
            begun = row.started_at or row.created_at
            store.change(self.database, row.key, {"phase": "running", "started_at": begun})
        elif row.started_at is None and not self._has_begun(row):
            # a first start that was cut short before its program ran: it never was
            self.discard_pane(row.key)
            self.forget(row.key)
        else:
            if row.sandbox_json is None and (row.phase == "stopped" or pane is None):
                # of a stop that was cut short, or of an agent that outlived its tmux; a jail leaves none
                terminate.end_leftovers(row.key)
            self.ended(row, pane and dead_pane(self.backend, row.key))

    def _has_begun(self, row: SessionRow) -> bool:
        words = LaunchReport.read(self.places.session(row.key) / "status")
        return has_begun(words, jailed=row.sandbox_json is not None)


def _is_settled(row: SessionRow, pane: Pane | None) -> bool:
    """Whether the row says what is: it runs, or was lost with its server."""
    return row.phase == "running" and (pane is None or not pane.dead)
