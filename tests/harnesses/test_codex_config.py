import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.harnesses.codex_config import Config, parsed


@pytest.mark.parametrize(
    "text", [b"", b"= oops", b"\xff", b"model_providers = 1", b"[model_providers]\nx = 1"]
)
def test_what_says_nothing_of_keys_leaves_the_defaults(text: bytes) -> None:
    assert parsed(text) == Config()


@given(st.binary())
def test_no_content_breaks_it(text: bytes) -> None:
    assert isinstance(parsed(text), Config)


def test_each_key_is_named_once() -> None:
    tables = (
        '[model_providers.a]\nenv_key = "K"',
        '[model_providers.b]\nenv_key = "K"',
        "[model_providers.c]\nx = 1",
    )
    assert parsed("\n".join(tables).encode()) == Config(keys=("K",))
