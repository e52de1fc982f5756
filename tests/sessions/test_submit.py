"""When Enter is pressed, and when it counts as taken."""

from hqt.backends.base import Face
from hqt.sessions.submit import Submission, shows
from hqt.values import replace

EMPTY = Face(("> ",), 2, 0)
TYPED = Face(("> run the tests",), 15, 0)
TAKEN = Face(("run the tests", "* working", "> "), 2, 2)


def typing(text: str = "run the tests") -> Submission:
    return Submission.of(text, EMPTY, 0)


def test_enter_waits_until_the_text_is_there_and_settled() -> None:
    begun = typing().seeing(EMPTY, 0.1)
    shown = begun.seeing(TYPED, 0.2)
    assert [begun.step(0.1), shown.step(0.3), shown.step(0.69), shown.step(0.71)] == [
        *("wait", "wait", "wait", "press")
    ]


def test_a_screen_that_never_rests_holds_up_no_text_that_is_there() -> None:
    spinning = typing()
    for tick in range(1, 9):
        spinning = spinning.seeing(replace(TYPED, rows=(f"{tick}", *TYPED.rows)), tick / 10)
    assert spinning.step(0.8) == "press"


def test_what_is_shown_in_another_way_counts_once_the_screen_rests() -> None:
    folded = typing().seeing(Face(("> ********",), 10, 0), 0.2)
    assert (folded.step(0.6), folded.step(0.71)) == ("wait", "press")


def test_a_program_that_shows_nothing_gets_its_enter_at_last_and_never_twice() -> None:
    silent = typing().seeing(EMPTY, 2.9)
    assert (silent.step(2.9), silent.step(3.1)) == ("wait", "press")
    assert silent.entering(3.1).seeing(EMPTY, 9.0).step(9.0) == "taken"


def test_a_long_text_gets_longer() -> None:
    long = Submission.of("x" * 200_000, EMPTY, 0).seeing(EMPTY, 6.9)
    assert (long.step(6.9), long.step(7.1)) == ("wait", "press")


def test_enter_alone_needs_no_look() -> None:
    assert typing("").step(0) == "press"
    assert typing("").entering(0).step(0) == "taken"


def test_an_enter_that_moved_anything_was_taken() -> None:
    pressed = typing().seeing(TYPED, 0.2).entering(0.8)
    assert pressed.step(0.9) == "wait"
    assert pressed.seeing(TAKEN, 1.0).step(1.0) == "taken"
    assert pressed.seeing(replace(TYPED, row=1, column=0), 1.0).step(1.0) == "taken"


def test_an_enter_that_was_dropped_is_pressed_once_more_and_then_given_up() -> None:
    first = typing().seeing(TYPED, 0.2).entering(0.8).seeing(TYPED, 2.2)
    assert (first.step(2.2), first.step(2.4)) == ("wait", "press")
    second = first.entering(2.4).seeing(TYPED, 4.0)
    assert second.step(4.0) == "stuck"


def test_a_text_is_shown_where_its_end_is_there_more_often_than_before() -> None:
    assert shows("run the tests", EMPTY, TYPED)
    assert not shows("run the tests", TYPED, TYPED)
    assert shows("run the tests", EMPTY, Face(("> run the t", "  ests")))
    assert shows("a\nb\n", EMPTY, Face(("> [Pasted text #1 +2 lines]",)))
    assert not shows("y", Face(("why",)), Face(("why",)))
