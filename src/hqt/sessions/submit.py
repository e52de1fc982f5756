"""When a text that was typed stands on an agent's screen, and when it was taken; pure."""

from typing import Literal

from hqt.backends.base import Face
from hqt.values import frozen, replace

Step = Literal["wait", "press", "taken", "stuck"]

# an Enter that comes sooner is dropped by gemini and breaks the line in codex, which takes it for a part of
# what was pasted; claude drops one that comes before it has shown the paste
_SETTLED_S = 0.5
_PATIENCE_S = 3.0  # for a text to be shown: a program that echoes nothing never shows it
_A_SECOND_S = 50_000  # letters that an agent takes in within a second, on a busy machine
_TAKEN_S = 1.5  # every agent paints within it what it does with an Enter
_PRESSES_MAX = 2
_TAIL = 12  # letters of the text's end that are looked for; few, as a line may be broken between them
_FOLDED = "[Pasted"  # what claude, codex, gemini, qwen and opencode show in place of a long paste


@frozen
class Submission:
    """One text on its way: the screen before it and now. Times are of a clock that only goes forward."""

    text: str
    before: Face
    face: Face
    begun: float
    changed: float  # since when it looks as it does
    shown: float | None = None  # since when the text stands on it
    pressed: float | None = None  # when Enter was, last
    presses: int = 0

    @classmethod
    def of(cls, text: str, before: Face, now: float) -> "Submission":
        return cls(text, before, before, begun=now, changed=now)

    def seeing(self, face: Face, now: float) -> "Submission":
        """After one more look."""
        is_there = self.shown is None and self.pressed is None and shows(self.text, self.before, face)
        changed = self.changed if face == self.face else now
        return replace(self, face=face, changed=changed, shown=now if is_there else self.shown)

    def entering(self, now: float) -> "Submission":
        """After Enter was pressed."""
        return replace(self, pressed=now, presses=self.presses + 1)

    def step(self, now: float) -> Step:
        """What is to be done now.

        Enter is pressed again only where the text was seen to come and nothing at all has moved since, not
        even the cursor: to a program that has taken the first one it would be an answer to something else.
        """
        if self.pressed is None:
            return "press" if self._is_there(now) else "wait"
        if self.changed > self.pressed or self.shown is None:
            return "taken"
        if now - self.pressed < _TAKEN_S:
            return "wait"
        return "press" if self.presses < _PRESSES_MAX else "stuck"

    def _is_there(self, now: float) -> bool:
        if not self.text or now - self.begun >= _PATIENCE_S + len(self.text) / _A_SECOND_S:
            return True
        if self.shown is not None:
            return now - self.shown >= _SETTLED_S
        return self.face != self.before and now - self.changed >= _SETTLED_S


def shows(text: str, before: Face, now: Face) -> bool:
    """Whether the end of `text`, or a word in its place, is there more often than before."""
    signs = ("".join(text.split())[-_TAIL:], _FOLDED)
    return any(_count(now, sign) > _count(before, sign) for sign in signs if sign)


def _count(face: Face, sign: str) -> int:
    return "".join("".join(row.split()) for row in face.rows).count(sign)
