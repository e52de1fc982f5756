from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.errors import HarnessError
from hqt.harnesses.root_folder import Root, root

HOME = Path("/home/user")
USUAL = HOME / ".agent"


def found(value: str | None) -> Root:
    return root("AGENT_DIR", ".agent", HOME, {} if value is None else {"AGENT_DIR": value})


@pytest.mark.parametrize(
    ("value", "host", "inside"),
    [
        (None, USUAL, USUAL),
        ("/home/user/x/../y/", HOME / "y", HOME / "y"),
        ("~/x", HOME / "x", HOME / "x"),
        ("/srv/x", Path("/srv/x"), USUAL),
        ("/home/username", Path("/home/username"), USUAL),
        ("~", HOME, USUAL),
        ("/", Path("/"), USUAL),
    ],
)
def test_a_folder_under_home_keeps_its_place_and_another_is_seen_at_the_usual_one(
    value: str | None, host: Path, inside: Path
) -> None:
    assert found(value) == Root("AGENT_DIR", value, host, inside)


@pytest.mark.parametrize("value", ["", ".", "./x", "x", "~user/x", "~~"])
def test_empty_and_relative_values_are_refused_by_name_and_value(value: str) -> None:
    with pytest.raises(HarnessError) as refused:
        found(value)
    assert str(refused.value).startswith(f"AGENT_DIR={value!r}" if value else 'AGENT_DIR=""')


@given(st.text())
def test_what_is_accepted_is_absolute_and_inside_home(value: str) -> None:
    try:
        made = found(value)
    except HarnessError:
        return
    assert made.host.is_absolute()
    assert HOME in made.inside.parents


def test_the_variable_is_set_only_where_the_program_would_misread_it() -> None:
    assert found(None).env(sandboxed=True) == {}
    assert found("/srv/x").env(sandboxed=False) == {}
    assert found("~/x").env(sandboxed=False) == {"AGENT_DIR": "/home/user/x"}
    assert found("/srv/x").env(sandboxed=True) == {"AGENT_DIR": "/home/user/.agent"}
