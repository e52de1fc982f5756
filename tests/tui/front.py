"""The main screen over a services that answers what a test gave it, and remembers what was asked of it."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

from hqt.backends.base import Attach, Size
from hqt.errors import HqtError
from hqt.observe.views import Outcome, SessionView
from hqt.sandbox import SandboxPolicy
from hqt.start.choices import Choices, FolderFacts
from hqt.tui.app import HqtApp
from hqt.tui.link.services import Snapshot
from hqt.tui.main.screen import SessionsScreen
from hqt.tui.widgets.session_table import SessionTable
from hqt.values import replace
from tests.tui.scenes import BRANCHES, NOW, VIEWS
from tests.tui.stand import CannedServices

_Result = TypeVar("_Result")


@dataclass
class Service:
    """Does nothing but remember; while `held`, what is asked waits."""

    asked: list[tuple[str, ...]] = field(default_factory=list)
    refusal: HqtError | None = None
    held: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.held.set()

    def stop_session(self, text: str) -> SessionView:
        self.do("stop", text)
        return _view(text)

    def resume_session(self, text: str, *, fresh: bool, size: Size) -> Outcome:
        self.do("fresh" if fresh else "resume", text)
        return Outcome(replace(_view(text), state="running"), notes=("a [note]",))

    def fork_session(self, text: str, *, size: Size) -> Outcome:
        self.do("fork", text)
        return Outcome(replace(_view(text), state="running"), notes=("a [note]",))

    def set_sandbox(self, text: str, policy: SandboxPolicy | None) -> SessionView:
        self.do("jail", text, policy.to_json() if policy else "none")
        return replace(_view(text), sandbox=policy)

    def mute_session(self, text: str, *, muted: bool) -> SessionView:
        self.do("mute" if muted else "unmute", text)
        return replace(_view(text), muted=muted)

    def rename_session(self, text: str, name: str) -> SessionView:
        self.do("rename", text, name)
        return _view(text)

    def delete_session(self, text: str) -> None:
        self.do("delete", text)

    def do(self, *words: str) -> None:
        self.asked.append(words)
        assert self.held.wait(10)
        if self.refusal is not None:
            raise self.refusal


def _view(text: str) -> SessionView:
    return next(view for view in VIEWS if str(view.id) == text)


class FrontServices(CannedServices):
    """`views` or `failure` is what a look finds; `seats` what became of those that were entered."""

    def __init__(self, *views: SessionView) -> None:
        super().__init__()
        self.views = views
        self.failure: HqtError | None = None
        self.is_outdated = False
        self.told_in: tuple[Path, ...] = ()
        self.looks = 0
        self.slow = threading.Event()
        self.slow.set()
        self.hands = Service()
        self.closed: HqtError | None = None
        self.heard: tuple[str, ...] = ()
        self.entered: list[int] = []
        self.note: str | None = None
        self.last: str | HqtError | None = None
        self.gone: dict[str, Outcome] = {}

    def glance(self) -> Snapshot:
        self.looks += 1
        assert self.slow.wait(10)
        if self.failure is not None:
            raise self.failure
        return Snapshot(self.views, BRANCHES, self.is_outdated, told_in=self.told_in)

    def send(self, view: SessionView, text: str) -> SessionView:
        self.hands.do("send", str(view.id), text)
        return view

    def enter(self, view: SessionView, size: Size) -> tuple[Attach, Outcome]:
        return Attach(("true",), {}, self.note), Outcome(view)

    def attend(self, view: SessionView, command: Attach) -> str | None:
        self.entered.append(view.id)
        if isinstance(self.last, HqtError):
            raise self.last
        return self.last

    def ended(self, key: str) -> Outcome | None:
        return self.gone.get(key)

    def choices(self) -> Choices:
        raise HqtError("there is nothing to choose from")

    def folder_facts(self, directory: Path | None) -> FolderFacts:
        raise HqtError("there is no folder")

    def told(self) -> tuple[str, ...]:
        return self.heard

    @property
    def is_inside(self) -> bool:
        return False

    @property
    def service(self) -> Service:  # type: ignore[override]
        if self.closed is not None:
            raise self.closed
        return self.hands


class Front(HqtApp):
    """Its clock stands still until a test moves it; the terminal of a test can't be lent."""

    def __init__(self, services: FrontServices) -> None:
        super().__init__(services, SessionsScreen, now=lambda: self.moment)
        self.moment: datetime = NOW

    def later(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)

    def lend(self, work: Callable[[], _Result]) -> _Result | HqtError:
        try:
            return work()
        except HqtError as error:
            return error

    @property
    def table(self) -> SessionTable:
        return self.screen_stack[0].query_one(SessionTable)

    @property
    def chosen(self) -> int | None:
        return None if self.table.chosen is None else int(self.table.chosen, 16)

    def rows(self) -> list[str]:
        return [line.text.rstrip() for line in self.table.lines]
