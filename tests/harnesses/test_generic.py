import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.errors import HarnessError
from hqt.harnesses.base import Place, SpawnConfig
from hqt.harnesses.generic import Generic
from tests.harnesses.places import CWD, HOME, place


@given(args=st.lists(st.text(), min_size=1), sandboxed=st.booleans())
def test_the_command_is_what_was_given(args: list[str], sandboxed: bool) -> None:
    assert Generic(place()).build_spawn_config(args=args, sandboxed=sandboxed) == SpawnConfig(tuple(args))


@pytest.mark.parametrize(
    ("shell", "started"),
    [
        ("/usr/bin/fish", "/usr/bin/fish"),
        ("/usr/sbin/nologin", "/bin/sh"),
        ("/bin/false", "/bin/sh"),
        ("", "/bin/sh"),
    ],
)
def test_without_a_command_it_is_the_login_shell(shell: str, started: str) -> None:
    assert Generic(Place(HOME, {}, 1000, CWD, shell=shell)).build_spawn_config() == SpawnConfig((started,))
    assert Generic.wanted((), shell) == started


def test_its_first_word_is_the_program_to_find() -> None:
    assert Generic.wanted(["vim", "x"], "/bin/bash") == "vim"


def test_a_prompt_is_refused() -> None:
    with pytest.raises(HarnessError, match="takes no prompt"):
        Generic(place()).build_spawn_config(args=["vim"], prompt="hi")


def test_a_command_starts_afresh() -> None:
    assert Generic(place()).build_resume_config("x", args=["vim"]) is None
