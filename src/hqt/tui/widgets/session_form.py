"""The fields of a new session: what stands in them is a draft, and what is wrong is said at its field."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Collapsible, Select

from hqt.errors import About
from hqt.sandbox import SandboxPolicy
from hqt.sandbox.policy import Fs
from hqt.sessions import names
from hqt.start.choices import Candidate, Choices
from hqt.tui.cells import plain
from hqt.tui.dialog.draft import Draft
from hqt.tui.dialog.jail_gate import JailGate
from hqt.tui.dialog.jail_summary import jail_summary
from hqt.tui.widgets.entry import Entry, FolderEntry
from hqt.tui.widgets.field import Field
from hqt.tui.widgets.prompt import Prompt
from hqt.tui.widgets.sentence import Sentence
from hqt.tui.widgets.toggle import Toggle

FILES: list[tuple[str, Fs]] = [("Read-write", "rw"), ("Read-only", "ro")]


class SessionForm(Vertical):
    """It asks nobody: choices and answers are given to it."""

    def __init__(self) -> None:
        super().__init__()
        self.prompt = Prompt()
        self.sandbox, self.network = Toggle(on=False), Toggle(on=True)
        self.files = Select[Fs](FILES, allow_blank=False, value="rw", compact=True)
        self.harness = Select[str]((), prompt="looking…", compact=True)
        self.folder, self.title = FolderEntry(), Entry()
        self.args = Entry(placeholder="as in a shell: --model opus")
        self.env_names = Entry(placeholder="of this shell, by name: EDITOR LANG")
        self._warning, self._meaning = Sentence("muted"), Sentence("muted")
        self._more = Collapsible(title="More: arguments, variables")
        self._jail = Vertical(classes="jail")
        self._net = Field("  Network", self.network)
        self._candidates: tuple[Candidate, ...] = ()
        self._fields: dict[About, Field] = {
            "prompt": Field("First prompt", self.prompt, above=True),
            "sandbox": Field("Sandboxed", self.sandbox),
            "harness": Field("Harness", self.harness),
            "directory": Field("Folder", self.folder),
            "name": Field("Name", self.title),
            "args": Field("Arguments", self.args),
            "env_names": Field("Variables", self.env_names),
        }

    def compose(self) -> ComposeResult:
        yield self._fields["prompt"]
        yield self._fields["sandbox"]
        yield self._warning
        with self._jail:
            yield Field("  Files", self.files)
            yield self._net
            yield self._meaning
        yield self._fields["harness"]
        yield self._fields["directory"]
        yield self._fields["name"]
        with self._more:
            yield self._fields["args"]
            yield self._fields["env_names"]

    @property
    def draft(self) -> Draft:
        """All that was typed and chosen."""
        return Draft(
            prompt=self.prompt.text,
            sandboxed=self.sandbox.on,
            fs=self.files.selection or "rw",
            net=self.network.on,
            harness=self.harness.selection,
            directory=self.folder.value,
            meant=self.folder.meant,
            name=self.title.value,
            args=self.args.value,
            env_names=self.env_names.value,
        )

    @property
    def candidate(self) -> Candidate | None:
        """The harness that is chosen."""
        return next((each for each in self._candidates if each.name == self.harness.selection), None)

    def fill(self, draft: Draft) -> None:
        """Put back what was left, but for the harness: that needs `offer`."""
        self.prompt.text = draft.prompt
        self.prompt.move_cursor(self.prompt.document.end)
        self.sandbox.on, self.network.on = draft.sandboxed, draft.net
        self.files.value = draft.fs
        self.folder.put(draft.directory, draft.meant)
        self.title.value, self.args.value, self.env_names.value = draft.name, draft.args, draft.env_names
        self._more.collapsed = not (draft.args or draft.env_names)

    def offer(self, choices: Choices, harness: str | None) -> None:
        """Let it be chosen from these; `harness` is chosen where it is one of them, else none is."""
        self._candidates = choices.harnesses
        self.harness.prompt = "choose one"
        self.harness.set_options([(_label(each), each.name) for each in choices.harnesses])
        if choices.candidate(harness or "") is not None:
            self.harness.value = harness or ""
        self.folder.remember(choices.projects, choices.home)

    def show(self, gate: JailGate) -> None:
        """Let what may be turned be turned, and say what the jail means or why there is none."""
        self.sandbox.switch.disabled = not gate.sandbox
        self.network.switch.disabled = not gate.network
        self._warning.set_class(not gate.sandbox, "refused")
        self._warning.say(gate.warning)
        self._net.say(gate.offline)
        self._jail.display = self.sandbox.on
        policy = SandboxPolicy(self.files.selection or "rw", self.network.on)
        self._meaning.say(jail_summary(policy, self.candidate))

    def foresee_name(self, project: str | None, choices: Choices) -> None:
        """Show which name it will have where none is typed."""
        known = project is not None and self.harness.selection is not None
        self.title.placeholder = (
            plain(names.automatic(project or "", self.harness.selection or "", choices.names))
            if known
            else ""
        )

    def accuse(self, about: About, sentence: str) -> None:
        """Say at that field what is wrong with it, and go there."""
        self._more.collapsed &= about not in ("args", "env_names")
        self._fields[about].say(sentence)
        self.call_after_refresh(self._fields[about].enter)

    def acquit(self) -> None:
        """Take back all that was said of fields."""
        for field in self._fields.values():
            field.say(None)


def _label(harness: Candidate) -> Content:
    return Content(plain(harness.label) + ("" if harness.installed else " (not installed)"))
