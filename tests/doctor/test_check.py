"""A report is ok without what hqt can do without."""

import pytest

from hqt.doctor.check import Check, Report, State, Subject
from hqt.errors import ConfigError

THING = Subject("thing", "a thing")


@pytest.mark.parametrize(
    ("states", "ok"),
    [
        (("ok",), True),
        (("ok", "warning", "missing"), True),
        (("ok", "failed", "ok"), False),
    ],
)
def test_only_a_failed_check_makes_a_report_fail(states: tuple[State, ...], ok: bool) -> None:
    assert Report(tuple(Check("x", "x", state, "seen") for state in states)).ok is ok


def test_the_end_of_an_errors_sentence_is_the_remedy() -> None:
    error = ConfigError("/a: keys.x is unknown: use keys.detach")
    assert THING.error(error) == Check(
        "thing", "a thing", "failed", "/a: keys.x is unknown", "use keys.detach"
    )


def test_an_error_without_a_remedy_keeps_its_words() -> None:
    assert THING.absent(ConfigError("it is gone")) == Check("thing", "a thing", "missing", "it is gone", None)
