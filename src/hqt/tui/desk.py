"""All that the screen asks of the house. Each method may take its time: it is called in a worker thread."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hqt.backends.base import Backend
from hqt.doctor.check import Report
from hqt.doctor.examine import examine
from hqt.jailcheck.explain import Explanation, explain
from hqt.paths import Places
from hqt.services import rungs
from hqt.services.launches import Caller
from hqt.services.looking import Looker
from hqt.services.views import SessionView
from hqt.wiring import current

if TYPE_CHECKING:
    from hqt.services.sessions import SessionService


@dataclass(frozen=True, slots=True)
class Glance:
    """One look at everything."""

    views: tuple[SessionView, ...] = ()
    branches: Mapping[Path, str] = field(default_factory=dict)  # by the real path of a project in git


class Desk:
    """The real one. Every method raises HqtError with one sentence."""

    def __init__(
        self, places: Places, caller: Caller, backend: Backend, open_service: Callable[[], "SessionService"]
    ) -> None:
        self.places = places
        self.caller = caller
        self.backend = backend
        self._open_service = open_service
        self._service: SessionService | None = None
        self._opening = threading.Lock()

    def glance(self) -> Glance:
        """Every session as it is now, oldest first."""
        views = Looker(self.places, self.backend).all()
        return Glance(views)

    def screen(self, view: SessionView, *, lines: int | None = None) -> list[str]:
        """What is on its screen, or was last, with colours; `lines`: that many last rows."""
        return Looker(self.places, self.backend).screen(view, lines=lines, ansi=True)

    def jail(self, view: SessionView) -> Explanation:
        """What its agent would see, write and reach if it were started now; nothing is started."""
        return explain(rungs.foreseen(view, self.places, self.caller))

    def argv(self, view: SessionView) -> tuple[str, ...]:
        """The exact command that would run now; values of variables never."""
        return tuple(rungs.foreseen(view, self.places, self.caller).plan.argv)

    def examine(self) -> Report:
        """What works here, with remedies."""
        return examine(self.caller, current())

    @property
    def service(self) -> "SessionService":
        """The writing side; the first call takes half a second, as it imports and opens the database."""
        with self._opening:
            if self._service is None:
                self._service = self._open_service()
            return self._service
