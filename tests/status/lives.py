"""Made-up lives of agents, told of late and in pieces: what changes, and what looks see of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from hqt.status.detect import Look, Sign, Source, Word

_CHANGES = 200
_LATE_S = 0.4  # the most that a source is behind; a hook is not
_LOOK_S = 0.25  # between two looks
_SETTLED_S = _LATE_S + 4 * _LOOK_S  # two looks, and none of two failed
_FAILED = 0.3  # of the looks
_NEXT: dict[Word, tuple[Word, ...]] = {
    "idle": ("working",),
    "working": ("working", "waiting", "idle"),
    "waiting": ("working", "idle"),
}


@dataclass(frozen=True, slots=True)
class Change:
    at: float
    word: Word


@dataclass(frozen=True, slots=True)
class Kind:
    """What an agent shows and tells."""

    told: tuple[Word, ...] = ()  # by a hook, at each change to one of them
    registry: bool = False
    title: tuple[Word, ...] = ()
    screen: bool = True


KINDS = {
    "claude": Kind(told=("working", "idle"), registry=True, title=("working", "idle")),
    "codex": Kind(told=("working", "idle"), title=("working", "waiting")),
    "gemini": Kind(title=("working", "waiting", "idle")),
    "qwen": Kind(),
}


def life(random: Random) -> list[Change]:
    """Each state lasts for some seconds: what passes between two looks is nobody's to see."""
    changes = [Change(1000.0, "idle")]
    while len(changes) <= _CHANGES:
        last = changes[-1]
        word = random.choice(_NEXT[last.word])
        if word != last.word:
            changes.append(Change(last.at + random.uniform(2, 20), word))
    return changes


def looks(kind: Kind, lived: Sequence[Change], random: Random) -> Iterator[tuple[Look, Word | None]]:
    """What is seen, and what is so then; None shortly after a change, when either may be believed."""
    now, failed = lived[0].at + 1, True
    while now < lived[-1].at + 3:
        so = _at(lived, now)
        signs = tuple(_signs(kind, lived, now, random))
        if failed or random.random() > _FAILED:
            failed = False
            look = Look(now, signs, printed_at=now)
        else:  # it saw nothing, or no screen
            failed = True
            shown = tuple(sign for sign in signs if sign.source != "screen")
            look = Look(now, random.choice([(), shown]), printed_at=now, whole=False)
        yield look, so.word if now - so.at > _SETTLED_S else None
        now += _LOOK_S


def _signs(kind: Kind, life: Sequence[Change], now: float, random: Random) -> Iterator[Sign]:
    told = [change for change in life if change.at <= now and change.word in kind.told]
    if told and _is_told(life, told[-1]):
        worked = any(change.word == "working" for change in told)
        yield Sign("hook", told[-1].word, told[-1].at, worked=worked)
    if kind.registry:
        so = _at(life, now)
        yield Sign("registry", so.word, so.at)
    sources: list[Source] = ["title", "screen"]
    for source in sources:
        word = _at(life, now - random.uniform(0, _LATE_S)).word
        if source == "screen" or word in kind.title:
            # the title of claude is the same at rest and while it asks
            shown = "idle" if kind.registry and source == "title" and word == "waiting" else word
            yield Sign(source, shown)


def _is_told(life: Sequence[Change], change: Change) -> bool:
    """A hook tells of prompts and ends, never of an answer to a question."""
    before = [each for each in life if each.at < change.at]
    return not (before and before[-1].word == "waiting" and change.word == "working")


def _at(life: Sequence[Change], now: float) -> Change:
    return next((change for change in reversed(life) if change.at <= now), life[0])
