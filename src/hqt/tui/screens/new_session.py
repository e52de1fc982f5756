"""The New Session dialog: what was typed is never lost, and no session opens by accident."""

import asyncio
from pathlib import Path
from typing import ClassVar, NamedTuple

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Collapsible, Input, Select, Static, Switch, TextArea

from hqt.backends.base import Size
from hqt.errors import HqtError
from hqt.observe.views import NewSession, Outcome
from hqt.start import folders
from hqt.start.choices import Choices, FolderFacts
from hqt.tui.app import HqtApp
from hqt.tui.dialog.draft import Draft, request
from hqt.tui.dialog.folder_completion import Completion, complete
from hqt.tui.dialog.jail_gate import JailGate, jail_gate
from hqt.tui.link.services import Services
from hqt.tui.widgets.sentence import Sentence
from hqt.tui.widgets.session_form import SessionForm
from hqt.values import replace

_REST_S = 0.15  # from the last letter of a folder to the look at it
_KEYS = "enter starts · alt+enter new line · ctrl+s jail · esc closes"


class Created(NamedTuple):
    """What was asked for, and what became of it."""

    chosen: NewSession
    outcome: Outcome


class NewSessionScreen(ModalScreen[Created | None]):
    """Starts the session itself: where that is refused it stays as it was filled in. None: not now."""

    app = getters.app(HqtApp)
    CSS_PATH = "new_session.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-wide")]  # noqa: RUF012 - Textual declares it so
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "create", show=False, priority=True),
        Binding("ctrl+s", "jail", show=False, priority=True),
        Binding("escape", "keep", show=False),
    ]

    def __init__(self, *, folder: Path | None = None, sandboxed: bool = False) -> None:
        """`folder`: where an agent works if hqt's own is gone. What was left by Esc is taken up again."""
        super().__init__()
        self._folder, self._sandboxed = folder, sandboxed
        self._choices: Choices | None = None
        self._known = asyncio.Event()  # what there is to choose, or that it can't be had
        self._begun: Draft | None = None
        self._refused: Draft | None = None  # about which something is said
        self._folder_facts = FolderFacts(None, None)
        self._jail_gate = JailGate()
        self._busy = False
        self._form = SessionForm()
        self._said = Sentence()
        self._start = Button("Start", variant="primary", compact=True)
        self._start_open = Button("Start without a jail", variant="warning", compact=True)
        self._later = Button("Close (draft is kept)", compact=True)

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box", can_focus=False) as box:
            box.border_title = "New session"
            yield self._form
            yield self._said
            yield Horizontal(self._start, self._start_open, self._later, classes="buttons")
            yield Static(_KEYS, classes="muted")

    def on_mount(self) -> None:
        if self.app.draft is not None:
            self._form.fill(self.app.draft)
        self._paint()
        self._form.prompt.focus()
        self._begin()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter starts from each field, but what opens, chooses or presses has an Enter of its own."""
        if action != "create" or self.focused is None:
            return True
        opens = isinstance(self.focused.parent, Collapsible) or any(
            each.expanded for each in self.query(Select)
        )
        return not (opens or isinstance(self.focused, Button))

    @work
    async def _begin(self) -> None:
        await self._learn()
        self._known.set()
        self._look()

    async def _learn(self) -> None:
        """Find out what there is to choose from."""
        found = await self.app.attempt(self.app.services.choices)
        if isinstance(found, HqtError):
            self._say(str(found), refused=True)
        else:
            self._say(None)
            self._choose(found, self.app.draft)

    def _choose(self, found: Choices, kept: Draft | None) -> None:
        self._choices = found
        here = found.here or self._folder
        place = complete(here, found.home) if here else Completion("")
        self._begun = Draft(
            sandboxed=found.jailed or self._sandboxed,
            harness=found.harness,
            directory=place.text,
            meant=place.meant,
        )
        self._form.offer(found, kept.harness if kept else found.harness)
        if kept is None:
            # what was typed meanwhile stays
            self._form.folder.put(*place)
            self._form.sandbox.on |= found.jailed
        self._form.sandbox.on |= self._sandboxed
        self._paint()

    # what may be chosen

    @on(Input.Changed)
    @on(TextArea.Changed)
    @on(Select.Changed)
    @on(Switch.Changed)
    def _changed(self, event: Input.Changed | TextArea.Changed | Select.Changed | Switch.Changed) -> None:
        if self._form.draft != self._refused:  # the word of a change may come after the refusal of it
            self._form.acquit()
        self._paint()
        if event.control is self._form.folder:
            self._look()

    def _paint(self) -> None:
        draft = self._form.draft
        self._jail_gate = jail_gate(self._folder_facts.jail, sandboxed=draft.sandboxed, net=draft.net)
        if self._start.has_focus and not self._jail_gate.create:
            # or the next one had it, which starts without a jail
            self.set_focus(self._form.prompt)
        self._start.disabled = not self._jail_gate.create
        self._start_open.display = self._jail_gate.offers_open
        self._form.show(self._jail_gate)
        if self._choices is not None:
            self._form.foresee_name(self._folder_facts.project, self._choices)

    @work(group="look", exclusive=True)
    async def _look(self) -> None:
        """Ask anew about the folder; the answer before holds until then, and each start asks as well."""
        await asyncio.sleep(_REST_S)
        draft, services = self._form.draft, self.app.services
        found = await self.app.attempt(lambda: services.folder_facts(_directory(draft)))
        if isinstance(found, FolderFacts):  # what is wrong with a folder is said when it is to be used
            self._folder_facts = found
            self._paint()

    # keys

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button is self._later:
            self.action_keep()
        else:
            self._create(is_open=event.button is self._start_open)

    def action_create(self) -> None:
        self._create()

    def action_jail(self) -> None:
        """Turn the jail on or off, where that can be."""
        if self._jail_gate.sandbox and not self._busy:
            self._form.sandbox.on = not self._form.sandbox.on
        else:
            self.app.bell()

    @work
    async def action_keep(self) -> None:
        """Leave, and find it as it is now the next time; not while it is being started."""
        await self._known.wait()
        if self.is_current and not self._busy:  # another Esc, or Enter, may have come first
            draft = self._form.draft
            self.app.draft = draft if draft != self._begun else None
            self.dismiss(None)

    # the start

    @work
    async def _create(self, *, is_open: bool = False) -> None:
        """`is_open`: without a jail, as a button of its own says."""
        if self._busy:
            return
        self._busy = True
        await self._known.wait()
        if self._choices is None:
            await self._learn()  # what was in the way may be gone
        self._paint()
        if self._choices is not None and (self._jail_gate.create or is_open):
            draft = self._form.draft
            await self._create_from(replace(draft, sandboxed=draft.sandboxed and not is_open))
        else:
            self.app.bell()
        self._busy = False

    async def _create_from(self, draft: Draft) -> None:
        self._form.acquit()
        self._hold("starting…")
        services, size = self.app.services, Size(self.app.size.width, self.app.size.height)
        done = await self.app.attempt(lambda: _created(services, draft, size))
        self._hold(None)
        self._refused = self._form.draft
        if isinstance(done, Created):
            self.app.draft = None
            self.dismiss(done)
        elif done.about is None:
            self._say(str(done), refused=True)
            self._form.prompt.focus()
        else:
            self._form.accuse(done.about, str(done))
            self._look()  # of a jail that could not be made, more is known now

    def _hold(self, word: str | None) -> None:
        """Let nothing be changed while `word` says what goes on."""
        self._form.disabled = self._start.disabled = self._start_open.disabled = word is not None
        self._say(word)
        if word is None:
            self._paint()

    def _say(self, sentence: str | None, *, refused: bool = False) -> None:
        self._said.set_class(refused, "refused")
        self._said.say(sentence)


def _directory(draft: Draft) -> Path | None:
    return draft.meant or (folders.folder(draft.directory) if draft.directory.strip() else None)


def _created(services: Services, draft: Draft, size: Size) -> Created:
    chosen = request(draft, size)
    return Created(chosen, services.service.create_session(*chosen))
