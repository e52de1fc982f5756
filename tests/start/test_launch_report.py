"""The words of a start, as far as they are written."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hqt.start.launch_report import LaunchReport

_LAUNCHED = '{"launch": "exec"}\n'


def test_the_words_of_the_launcher_and_of_bwrap_are_one_account() -> None:
    said = _LAUNCHED + '{ "child-pid": 42, "cgroup-namespace": 7 }\n{ "exit-code": 3 }\n'
    assert LaunchReport.parse(said) == LaunchReport(executed=True, failure=None, reaper=42, exit_code=3)


def test_a_failure_carries_the_launchers_sentence() -> None:
    said = _LAUNCHED + '{"launch": "failed", "why": "x can\'t be run"}\n'
    assert LaunchReport.parse(said) == LaunchReport(executed=True, failure="x can't be run", reaper=None)


def test_half_a_line_says_nothing_yet() -> None:
    assert LaunchReport.parse(_LAUNCHED + '{"child-pid": 4') == LaunchReport(executed=True)


def test_without_the_file_nothing_was_said(tmp_path: Path) -> None:
    assert LaunchReport.read(tmp_path / "none") == LaunchReport()


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    LaunchReport.parse(text)


@given(
    st.sampled_from(['{"child-pid": "42"}', '{"why": 7}', '{"exit-code": "0"}', "[1]", '"launch"', "null"])
)
def test_values_of_another_kind_are_no_words(line: str) -> None:
    assert LaunchReport.parse(line) == LaunchReport()
