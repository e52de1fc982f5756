"""Another jail for a session, or none."""

from typing import ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Select, Static, Switch

from hqt.errors import HqtError
from hqt.observe.views import SessionView
from hqt.sandbox import SandboxPolicy
from hqt.sandbox.policy import Fs
from hqt.start.choices import Candidate, Choices
from hqt.tui.app import HqtApp
from hqt.tui.cells import plain
from hqt.tui.dialog.jail_summary import jail_summary
from hqt.tui.screens.confirm import ConfirmScreen
from hqt.tui.widgets.field import Field
from hqt.tui.widgets.sentence import Sentence
from hqt.tui.widgets.session_form import FILES
from hqt.tui.widgets.toggle import Toggle

_KEYS = "enter saves it for the next start · esc cancels"


class JailScreen(ModalScreen[SessionView | None]):
    """Sets it itself: a jail that is refused stays as it was chosen, under it why. None: as it was."""

    app = getters.app(HqtApp)
    CSS_PATH = "jail.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "set", show=False, priority=True),
        Binding("escape", "keep", show=False),
    ]

    def __init__(self, view: SessionView) -> None:
        """`view`: of a session that is not alive."""
        super().__init__()
        self._view = view
        self._is_jailed = view.sandbox is not None or view.invalid is not None
        policy = view.sandbox or SandboxPolicy()
        self._sandbox, self._network = Toggle(on=self._is_jailed), Toggle(on=policy.net)
        self._files = Select[Fs](FILES, allow_blank=False, value=policy.fs, compact=True)
        self._meaning, self._refused = Sentence("muted"), Sentence("refused")
        self._jail = Vertical(classes="jail")
        self._harness: Candidate | None = None
        self._busy = False

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box", can_focus=False):
            yield Static(Content(f"The jail of session {self._view.id} {plain(self._view.name)}"))
            yield Field("Sandboxed", self._sandbox)
            with self._jail:
                yield Field("  Files", self._files)
                yield Field("  Network", self._network)
                yield self._meaning
            yield self._refused
            yield Static(_KEYS, classes="muted")

    def on_mount(self) -> None:
        self._refused.say(self._view.invalid)
        self._paint()
        self._sandbox.switch.focus()
        self._learn()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter saves from each field, but a list that is open has an Enter of its own."""
        return action != "set" or not self._files.expanded

    @work
    async def _learn(self) -> None:
        found = await self.app.attempt(self.app.services.choices)
        if isinstance(found, Choices):  # without, less is known of what the jail means
            self._harness = found.candidate(self._view.harness)
            self._paint()

    @on(Select.Changed)
    @on(Switch.Changed)
    def _changed(self) -> None:
        self._paint()

    def _paint(self) -> None:
        self._jail.display = self._sandbox.on
        policy = SandboxPolicy(self._files.selection or "rw", self._network.on)
        self._meaning.say(jail_summary(policy, self._harness))

    def action_set(self) -> None:
        """Save it; a jail is not taken away unasked."""
        if self._busy:
            return
        if self._sandbox.on or not self._is_jailed:
            self._set()
            return
        question = (
            f"Remove the jail of session {self._view.id} {plain(self._view.name)}?"
            " Without one its agent can do whatever you can."
        )
        self.app.push_screen(ConfirmScreen(question, "Remove it"), self._answered)

    def _answered(self, answer: bool | None) -> None:
        if answer:
            self._set()

    @work
    async def _set(self) -> None:
        self._busy = True
        policy = SandboxPolicy(self._files.selection or "rw", self._network.on) if self._sandbox.on else None
        services, session = self.app.services, str(self._view.id)
        changed = await self.app.attempt(lambda: services.service.set_sandbox(session, policy))
        self._busy = False
        if isinstance(changed, HqtError):
            self._refused.say(str(changed))
        else:
            self.dismiss(changed)

    def action_keep(self) -> None:
        if not self._busy:
            self.dismiss(None)
