"""What a jail is asked to be, and that nothing else is ever taken for it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.errors import JailError
from hqt.sandbox.policy import Bind, Fs, SandboxPolicy

SHAPES = [(fs, net) for fs in ("rw", "ro") for net in (True, False)]
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["rw", "ro"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(["fs", "net"]), inner),
)


def is_policy(found: object) -> bool:
    """Whether `found` is one of the four; true and 1 are told apart."""
    return any(json.dumps(found, sort_keys=True) == json.dumps({"fs": f, "net": n}) for f, n in SHAPES)


def test_the_default_is_to_write_the_project_and_to_reach_the_network() -> None:
    assert SandboxPolicy() == SandboxPolicy(fs="rw", net=True)


@given(st.sampled_from(["rw", "ro"]), st.booleans())
def test_a_policy_comes_back_from_the_database_as_it_went(fs: Fs, net: bool) -> None:
    policy = SandboxPolicy(fs=fs, net=net)
    assert SandboxPolicy.from_json(policy.to_json()) == policy


def test_the_stored_form_is_the_first_designs() -> None:
    assert json.loads(SandboxPolicy(fs="ro", net=False).to_json()) == {"fs": "ro", "net": False}


@given(json_values.filter(lambda found: not is_policy(found)))
def test_no_other_json_is_a_policy(found: object) -> None:
    with pytest.raises(JailError):
        SandboxPolicy.from_json(json.dumps(found))


@given(st.text())
def test_no_other_text_is_a_policy(text: str) -> None:
    with pytest.raises(JailError):
        SandboxPolicy.from_json(text)


ENDS = {
    "": "is not JSON: set it anew",
    "{": "is not JSON: set it anew",
    "null": "does not hold exactly fs and net: set it anew",
    '{"fs": "rw"}': "does not hold exactly fs and net: set it anew",
    '{"fs": "rw", "net": true, "gpu": true}': "does not hold exactly fs and net: set it anew",
    '{"fs": "RW", "net": true}': "has an unknown fs: set it to rw or ro",
    '{"fs": ["rw"], "net": true}': "has an unknown fs: set it to rw or ro",
    '{"fs": null, "net": true}': "has an unknown fs: set it to rw or ro",
    '{"fs": "rw", "net": 1}': "has an unknown net: set it to true or false",
    '{"fs": "rw", "net": "false"}': "has an unknown net: set it to true or false",
}


@pytest.mark.parametrize("text", ENDS)
def test_an_unreadable_policy_is_told_and_what_to_do(text: str) -> None:
    with pytest.raises(JailError) as raised:
        SandboxPolicy.from_json(text)
    assert str(raised.value) == f"the stored jail policy {text!r} {ENDS[text]}"


def test_json_that_python_gives_up_on_is_no_policy() -> None:
    with pytest.raises(JailError, match="is not JSON: set it anew"):
        SandboxPolicy.from_json("[" * 100_000)


def test_a_bind_is_seen_at_its_own_place_unless_said_otherwise() -> None:
    assert Bind(Path("/a")).inside == Path("/a")
    assert Bind(Path("/a"), dst=Path("/b")).inside == Path("/b")
