"""What is believed of an agent follows its strongest sign, and no single late or failed look."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.status.detect import Belief, Look, Sign, Word, judge
from hqt.values import replace

_NOW = 1000.0
_SOURCES = ("hook", "registry", "title", "bell", "screen")


def told(word: Word, at: float = _NOW, *, worked: bool = False) -> Sign:
    return Sign("hook", word, at, worked=worked)


def titled(word: Word) -> Sign:
    return Sign("title", word)


def shown(word: Word, reason: str | None = None) -> Sign:
    return Sign("screen", word, reason=reason)


def look(*signs: Sign, at: float = _NOW, printed_at: float | None = None, watched: bool = False) -> Look:
    return Look(at, signs, printed_at, watched)


def believed(*looks: Look) -> Belief | None:
    belief = None
    for each in looks:
        belief = judge(each, belief)
    return belief


def word(*looks: Look) -> Word | None:
    belief = believed(*looks)
    return None if belief is None else belief.word


def test_an_agent_without_a_sign_is_not_judged() -> None:
    assert believed(look(), look(printed_at=0.0)) is None


def test_the_first_sign_is_believed_with_its_reason() -> None:
    assert believed(look(shown("waiting", "Do you want to proceed?"))) == Belief(
        "waiting", _NOW, "screen", "shown by its screen now", "Do you want to proceed?"
    )


def test_what_was_told_holds_since_its_own_moment() -> None:
    assert believed(look(told("working", 900.0))) == Belief(
        "working",
        900.0,
        "hook",
        "told by its hook, the strongest that says anything",
        worked=True,
    )


@pytest.mark.parametrize("before", ["working", "idle"])
def test_waiting_is_believed_at_once(before: Word) -> None:
    assert word(look(shown(before)), look(shown("waiting"), at=_NOW + 0.01)) == "waiting"


def test_work_is_believed_to_be_over_after_two_looks() -> None:
    first, second = look(shown("idle"), at=_NOW + 1), look(shown("idle"), at=_NOW + 2)
    assert word(look(shown("working")), first) == "working"
    after = believed(look(shown("working")), first, second)
    assert after is not None
    assert (after.word, after.since, after.unseen) == ("idle", _NOW + 1, True)


def test_two_looks_at_one_moment_are_one() -> None:
    work, blink = look(shown("working")), look(shown("idle"), at=_NOW + 1)
    assert word(work, blink, replace(blink, at=_NOW + 1.1)) == "working"


def test_silence_for_a_second_says_the_same_as_a_second_look() -> None:
    quiet = look(shown("idle"), at=_NOW + 1, printed_at=_NOW)
    assert word(look(shown("working")), quiet) == "idle"


def test_what_is_told_needs_no_second_look() -> None:
    assert word(look(told("working")), look(told("idle", _NOW + 0.1), at=_NOW + 0.2)) == "idle"


def test_what_was_just_told_counts_more_than_a_screen_not_yet_painted() -> None:
    assert word(look(told("idle", _NOW - 0.1), titled("working"), shown("working"))) == "idle"


def test_a_screen_never_speaks_against_what_was_told_but_to_wait() -> None:
    quoting = look(told("idle", _NOW - 60), shown("working"))
    assert word(quoting, replace(quoting, at=_NOW + 1)) == "idle"
    assert word(look(told("idle", _NOW - 60), shown("waiting"))) == "waiting"


def test_a_title_tells_of_an_interrupt_that_no_hook_tells() -> None:
    working = look(told("working", _NOW - 60), titled("working"))
    stopped = look(told("working", _NOW - 60), titled("idle"), at=_NOW + 1)
    assert word(working, stopped) == "working"
    assert word(working, stopped, replace(stopped, at=_NOW + 2)) == "idle"


def test_a_question_counts_as_soon_as_it_can_be_on_the_screen() -> None:
    asked = look(told("working", _NOW - 0.6), titled("waiting"))
    answered = look(told("working", _NOW - 0.1), titled("waiting"))
    assert (word(asked), word(answered)) == ("waiting", "working")


def test_work_after_a_question_begins_with_its_answer() -> None:
    prompt, asks = told("working", _NOW - 60), shown("waiting", "Proceed?")
    asked, gone = (look(prompt), look(prompt, asks, at=_NOW + 5)), look(prompt, at=_NOW + 9)
    assert word(*asked, gone) == "waiting"  # the screen may be half painted
    after = believed(*asked, gone, replace(gone, at=_NOW + 10))
    assert after is not None
    assert (after.word, after.since, after.reason) == ("working", _NOW + 9, None)


def test_of_a_look_without_the_screen_only_news_counts() -> None:
    asked = look(told("working", _NOW - 60), shown("waiting", "Proceed?"))
    blind = Look(_NOW + 9, (told("working", _NOW - 60), titled("idle")), whole=False)
    again, ended = replace(blind, at=_NOW + 10), replace(blind, at=_NOW + 11, signs=(told("idle", _NOW + 8),))
    assert believed(asked, blind, again) == believed(asked)
    assert word(asked, blind, again, ended) == "idle"


def test_what_it_asks_is_told_whoever_says_that_it_waits() -> None:
    screen, registry = shown("waiting", "Proceed?"), Sign("registry", "waiting", _NOW - 9, "permission")
    reasons = [
        found.reason
        for found in (
            believed(look(titled("waiting"))),
            believed(look(titled("waiting"), screen)),
            believed(look(registry)),
            believed(look(registry, screen)),
        )
        if found is not None
    ]
    assert reasons == [None, "Proceed?", "permission", "Proceed?"]


def test_a_turn_that_ends_without_a_word_is_told_by_the_screen() -> None:
    failed = look(told("working", _NOW - 60), shown("idle"))
    typing = look(Sign("registry", "working", _NOW - 60), shown("idle"))
    titles = look(told("working", _NOW - 60), titled("working"), shown("idle"))
    later = [word(each, replace(each, at=_NOW + 9)) for each in (failed, typing, titles)]
    assert later == ["idle", "working", "working"]


def test_a_title_at_rest_does_not_end_a_question_that_the_screen_does_not_end() -> None:
    """Claude Code's title is the same for both; the questions that it asks are of many kinds."""
    asked = look(Sign("registry", "waiting", _NOW - 60, reason="dialog open"), titled("idle"))
    refused = replace(asked, signs=(*asked.signs, shown("idle")))
    assert word(asked, replace(asked, at=_NOW + 9)) == "waiting"
    assert word(refused, replace(refused, at=_NOW + 9)) == "idle"


def test_a_turn_that_no_look_saw_is_done_again() -> None:
    first = look(told("idle", _NOW, worked=True), at=_NOW + 1, watched=True)
    later = look(told("idle", _NOW + 30, worked=True), at=_NOW + 31)
    seen, after = believed(first), believed(first, later)
    assert seen is not None
    assert after is not None
    assert (seen.unseen, after.since, after.unseen) == (False, _NOW + 30, True)


def test_what_was_told_before_the_clock_was_set_back_is_no_news() -> None:
    """It is done once, and what is shown since counts."""
    done = [look(told("idle", 0.0, worked=True), at=_NOW + number) for number in range(9)]
    after = believed(*done)
    assert after is not None
    assert (after.since, after.unseen) == (_NOW, True)
    assert word(*done, look(told("working", 0.0), titled("waiting"), at=_NOW + 9)) == "waiting"


def test_what_two_sources_tell_of_one_end_is_one_end() -> None:
    first = look(Sign("registry", "idle", _NOW), at=_NOW + 1, watched=True)
    both = look(told("idle", _NOW + 0.3, worked=True), Sign("registry", "idle", _NOW), at=_NOW + 2)
    after = believed(look(told("working", _NOW - 9)), first, both)
    assert after is not None
    assert (after.since, after.unseen) == (_NOW, False)


@pytest.mark.parametrize("at", [850.0, 950.0])
def test_of_two_that_tell_the_one_that_tells_of_every_change_counts(at: float) -> None:
    """A hook of the user's at Stop may send Claude Code on, and hqt's has said by then that it is idle."""
    assert word(look(told("idle", 900.0), Sign("registry", "working", at))) == "working"


@given(st.lists(st.sampled_from(["working", "waiting", "idle"]), min_size=1, max_size=6))
def test_a_look_that_saw_nothing_changes_nothing(words: list[Word]) -> None:
    looks = [look(shown(each), at=_NOW + number) for number, each in enumerate(words)]
    blind = [each for found in looks for each in (found, look(at=found.at + 0.5))]
    assert believed(*looks) == believed(*blind)


def test_done_is_what_nobody_has_looked_at_since_it_was_idle() -> None:
    work, idle = look(told("working")), look(told("idle", _NOW + 1), at=_NOW + 2)
    before, seen = believed(work, idle), believed(work, idle, look(at=_NOW + 3, watched=True))
    again = believed(
        work, idle, look(at=_NOW + 3, watched=True), look(told("working", _NOW + 4), at=_NOW + 5)
    )
    assert before is not None
    assert seen is not None
    assert (before.unseen, seen.unseen) == (True, False)
    assert judge(look(told("idle", _NOW + 6), at=_NOW + 7), again) == Belief(
        "idle", _NOW + 6, "hook", "told by its hook just now", worked=True, seen_at=_NOW + 3
    )


def test_work_that_no_look_saw_is_known_from_who_tells_of_it() -> None:
    after = believed(look(told("idle", worked=True)))
    assert after is not None
    assert after.unseen


def telling(*signs: Sign, at: float) -> Look:
    """A look at an agent whose hooks tell of prompts."""
    return Look(at, signs, printed_at=0.0, tells=True)


@pytest.mark.parametrize("first", [[], ["idle"], ["idle", "waiting"], ["waiting"]], ids=range(4))
def test_what_an_agent_does_at_its_start_is_no_work(first: list[Word]) -> None:
    """Codex shows its spinner while it starts MCP servers; before that its prompt, or it asks for trust."""
    start = [telling(shown(each), at=_NOW + number / 2) for number, each in enumerate(first)]
    after = believed(*start, telling(titled("working"), at=_NOW + 2), telling(shown("idle"), at=_NOW + 9))
    assert after is not None
    assert (after.word, after.unseen) == ("idle", False)


def test_after_its_start_what_it_shows_is_work() -> None:
    """Its hooks may be silent: the user's own took their place."""
    words: list[Word] = ["idle", "working", "idle"]
    looks = [telling(titled(each), at=_NOW + 4 * number) for number, each in enumerate(words)]
    after = believed(*looks)
    assert after is not None
    assert (after.word, after.unseen) == ("idle", True)


def test_a_prompt_of_the_command_line_is_work_from_the_start() -> None:
    """Its spinner stands there already, and the hook tells of the prompt."""
    after = believed(
        telling(titled("working"), at=_NOW),
        telling(told("working", _NOW + 1, worked=True), titled("working"), at=_NOW + 2),
        telling(told("working", _NOW + 1, worked=True), titled("idle"), shown("idle"), at=_NOW + 9),
        telling(told("idle", _NOW + 10, worked=True), titled("idle"), at=_NOW + 11),
    )
    assert after is not None
    assert (after.word, after.unseen) == ("idle", True)


def test_an_agent_that_never_worked_is_not_done() -> None:
    after = believed(
        look(shown("idle")), look(shown("waiting")), look(shown("idle"), at=_NOW + 9, printed_at=0.0)
    )
    assert after is not None
    assert (after.word, after.unseen) == ("idle", False)


_SIGNS = st.lists(
    st.builds(
        Sign,
        st.sampled_from(_SOURCES),
        st.sampled_from(["working", "waiting", "idle"]),
        st.one_of(st.none(), st.floats(0, 2 * _NOW)),
    ).map(lambda sign: replace(sign, at=None) if sign.source in ("title", "bell", "screen") else sign),
    max_size=4,
)


@given(st.lists(st.tuples(_SIGNS, st.floats(0.3, 5)), max_size=20))
def test_every_change_has_a_sign_of_its_look_that_says_so(run: list[tuple[list[Sign], float]]) -> None:
    now, belief = _NOW, None
    for signs, step in run:
        now += step
        after = judge(Look(now, tuple(signs)), belief)
        if after is not None and (belief is None or after.word != belief.word):
            assert after.word in {sign.word for sign in signs}
        belief = after


def test_a_first_turn_too_short_for_any_look_is_done_all_the_same() -> None:
    after = believed(look(shown("idle")), look(told("idle", _NOW + 0.3, worked=True), at=_NOW + 0.5))
    assert after is not None
    assert (after.word, after.since, after.unseen) == ("idle", _NOW + 0.3, True)
