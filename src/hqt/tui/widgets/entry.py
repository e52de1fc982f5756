"""Fields of one line: for any text, and for a folder."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import events, work
from textual.binding import Binding, BindingType
from textual.suggester import Suggester

from hqt.tui.cells import plain
from hqt.tui.dialog.folder_completion import Completion, complete, completion_lines, completions
from hqt.tui.widgets.line import Line


class Entry(Line):
    """One line in which nothing stands that a terminal could act on."""

    def __init__(self, text: str = "", *, placeholder: str = "", suggester: Suggester | None = None) -> None:
        super().__init__(
            text, placeholder=placeholder, suggester=suggester, compact=True, select_on_focus=False
        )

    def on_paste(self, event: events.Paste) -> None:
        event.text = "".join(each for each in event.text if each == "\n" or each == plain(each))


class FolderEntry(Entry):
    """Right completes the folder's path, up and down go through what else it may be."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "offer(1)", show=False),
        Binding("up", "offer(-1)", show=False),
    ]

    def __init__(self) -> None:
        super().__init__(suggester=_Completion())
        self._home = Path("/")
        self._recent: Sequence[Path] = ()
        self._filled: Completion | None = None
        self._offers: tuple[Completion, ...] = ()

    def remember(self, recent: Sequence[Path], home: Path) -> None:
        """Offer these too; `home` is written ~."""
        self._recent, self._home = recent, home

    def put(self, text: str, meant: Path | None = None) -> None:
        """Fill it in; what is typed over it means what it says."""
        self._filled = Completion(text, meant)
        self.value = text
        self.cursor_position = len(text)

    def put_folder(self, folder: Path) -> None:
        self.put(*complete(folder, self._home))

    @property
    def meant(self) -> Path | None:
        """The folder that was filled in; None: what the text says."""
        return self._filled.meant if self._filled is not None and self._filled.text == self.value else None

    @work(exclusive=True)
    async def action_offer(self, step: int) -> None:
        """Put in the next or the one before; folders may be slow to list."""
        texts = [each.text for each in self._offers]
        at = texts.index(self.value) + step if self.value in texts else None
        if at is None:
            # a folder that was filled in is no beginning of another
            asked = "" if self.meant is not None else self.value
            self._offers = await asyncio.to_thread(completion_lines, asked, self._recent, self._home)
            at = 0 if step > 0 else -1
        if self._offers:
            self.put(*self._offers[at % len(self._offers)])


class _Completion(Suggester):
    """The first folder that a path can be completed to; looked for in a thread."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)

    async def get_suggestion(self, value: str) -> str | None:
        found = await asyncio.to_thread(completions, value)
        return next((each.text for each in found if each.text != value), None)
