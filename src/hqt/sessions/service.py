"""What hqt does with sessions: every change passes here, for the command line and the screen alike."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hqt.backends.base import Attach, Backend, Size
from hqt.backends.exits import dead_pane
from hqt.conversations.adopt import adoption_launch
from hqt.db import reader
from hqt.db.columns import new_key
from hqt.db.engine import Database
from hqt.db.reader import SessionRow
from hqt.errors import HqtError, JailError, ServiceError
from hqt.harnesses.base import HarnessConfigurator
from hqt.integrity import tripwire
from hqt.integrity.placeholders import release_placeholders
from hqt.observe.look import Looker
from hqt.observe.suspended import let_continue
from hqt.observe.views import DEFAULT_SIZE, Adoption, Outcome, SessionView
from hqt.paths import Places
from hqt.sandbox import SandboxPolicy
from hqt.sandbox.bwrap import forget
from hqt.sessions import locks, names, store, terminate
from hqt.sessions.fork import fork_launch
from hqt.sessions.names import validate_name
from hqt.sessions.preconditions import refuse_damaged, refuse_unreachable
from hqt.sessions.recover import Recovery
from hqt.sessions.rejail import JailChange
from hqt.sessions.resume import (
    failed_start_columns,
    fallback_note,
    fallback_reason,
    fresh_launch,
    kept_conversation_columns,
    lost_its_conversation,
    refuse_another_folder,
    resume_launch,
    started_columns,
    why_not_resumable,
)
from hqt.sessions.store import draft
from hqt.start import configurator
from hqt.start.caller import Caller
from hqt.start.plan import Plan
from hqt.start.prepare import prepare
from hqt.start.preview import preview_start
from hqt.start.request import Launch
from hqt.start.startup import Started, watch_startup
from hqt.start.validate import missing_variables, validate_prompt, validate_variables
from hqt.values import frozen, replace

_START_GRACE_S = 0.5
_RESUME_GRACE_S = 3.0  # a harness that does not know its conversation says so within two


@frozen
class SessionService:
    """Starts, stops and remembers sessions. Every method raises HqtError with one sentence."""

    places: Places
    caller: Caller
    backend: Backend
    database: Database
    summon: Callable[[], None] = lambda: None  # called before each start: whoever is to watch what begins

    @property
    def looker(self) -> Looker:
        return Looker(self.places, self.caller, self.backend)

    @property
    def recovery(self) -> Recovery:
        return Recovery(self.places, self.caller, self.backend, self.database)

    def create_session(
        self,
        directory: Path,
        harness: str,
        name: str | None = None,
        sandbox: SandboxPolicy | None = None,
        args: tuple[str, ...] = (),
        env_names: tuple[str, ...] = (),
        prompt: str | None = None,
        size: Size = DEFAULT_SIZE,
    ) -> Outcome:
        """Start an agent and remember it; nothing is left of one that could not be started.

        A program that ran and ended at once keeps its row, as exited.
        """
        validate_prompt(prompt)
        validate_variables(env_names, self.caller)
        launch = Launch(
            harness=harness,
            given=directory,
            sandbox=sandbox,
            args=args,
            env_names=env_names,
            prompt=prompt or None,
            key=new_key(),
            title=names.title(name),
        )
        minted = configurator.on_disk(harness, self.places, self.caller, directory).mint()
        return self._begin(replace(launch, conversation=minted), name, size, grace_s=_START_GRACE_S)

    def fork_session(
        self, text: str, name: str | None = None, prompt: str | None = None, size: Size = DEFAULT_SIZE
    ) -> Outcome:
        """Start a session that begins with a copy of this one's conversation, in its folder and its jail.

        This one, alive or not, stays as it is; of one that could not be started nothing is left.
        """
        validate_prompt(prompt)
        title = names.title(name)
        with locks.hold_row(self.places, text) as row:
            refuse_damaged(self.looker.one(str(row.id)))
            self.recovery.learn(row)
            own, known = self._as_started(row), self._row(row.key)
            launch = fork_launch(known, self._harness(row), key=new_key(), title=title, prompt=prompt)
        return own._begin(launch, name, size, grace_s=_RESUME_GRACE_S)

    def adopt_session(self, wanted: Adoption, size: Size = DEFAULT_SIZE) -> Outcome:
        """Take over a conversation that was started elsewhere; of a start that failed nothing is left."""
        title = names.title(wanted.name)
        launch = replace(adoption_launch(wanted, self.places, self.caller), title=title)
        return self._begin(launch, wanted.name, size, grace_s=_RESUME_GRACE_S)

    def _begin(self, launch: Launch, name: str | None, size: Size, *, grace_s: float) -> Outcome:
        """Start a session that is not there yet, and remember it."""
        plan, key = self._confined(launch), launch.key or ""
        roots = configurator.roots(launch.harness, self.caller)
        with locks.hold(self.places.session(key), limit_s=locks.PATIENCE_S):
            try:
                row_id = store.add(self.database, draft(plan, name, roots))
                begun = store.now()
                # by now it has a name also where none was given
                named = replace(plan, launch=replace(plan.launch, title=self._row(key).name))
                started = self._spawn(named, size, grace_s=grace_s)
            except BaseException:
                self.recovery.forget(key)
                raise
            self._record_start(key, started, begun)
        return self._outcome(
            row_id, started, (*plan.notes, *missing_variables(launch.env_names, self.caller))
        )

    def attach_session(self, text: str, size: Size = DEFAULT_SIZE) -> tuple[Attach, Outcome]:
        """The command that enters the session's screen; one that is not alive is resumed first."""
        view = self.looker.one(text)
        alive = view.is_running
        outcome = Outcome(self._going_on(view)) if alive else self.resume_session(str(view.id), size=size)
        return self.backend.attach_command(view.key, self.caller.env), outcome

    def resume_session(
        self, text: str, *, fresh: bool = False, fallback: bool = True, size: Size = DEFAULT_SIZE
    ) -> Outcome:
        """Bring a session back with its own conversation and in its own jail; a live one stays as it is."""
        with locks.hold_row(self.places, text) as row:
            view = self.looker.one(str(row.id))
            if view.is_running:
                return Outcome(self._going_on(view))
            refuse_unreachable(view, self.backend)
            refuse_damaged(view)
            refuse_another_folder(row)
            if view.state == "lost" and row.sandbox_json is None:
                # an agent that outlived its tmux has the conversation open; a jail dies with it
                terminate.end_leftovers(row.key)
            # a fresh start begins where this shell says, a resumed one where its conversation lies
            own = self if fresh else self._as_started(row)
            return own._respawn_with_fallback(row, size, fresh=fresh, fallback=fallback)

    def _going_on(self, view: SessionView) -> SessionView:
        """The live session, which goes on where a signal has stopped it."""
        let_continue([view], self.backend)
        return self.looker.one(str(view.id)) if view.suspended else view

    def stop_session(self, text: str) -> SessionView:
        """Let the agent end itself, after 5 s end it; nothing of it is left. Ended already is no error."""
        with locks.hold_row(self.places, text) as row:
            self._stop(row)
        return self.looker.one(str(row.id))

    def rename_session(self, text: str, name: str) -> SessionView:
        view = self.looker.one(text)
        refuse_unreachable(view, self.backend)
        store.rename(self.database, view.key, validate_name(name))
        self.backend.rename(view.key, name)
        return self.looker.one(str(view.id))

    def mute_session(self, text: str, *, muted: bool) -> SessionView:
        """Let the session's notices be silent, or heard again, from now on; its state does not matter."""
        store.change(self.database, reader.find(self.places, text).key, {"muted": int(muted)})
        return self.looker.one(text)

    def move_session(self, text: str, directory: Path) -> SessionView:
        """Tell a session that its folder is another now; its conversation is taken along."""
        with locks.hold_row(self.places, text) as row:
            view = self.looker.one(str(row.id))
            if view.is_alive:
                raise ServiceError(f"session {row.id} is {view.state}: stop it before it is moved")
            plan = self._as_started(row)._confined(replace(self._get_spawn_config(row), given=directory))
            if row.conversation:
                self._harness(row).moved(row.conversation, Path(row.project), plan.cwd)
            store.move(self.database, row.key, directory, plan.cwd)
        return self.looker.one(str(row.id))

    def set_sandbox(self, text: str, policy: SandboxPolicy | None) -> SessionView:
        """Let a session that is not alive start in that jail, or None for none, from now on."""
        return JailChange(self.places, self.caller, self.backend, self.database).sandbox(text, policy)

    def delete_session(self, text: str) -> None:
        """Stop the session and forget it; its transcript stays with the harness."""
        with locks.hold_row(self.places, text) as row:
            self._stop(row)
            self.recovery.settle(row)  # one that was lost with its server, too
            self.recovery.forget(row.key)

    def record_end(self, key: str) -> None:
        """Remember what became of an agent; called by tmux when its pane dies."""
        self.recovery.record_end(key)

    def heal(self) -> None:
        """Catch up with what happened while no hqt looked: ends, starts and stops cut short by a crash."""
        self.recovery.heal()

    def _confined(self, launch: Launch) -> Plan:
        """The plan of a launch. A jail that can't be had stops here: it is never left out."""
        return preview_start(launch, self.places, self.caller, terminal=True).plan

    def _spawn(self, plan: Plan, size: Size, *, grace_s: float) -> Started:
        """Start the plan's pane in place of a dead one; raises where its program never ran."""
        key, jailed = plan.launch.key or "", plan.launch.sandbox is not None
        status = self.places.session(key) / "status"
        with self._releasing(key), prepare(plan, size, self.places, key) as request:
            status.unlink(missing_ok=True)
            self.backend.kill(key)
            if jailed:
                tripwire.arm(self.places, key, plan.cwd, plan.guards)
            self.summon()
            try:
                self.backend.spawn(request)
                started = watch_startup(self.backend, key, status, jailed=jailed, grace_s=grace_s)
            except BaseException:
                self.recovery.discard_pane(key)
                raise
            if started.outcome == "failed":
                self.recovery.discard_pane(key)
                raise _failure(started, jailed=jailed)
        return started

    def _respawn_with_fallback(self, row: SessionRow, size: Size, *, fresh: bool, fallback: bool) -> Outcome:
        """Resume; where the harness ends by itself with its conversation, start a fresh one."""
        self.recovery.learn(row)
        row = self._row(row.key)
        resume = None if fresh else self._get_resume_config(row)
        reason = None if fresh else why_not_resumable(row, self._harness(row))
        if resume is not None:
            outcome = self._respawn(row, resume, size, grace_s=_RESUME_GRACE_S)
            reason = fallback_reason(outcome)
            if not fallback or reason is None:
                return outcome
        launch = self._get_spawn_config(row, again=resume is None and not fresh)
        note = fallback_note(row, launch, reason)
        outcome = self._respawn(row, launch, size, grace_s=_START_GRACE_S, note=note)
        return outcome if outcome.view.is_running else self._kept(row, launch, outcome)

    def _kept(self, row: SessionRow, launch: Launch, outcome: Outcome) -> Outcome:
        """A fresh start that ended at once, without a word, takes no conversation's place."""
        if lost_its_conversation(row, self._row(row.key), launch, self._harness(row)):
            store.change(self.database, row.key, kept_conversation_columns(row))
            return outcome._replace(view=self.looker.one(str(row.id)))
        return outcome

    def _get_spawn_config(self, row: SessionRow, *, again: bool = True) -> Launch:
        return fresh_launch(row, self._harness(row), again=again)

    def _get_resume_config(self, row: SessionRow) -> Launch | None:
        return resume_launch(row, self._harness(row))

    def _respawn(
        self, row: SessionRow, launch: Launch, size: Size, *, grace_s: float, note: str | None = None
    ) -> Outcome:
        plan = self._confined(launch)
        notes = (*plan.notes, *missing_variables(row.env_names, self.caller))
        left = tripwire.kept_traces(self.places, plan.cwd) if launch.sandbox else []
        told = (f"left here by a jail: {tripwire.describe(left)}",) if left else ()
        begun = started_columns(
            row,
            launch,
            now=store.now(),
            roots=configurator.roots(row.harness, self.caller),
            note="; ".join((*((note,) if note else notes), *told)) or None,
        )
        store.change(self.database, row.key, begun)
        try:
            started = self._spawn(plan, size, grace_s=grace_s)
        except BaseException:
            store.change(self.database, row.key, failed_start_columns(row, begun))
            raise
        self._record_start(row.key, started, str(begun["started_at"]))
        return self._outcome(row.id, started, (*((note,) if note else ()), *notes))

    def _stop(self, row: SessionRow) -> None:
        view = self.looker.one(str(row.id))
        refuse_unreachable(view, self.backend)
        pane = self.backend.panes().of(row.key)
        jailed = row.sandbox_json is not None
        if pane is not None and not pane.dead:
            # said first, so that the end that follows is not taken for the agent's own
            store.change(self.database, row.key, {"phase": "stopped"})
            self.recovery.keep_screen(row.key)
            terminate.end_agent(pane, row.key, self.places.session(row.key) / "status", jailed=jailed)
            self.recovery.ended(row, dead_pane(self.backend, row.key), phase="stopped")
        elif pane is not None:
            self.recovery.ended(row, dead_pane(self.backend, row.key))
        if not jailed:
            terminate.end_leftovers(row.key)
        self.backend.kill(row.key)

    def _record_start(self, key: str, started: Started, begun: str) -> None:
        store.change(self.database, key, {"phase": "running", "started_at": begun})
        if started.outcome == "ended" and started.pane is not None:
            self.recovery.ended(self._row(key), started.pane)

    def _as_started(self, row: SessionRow) -> "SessionService":
        return replace(self, caller=configurator.as_started(row, self.caller))

    def _harness(self, row: SessionRow) -> HarnessConfigurator:
        """The row's harness for its files on disk; a start surveys its program as well (start.survey)."""
        return configurator.of_row(row, self.places, self.caller)

    def _row(self, key: str) -> SessionRow:
        row = reader.by_key(self.places, key)
        if row is None:
            raise ServiceError("the session was removed in the meantime: `hqt list` shows what is there")
        return row

    def _outcome(self, row_id: int, started: Started, notes: Sequence[str]) -> Outcome:
        view = self.looker.one(str(row_id))
        return Outcome(view, started.lines if started.outcome == "ended" else (), tuple(notes))

    @contextmanager
    def _releasing(self, key: str) -> Iterator[None]:
        """Give back what was made for a jail that could not be started."""
        try:
            yield
        except BaseException:
            tripwire.disarm(self.places, key)
            release_placeholders(self.places, key, self.recovery.is_holding)
            raise


def _failure(started: Started, *, jailed: bool) -> HqtError:
    if jailed:
        forget()  # what was known of bwrap did not hold
        return JailError(f"the jail could not be made, nothing was started: {started.why}")
    return ServiceError(f"the session could not be started: {started.why}")
