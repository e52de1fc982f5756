"""Another jail for a session, or none; it must not be alive, and a start with it must be possible."""

from hqt.backends.base import Backend
from hqt.db.engine import Database
from hqt.db.reader import SessionRow
from hqt.errors import ServiceError
from hqt.observe.look import Looker
from hqt.observe.views import SessionView
from hqt.paths import Places
from hqt.sandbox import SandboxPolicy
from hqt.sessions import locks, resume, store, terminate
from hqt.sessions.preconditions import refuse_alive, refuse_elsewhere, refuse_unreachable
from hqt.start.caller import Caller
from hqt.values import frozen, replace


@frozen
class JailChange:
    """Changes what a session's next start will be."""

    places: Places
    caller: Caller
    backend: Backend
    database: Database

    def sandbox(self, text: str, policy: SandboxPolicy | None) -> SessionView:
        """Give the session that jail, None for none; also in place of a policy that can't be read.

        Raises HqtError, and changes nothing, where the session is alive or could not start like that.
        """
        with locks.hold_row(self.places, text) as row:
            view = self._looker.one(str(row.id))
            self._refuse(row, view)
            changed = replace(row, sandbox_json=policy.to_json() if policy else None)
            resume.refuse_another_folder(row)
            resume.preview_next_start(changed, self.places, self.caller)
            if view.state == "lost" and row.sandbox_json is None:
                # an agent that outlived its tmux has the conversation open, outside of the new jail
                terminate.end_leftovers(row.key)
            store.change(self.database, row.key, {"sandbox_json": changed.sandbox_json})
        return self._looker.one(str(row.id))

    @property
    def _looker(self) -> Looker:
        return Looker(self.places, self.caller, self.backend)

    def _refuse(self, row: SessionRow, view: SessionView) -> None:
        refuse_unreachable(view, self.backend)
        refuse_alive(view, self.backend.panes().of(row.key))
        if row.damage is not None:
            raise ServiceError(f"the jail of session {row.id} is not changed: {row.damage}")
        if row.phase not in ("stopped", "exited"):
            refuse_elsewhere(row, self.places)
