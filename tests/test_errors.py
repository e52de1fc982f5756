"""Deliberate errors say which choice they are about, so that each face can show them there."""

from pathlib import Path

import pytest

from hqt.errors import About, HqtError, ServiceError, about
from hqt.harnesses import registry
from hqt.sandbox import SandboxPolicy, project
from hqt.sandbox.files.private import Private
from hqt.sessions.names import validate_name


def test_an_error_is_about_nothing_unless_it_is_said() -> None:
    assert ServiceError("x failed: do y").about is None


def test_what_is_raised_inside_is_about_the_innermost_field() -> None:
    error = ServiceError("x failed: do y")
    with pytest.raises(ServiceError) as raised, about("sandbox"), about("name"):
        raise error
    assert raised.value is error
    assert (str(error), error.about, error.exit_code) == ("x failed: do y", "name", 1)


def test_other_exceptions_pass_as_they_are() -> None:
    with pytest.raises(KeyError), about("name"):
        raise KeyError("name")


def _about(raised: pytest.ExceptionInfo[HqtError]) -> About | None:
    return raised.value.about


def test_judges_say_what_they_judge(tmp_path: Path) -> None:
    with pytest.raises(HqtError) as raised:
        validate_name("7")
    assert _about(raised) == "name"
    with pytest.raises(HqtError) as raised:
        registry.kind("nano")
    assert _about(raised) == "harness"
    with pytest.raises(HqtError) as raised:
        project.survey(tmp_path / "missing", SandboxPolicy(), Private.of(tmp_path, (), None))
    assert _about(raised) == "directory"
