"""The demo's lines: each thing as it was seen, and a count of what was not as promised."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from hqt.demo.screen import Seen, Word


@dataclass(slots=True)
class Report:
    write: Callable[[str], None]
    promises: int = 0
    broken: list[str] = field(default_factory=list)

    def command(self, text: str) -> None:
        self.write("")
        self.write(f"$ {text}")

    def said(self, lines: Iterable[str]) -> None:
        """A command's own words."""
        for line in lines:
            self.write(f"  {line}")

    def attempt(self, what: str, expected: Word, seen: Seen | None, *, remark: str = "") -> None:
        """What the agent tried; it must have gone as `expected`."""
        if seen is None:
            self._line("", f"{what}: it did not say", kept=False)
            return
        why = f" ({seen.why})" if seen.why else ""
        if seen.word == expected:
            self._line(seen.word, f"{what}{why}{remark}", kept=True)
        else:
            self._line("", f"{what}: {seen.word}{why}, and should be {expected}", kept=False)

    def check(self, what: str, *, kept: bool) -> None:
        """A promise that the demo looked after itself."""
        self._line("checked", what if kept else f"not so: {what}", kept=kept)

    def _line(self, word: str, what: str, *, kept: bool) -> None:
        self.promises += 1
        self.write(f"  {word:8} {what}" if kept else f"  BROKEN   {what}")
        if not kept:
            self.broken.append(what)
