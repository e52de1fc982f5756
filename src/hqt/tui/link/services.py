"""All that the screen asks of the house. Each method may take its time: it is called in a worker thread."""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hqt.backends.base import Attach, Backend, Size
from hqt.doctor.check import Report
from hqt.doctor.examine import examine
from hqt.explain.explain import Explanation, explain
from hqt.notifications.bell import Bell
from hqt.observe.attach import lend_terminal
from hqt.observe.beliefs import mark_seen
from hqt.observe.branches import Branches
from hqt.observe.look import Looker
from hqt.observe.views import Outcome, SessionView
from hqt.paths import Places
from hqt.sessions.resume import preview_resume
from hqt.sessions.send import send_text
from hqt.start.caller import Caller
from hqt.start.choices import Choices, FolderFacts, choices, folder_facts
from hqt.tui.link.upgrades import Updates
from hqt.values import field, frozen
from hqt.wiring import current

if TYPE_CHECKING:
    from hqt.sessions.service import SessionService

    OpenService = Callable[[Callable[[str], None]], SessionService]  # which tells what was lost

_LAST_LINES = 20


@frozen
class Snapshot:
    """One look at everything."""

    views: tuple[SessionView, ...] = ()
    branches: Mapping[Path, str] = field(default_factory=dict)  # by the real path of a project in git
    is_outdated: bool = False  # another hqt was installed over this one
    rings: int = 0  # how often the terminal's bell is to ring for it
    told_in: tuple[Path, ...] = ()  # where the agents that live write what they do


class Services:
    """The real one. Every method raises HqtError with one sentence."""

    def __init__(
        self, places: Places, caller: Caller, backend: Backend, open_service: "OpenService", bell: Bell
    ) -> None:
        self.places = places
        self.caller = caller
        self.backend = backend
        self._open_service = open_service
        self._bell = bell
        self._service: SessionService | None = None
        self._opening = threading.Lock()
        self._told: list[str] = []
        self._branches = Branches()
        self._updates = Updates()
        self._alive: frozenset[str] = frozenset()
        self._folders: tuple[Path, ...] = ()

    @property
    def looker(self) -> Looker:
        return Looker(self.places, self.caller, self.backend, patient=True)

    def glance(self) -> Snapshot:
        """Every session as it is now, oldest first."""
        views = self.looker.all()
        found = {project: self._branches.of(project) for project in {view.project for view in views}}
        branches = {project: branch for project, branch in found.items() if branch is not None}
        told_in = self._told_in(frozenset(view.key for view in views if view.is_alive))
        return Snapshot(views, branches, self._updates.is_outdated(), self._bell.rings(views), told_in)

    def _told_in(self, alive: frozenset[str]) -> tuple[Path, ...]:
        """Looked up where others live than before: a look once a second has no time for it."""
        if alive != self._alive:
            self._folders, self._alive = self.looker.told_in(alive), alive
        return self._folders

    def screen(self, view: SessionView, *, lines: int | None = None) -> list[str]:
        """What is on its screen, or was last, with colours; `lines`: that many last rows."""
        return self.looker.screen(view, lines=lines, ansi=True)

    def saw(self, view: SessionView) -> None:
        """A person has looked at what its agent did: it is no longer done, but idle."""
        mark_seen(self.places, view.key)

    def send(self, view: SessionView, text: str) -> SessionView:
        """Type it into the session and submit it, once; no question is answered by it."""
        return send_text(self.looker, str(view.id), text)

    def enter(self, view: SessionView, size: Size) -> tuple[Attach, Outcome]:
        """What the terminal must run to be in the session, which is resumed first where it is not alive."""
        return self.service.attach_session(str(view.id), size)

    def attend(self, view: SessionView, command: Attach) -> str | None:
        """Give the terminal to the session until it comes back; the key of the one that it showed last."""
        return lend_terminal(self.looker, self.backend, view, command, self._bell.sound)

    def ended(self, key: str) -> Outcome | None:
        """What became of a session that was left, with its last lines; None where it is alive or removed."""
        if not any(view.key == key and not view.is_alive for view in self.looker.all()):
            return None
        self.service.heal()  # tmux may not have told of the end
        view = next((view for view in self.looker.all() if view.key == key), None)
        return None if view is None else Outcome(view, tuple(self.looker.screen(view, lines=_LAST_LINES)))

    def told(self) -> tuple[str, ...]:
        """What was said while the writing side opened, each once."""
        said = tuple(self._told)
        del self._told[: len(said)]
        return said

    @property
    def is_inside(self) -> bool:
        """Whether this terminal is itself a pane of hqt's tmux: it is switched, not lent."""
        return self.caller.env.get("TMUX", "").startswith(f"{self.places.socket},")

    def jail(self, view: SessionView) -> Explanation:
        """What its agent would see, write and reach if it were started now; nothing is started."""
        return explain(preview_resume(view, self.places, self.caller))

    def argv(self, view: SessionView) -> tuple[str, ...]:
        """The exact command that would run now, without values of variables."""
        return tuple(preview_resume(view, self.places, self.caller).plan.argv)

    def choices(self) -> Choices:
        """What a new session can be made of."""
        return choices(self.places, self.caller)

    def folder_facts(self, directory: Path | None) -> FolderFacts:
        """What a session there would be called, and whether it can be jailed."""
        return folder_facts(directory, self.places, self.caller)

    def examine(self) -> Report:
        """What works here, with remedies."""
        return examine(self.caller, current())

    @property
    def service(self) -> "SessionService":
        """The writing side; the first call takes half a second, as it imports and opens the database."""
        with self._opening:
            if self._service is None:
                self._service = self._open_service(self._told.append)
            return self._service
