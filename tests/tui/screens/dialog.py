"""A New Session dialog over a services that answers as a test says, and keeps what was started."""

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from textual.pilot import Pilot
from textual.widgets import Button

from hqt.errors import HqtError
from hqt.observe.views import NewSession, Outcome
from hqt.sandbox import Availability
from hqt.sessions.service import SessionService
from hqt.start.choices import Candidate, Choices, FolderFacts
from hqt.tui.app import HqtApp
from hqt.tui.link.services import Services
from hqt.tui.screens.new_session import Created, NewSessionScreen
from hqt.tui.widgets.field import Field
from tests.tui.sample import view
from tests.tui.stand import Stand, seen, until

HOME = Path("/home/me")
GOOD = Availability(ok=True, net_off_ok=True)
NONE = Availability(
    ok=False, net_off_ok=False, reason="bubblewrap (bwrap) is not on PATH", remedy="install it"
)
ONLINE = Availability(ok=True, net_off_ok=False, reason="no loopback", remedy="give NET_ADMIN")
HARNESSES = (
    Candidate("claude", "Claude Code", keeps_login=True, asks=True),
    Candidate("generic", "Command"),
    Candidate("codex", "Codex", installed=False, keeps_login=True, asks=True),
)
CHOICES = Choices(
    home=HOME,
    harnesses=HARNESSES,
    harness="claude",
    here=HOME / "src/shop",
    projects=(HOME / "src/web", Path("/srv/[/]\nx")),
    names=frozenset(("shop-claude",)),
)
OUTCOME = Outcome(view(1, name="made"))


@dataclass(slots=True)
class FakeService:
    """Keeps what it was asked for; answers with the next refusal, then with a session."""

    refusals: list[HqtError] = field(default_factory=list)
    started: list[NewSession] = field(default_factory=list)
    gate: threading.Event | None = None  # a start waits for it

    def create_session(self, *asked: object) -> Outcome:
        if self.gate is not None:
            assert self.gate.wait(10)
        if self.refusals:
            raise self.refusals.pop(0)
        self.started.append(NewSession(*asked))  # type: ignore[arg-type]
        return OUTCOME


class DialogServices(Services):
    def __init__(self, choices: Choices | HqtError = CHOICES, jail: Availability = GOOD) -> None:
        self.answer, self.jail_there = choices, jail
        self.asked: list[Path | None] = []
        self.fake = FakeService()
        self.known = threading.Event()  # answers are held back until it is set
        self.known.set()

    @property
    def service(self) -> SessionService:
        return cast(SessionService, self.fake)

    def choices(self) -> Choices:
        assert self.known.wait(10)
        if isinstance(self.answer, HqtError):
            raise self.answer
        return self.answer

    def folder_facts(self, directory: Path | None) -> FolderFacts:
        assert self.known.wait(10)
        self.asked.append(directory)
        return FolderFacts(directory.name if directory else None, self.jail_there)


@dataclass(slots=True)
class Dialog:
    """What a person does with it, and what is to be seen of it."""

    app: HqtApp
    services: DialogServices
    pilot: Pilot[None]
    results: list[Created | None] = field(default_factory=list)

    async def open(self, *, folder: Path | None = None, sandboxed: bool = False) -> None:
        """Open it and wait for what it asks first."""
        asked = len(self.services.asked)
        await self.begin(folder=folder, sandboxed=sandboxed)
        await self.until(lambda: len(self.services.asked) > asked)
        await self.until(lambda: all(each.is_finished for each in self.app.workers))

    async def begin(self, *, folder: Path | None = None, sandboxed: bool = False) -> None:
        screen = NewSessionScreen(folder=folder, sandboxed=sandboxed)
        await self.app.push_screen(screen, self.results.append)
        await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        await self.press(*(each if each != " " else "space" for each in text))

    async def go(self, label: str) -> None:
        """To the field or the button of that label, as by a click."""
        screen = self.app.screen
        fields = [each for each in screen.query(Field) if each.label.strip() == label]
        buttons = [each for each in screen.query(Button) if str(each.label) == label]
        if fields:
            fields[0].enter()
        else:
            buttons[0].focus()
        await self.pilot.pause()
        assert screen.focused is not None

    async def tab_to(self, label: str) -> None:
        for _ in range(20):
            if self.is_at(label):
                return
            await self.press("tab")
        raise AssertionError(f"no tab leads to {label}")

    def is_at(self, label: str) -> bool:
        """Whether the focus is in the row of that label, or right under it."""
        focused = self.app.screen.focused
        return focused is not None and label in _around(self.app, focused.region.y)

    async def until(self, true: Callable[[], bool]) -> None:
        await until(self.pilot, true)

    async def done(self) -> Created | None:
        """What it ends with."""
        await self.until(lambda: bool(self.results))
        return self.results[-1]

    @property
    def text(self) -> str:
        """All that is seen, as one line without frames."""
        rows = (row.strip().strip("│▅▂▁▃▄▆▇█").strip() for row in seen(self.app))
        return " ".join(" ".join(rows).split())

    def says(self, words: str) -> bool:
        return words in self.text

    def line(self, label: str) -> str:
        """The row that begins with that label, without it."""
        found = (row.strip().strip("│").strip() for row in seen(self.app))
        return next(row.removeprefix(label).strip(" ▼") for row in found if row.startswith(label))


def _around(app: HqtApp, y: int) -> str:
    rows = seen(app)
    return rows[y] + (rows[y - 1] if y else "")


@asynccontextmanager
async def dialog(
    services: DialogServices | None = None, size: tuple[int, int] = (80, 30)
) -> AsyncIterator[Dialog]:
    asked = services or DialogServices()
    app = HqtApp(asked, lambda: Stand(()))
    async with app.run_test(size=size) as pilot:
        yield Dialog(app, asked, pilot)
