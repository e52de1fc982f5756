"""Another jail for a session, or none; it must not be alive, and a start with it must be possible."""

from dataclasses import dataclass, replace

from hqt.backends.base import Backend
from hqt.db.engine import Database
from hqt.db.reader import SessionRow
from hqt.errors import ServiceError
from hqt.paths import Places
from hqt.sandbox import SandboxPolicy
from hqt.services import ending, locks, refusing, rows, rungs
from hqt.services.launches import Caller
from hqt.services.looking import Looker
from hqt.services.views import SessionView


@dataclass(frozen=True, slots=True)
class Changing:
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
            rungs.refuse_another_folder(row)
            rungs.next_start(changed, self.places, self.caller)
            if view.state == "lost" and row.sandbox_json is None:
                # an agent that outlived its tmux has the conversation open, outside of the new jail
                ending.end_leftovers(row.key)
            rows.change(self.database, row.key, {"sandbox_json": changed.sandbox_json})
        return self._looker.one(str(row.id))

    @property
    def _looker(self) -> Looker:
        return Looker(self.places, self.caller, self.backend)

    def _refuse(self, row: SessionRow, view: SessionView) -> None:
        refusing.unreachable(view, self.backend)
        refusing.alive(view, self.backend.panes().of(row.key))
        if row.damage is not None:
            raise ServiceError(f"the jail of session {row.id} is not changed: {row.damage}")
        if row.phase not in ("stopped", "exited"):
            refusing.elsewhere(row, self.places)
