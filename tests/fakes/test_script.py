"""The user's words decide what a fake model does."""

from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.script import Bash, Say, Talk, Write, next_step

WORDS = st.text(alphabet="ab /.-", min_size=1).map(str.strip).filter(bool)


def test_a_prompt_without_steps_is_echoed() -> None:
    assert next_step(Talk("hello there")) == Say("FAKE-OK: hello there")


def test_a_step_may_say_that_the_user_is_to_be_asked() -> None:
    assert next_step(Talk("%ask ls")) == Bash("ls", asks=True)


def test_recall_lists_the_earlier_prompts() -> None:
    assert next_step(Talk("%recall", earlier=("first", "second"))) == Say('FAKE-RECALL: ["first", "second"]')


def test_the_last_words_carry_the_first_line_of_each_result() -> None:
    talk = Talk("%bash ls\n%bash true", results=("a\nb\n", ""))
    assert next_step(talk) == Say('FAKE-DONE: ["a", ""]')


def test_a_word_within_a_line_is_no_step() -> None:
    assert next_step(Talk("say %bash ls")) == Say("FAKE-OK: say %bash ls")


@given(st.lists(st.tuples(st.sampled_from(["bash", "write"]), WORDS), min_size=1))
def test_every_result_leads_to_the_next_call_in_the_order_of_the_prompt(calls: list[tuple[str, str]]) -> None:
    talk = Talk("\n".join(f"%{word} {rest}" for word, rest in calls))
    taken = []
    for _ in calls:
        taken.append(next_step(talk))
        talk = talk.answered("ok")
    assert taken == [Bash(rest) if word == "bash" else Write(rest) for word, rest in calls]
    assert isinstance(next_step(talk), Say)


def test_a_new_prompt_sets_the_results_aside_and_keeps_the_old_prompt() -> None:
    talk = Talk().said("first").answered("ok").said(" second\n")
    assert talk == Talk("second", earlier=("first",))


def test_what_a_harness_puts_in_by_itself_is_no_prompt() -> None:
    talk = Talk("mine")
    assert (
        talk.said("<system-reminder>\nnote") == talk.said("<environment_context>") == talk.said("  ") == talk
    )
