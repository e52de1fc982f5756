"""The words of a start, as far as they are written."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hqt.services.status import Words

_LAUNCHED = '{"launch": "exec"}\n'


def test_the_words_of_the_launcher_and_of_bwrap_are_one_account() -> None:
    said = _LAUNCHED + '{ "child-pid": 42, "cgroup-namespace": 7 }\n{ "exit-code": 3 }\n'
    assert Words.parse(said) == Words(executed=True, failure=None, reaper=42, exit_code=3)


def test_a_failure_carries_the_launchers_sentence() -> None:
    said = _LAUNCHED + '{"launch": "failed", "why": "x can\'t be run"}\n'
    assert Words.parse(said) == Words(executed=True, failure="x can't be run", reaper=None)


def test_half_a_line_says_nothing_yet() -> None:
    assert Words.parse(_LAUNCHED + '{"child-pid": 4') == Words(executed=True)


def test_without_the_file_nothing_was_said(tmp_path: Path) -> None:
    assert Words.read(tmp_path / "none") == Words()


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    Words.parse(text)


@given(
    st.sampled_from(['{"child-pid": "42"}', '{"why": 7}', '{"exit-code": "0"}', "[1]", '"launch"', "null"])
)
def test_values_of_another_kind_are_no_words(line: str) -> None:
    assert Words.parse(line) == Words()
