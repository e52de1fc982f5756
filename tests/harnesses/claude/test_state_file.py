import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.harnesses.claude import state_file

JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=4)


@pytest.mark.parametrize("text", [b"", b"[]", b"nul", b"\xff", b"[" * 100_000])
def test_what_is_no_object_is_none(text: bytes) -> None:
    assert state_file.parsed(text) is None


@given(st.dictionaries(st.text(), JSON), st.text())
def test_everything_of_the_users_is_kept(state: dict[str, object], key: str) -> None:
    copy = json.loads(state_file.answered(state, key))
    answers = ("hasCompletedOnboarding", "customApiKeyResponses")
    assert {name: copy[name] for name in copy if name not in answers} == {
        name: state[name] for name in state if name not in answers
    }
    assert copy["hasCompletedOnboarding"] is True


def test_a_key_that_the_user_rejected_stays_rejected() -> None:
    state = {"customApiKeyResponses": {"approved": [], "rejected": ["k"]}}
    assert json.loads(state_file.answered(state, "k")) == {**state, "hasCompletedOnboarding": True}


@pytest.mark.parametrize("answers", [None, 1, [], {"approved": "k", "rejected": [1]}])
def test_answers_of_a_strange_shape_are_made_anew(answers: object) -> None:
    copy = json.loads(state_file.answered({"customApiKeyResponses": answers}, "k"))
    assert copy["customApiKeyResponses"] == {"approved": ["k"], "rejected": []}
