"""Working, waiting or idle: what the signs of one look say, beside what was believed before; pure."""

from collections.abc import Sequence
from typing import Literal

from hqt.values import frozen, replace

Word = Literal["working", "waiting", "idle"]
# strongest first. The first two tell of a moment, the others of how it is now
Source = Literal["hook", "registry", "title", "bell", "screen"]

_APART_S = 0.2  # two looks closer than that are one
_QUIET_S = 1.0  # an agent that works prints more often: its spinner alone does
_PAINTED_S = 0.5  # by then a question that was answered is gone from the screen, and a new one is on it
_SETTLED_S = 2.0  # by then a title shows what was told; of an interrupt no hook tells, and the title does
_RESTED_S = 3.0  # longer than a start shows a prompt before it goes on
_TURN_S = 1.0  # what is told twice within it, by two sources, is one thing


@frozen
class Sign:
    """What one source says of an agent that lives."""

    source: Source
    word: Word
    at: float | None = None  # Unix time of the moment that it tells of, 0.0: not known; None: it is so now
    reason: str | None = None  # why it waits
    worked: bool = False  # the source knows of work in this life
    pattern: str | None = None  # that found it; for people who write some


@frozen
class Look:
    """What one look saw of an agent that lives; a source that was silent or not reached is missing."""

    at: float  # Unix time
    signs: tuple[Sign, ...] = ()
    printed_at: float | None = None  # when it last printed, as tmux saw it
    watched: bool = False  # a terminal is attached to it
    whole: bool = True  # no source that it has was not reached, such as its screen
    tells: bool = False  # its hooks tell of each prompt


@frozen
class Belief:
    """What is believed of an agent since its start, and what was seen that is not believed yet."""

    word: Word
    since: float
    source: Source
    rule: str  # why that sign won, for `hqt status --explain`
    reason: str | None = None
    worked: bool = False  # in this life, before or now
    seen_at: float | None = None  # when a person last looked
    doubt: Word | None = None  # what the last look said instead
    doubted_at: float | None = None  # since when

    @property
    def unseen(self) -> bool:
        """Whether it is done: idle after work that nobody has looked at since."""
        return self.word == "idle" and self.worked and (self.seen_at is None or self.seen_at < self.since)


def judge(look: Look, before: Belief | None) -> Belief | None:
    """What to believe after `look`; None where nothing was ever seen of it.

    A look that saw nothing changes nothing, and one that is not whole no more than what was told since.
    Waiting is believed at once, and what was told since. Else work is believed to be over after two looks,
    or where nothing was printed for a second, which says the same.
    """
    is_part = before is not None and not look.whole
    signs = [sign for sign in look.signs if _is_news(sign, before)] if is_part else look.signs
    found = _weighed(signs, look.at)
    after = before if found is None else _believed(_explained(found[0], look.signs), found[1], look, before)
    if after is not None and after.unseen and look.watched:
        return replace(after, seen_at=look.at)
    return after


def _weighed(signs: Sequence[Sign], now: float) -> tuple[Sign, str] | None:
    """The sign that wins, and why; `signs` strongest first."""
    # a registry tells of every change, a hook of some: one at Stop runs also where another sends it on
    tell = [sign for sign in signs if sign.at is not None]
    told = next((sign for sign in tell if sign.source == "registry"), next(iter(tell), None))
    shown = [sign for sign in signs if sign.at is None]
    age = now - _moment(told) if told is not None else now
    waiting = next((sign for sign in shown if sign.word == "waiting"), None)
    if waiting is not None and age >= _PAINTED_S:
        return waiting, f"shown by its {waiting.source} now"
    if told is not None and age < _SETTLED_S:
        return told, f"told by its {told.source} just now"
    titled = next((sign for sign in shown if sign.source == "title"), None)
    if told is not None and titled is not None and _speaks_against(titled, told, shown):
        return titled, f"shown by its title, long after its {told.source} told otherwise"
    if told is not None and titled is None and told.source == "hook" and told.word == "working":
        # a turn that failed may end without a word, and codex shows no title of rest
        screen = next((sign for sign in shown if sign.source == "screen" and sign.word == "idle"), None)
        if screen is not None:
            return screen, "shown by its screen, long after its hook told otherwise"
    strongest = told or next(iter(shown), None)
    if strongest is None:
        return None
    how = "told" if strongest is told else "shown"
    return strongest, f"{how} by its {strongest.source}, the strongest that says anything"


def _explained(sign: Sign, signs: Sequence[Sign]) -> Sign:
    """The sign with a reason, where only another one that says the same has one; a question, if any has."""
    reasons = [each.reason for each in reversed(signs) if each.word == sign.word and each.reason]
    return replace(sign, reason=reasons[0]) if reasons else sign


def _speaks_against(titled: Sign, told: Sign, shown: Sequence[Sign]) -> bool:
    """Whether a title counts more; one may look at rest while a question waits, and then the screen tells."""
    if titled.word == told.word:
        return False
    is_at_rest = any(sign.source == "screen" and sign.word == "idle" for sign in shown)
    return told.word != "waiting" or titled.word != "idle" or is_at_rest


def _believed(sign: Sign, rule: str, look: Look, before: Belief | None) -> Belief:
    worked = _has_worked(sign, look, before)
    if before is None:
        since = sign.at or look.at
        return Belief(sign.word, since, sign.source, rule, sign.reason, worked)
    again = _told_again(look, before) if sign.word == before.word else None
    if again is not None:
        return replace(before, since=again, reason=sign.reason, worked=True, doubt=None, doubted_at=None)
    if sign.word == before.word:
        reason = sign.reason or before.reason
        return replace(before, reason=reason, worked=worked, doubt=None, doubted_at=None)
    first = before.doubted_at if before.doubt == sign.word and before.doubted_at is not None else look.at
    if not _is_sure(sign, look, before, first):
        return replace(before, doubt=sign.word, doubted_at=first)
    # a question that was answered leaves it in what was told before the question
    return Belief(
        sign.word,
        _moment(sign) if _is_news(sign, before) else first,
        sign.source,
        rule,
        sign.reason,
        worked=worked,
        seen_at=before.seen_at,
    )


def _has_worked(sign: Sign, look: Look, before: Belief | None) -> bool:
    """Whether it has worked for somebody, and not only busied itself at its start.

    Codex shows its prompt for a moment, and its spinner while it starts MCP servers. What it is asked, also
    on the command line, its hook tells; where hooks are silent, a spinner after a rest says as much.
    """
    if (before is not None and before.worked) or any(each.worked for each in look.signs):
        return True
    has_rested = before is not None and before.word == "idle" and look.at - before.since >= _RESTED_S
    return sign.word == "working" and (sign.at is not None or not look.tells or has_rested)


def _told_again(look: Look, before: Belief) -> float | None:
    """When the turn after the one before ended, of which no look saw any work."""
    told = next((sign for sign in look.signs if sign.source == "hook"), None)
    if before.word != "idle" or told is None or told.word != "idle" or not told.worked:
        return None
    # work that nobody knew of is no turn already seen, however short
    least = _TURN_S if before.worked else 0.0
    return _moment(told) if _moment(told) > before.since + least else None


def _is_sure(sign: Sign, look: Look, before: Belief, first: float) -> bool:
    is_shown = any(each.at is None and each.word == sign.word for each in look.signs)
    if _is_news(sign, before) or (is_shown and sign.word != "idle"):
        return True
    is_quiet = look.printed_at is not None and look.at - look.printed_at >= _QUIET_S
    return is_quiet or look.at - first >= _APART_S


def _is_news(sign: Sign, before: Belief | None) -> bool:
    """Whether it tells of a moment since then; what is older was told before something else was seen."""
    return sign.at is not None and (before is None or sign.at > before.since)


def _moment(sign: Sign) -> float:
    return sign.at if sign.at is not None else 0.0
