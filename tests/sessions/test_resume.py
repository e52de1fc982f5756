"""The two ways back: each in the row's own jail, with its own words."""

from pathlib import Path

import pytest

from hqt.errors import JailError
from hqt.harnesses import registry
from hqt.harnesses.base import HarnessConfigurator, Place
from hqt.sandbox import SandboxPolicy
from hqt.sessions import resume
from hqt.sessions.resume import resume_launch
from hqt.start.request import Launch, policy_of
from hqt.values import replace
from tests.sessions.sample import KEY, row

_POLICY = SandboxPolicy("ro", net=False)
_ROW = row(
    cwd="/home/a/link",
    args=("--model", "m"),
    env_names=("TOKEN",),
    conversation="5e55-1",
    sandbox_json=_POLICY.to_json(),
)
_LAUNCH = Launch(
    harness="claude",
    given=Path("/home/a/link"),
    sandbox=_POLICY,
    args=("--model", "m"),
    env_names=("TOKEN",),
    conversation="5e55-1",
    key=KEY,
    title="shop-claude",
)


def _claude(home: Path, *, talked: bool = False) -> HarnessConfigurator:
    if talked:
        folder = home / ".claude/projects/any"
        folder.mkdir(parents=True)
        (folder / "5e55-1.jsonl").write_text('{"type":"user"}\n')
    return registry.configure("claude", Place(home, {}, 1000, Path("/home/a/shop")))


def test_without_a_word_said_the_fresh_start_keeps_the_id(tmp_path: Path) -> None:
    assert resume.fresh_launch(_ROW, _claude(tmp_path)) == _LAUNCH
    assert resume_launch(_ROW, _claude(tmp_path)) is None


def test_with_a_transcript_the_way_back_resumes_and_a_fresh_start_has_another_id(tmp_path: Path) -> None:
    claude = _claude(tmp_path, talked=True)
    assert resume_launch(_ROW, claude) == replace(_LAUNCH, resume=True)
    assert resume.fresh_launch(_ROW, claude).conversation not in (None, "5e55-1")


def test_a_fresh_start_on_request_never_keeps_the_id(tmp_path: Path) -> None:
    assert resume.fresh_launch(_ROW, _claude(tmp_path), again=False).conversation != "5e55-1"


def test_without_a_conversation_there_is_no_way_back(tmp_path: Path) -> None:
    assert resume_launch(replace(_ROW, conversation=None), _claude(tmp_path)) is None


def test_an_open_row_has_no_policy() -> None:
    assert policy_of(row()) is None


@pytest.mark.parametrize("stored", ["", "{", "{}", '{"fs": "rw"}', "null"])
def test_a_policy_that_cannot_be_read_is_never_none(tmp_path: Path, stored: str) -> None:
    found = replace(_ROW, sandbox_json=stored)
    with pytest.raises(JailError):
        policy_of(found)
    with pytest.raises(JailError):
        resume.fresh_launch(found, _claude(tmp_path))
    with pytest.raises(JailError):
        resume_launch(found, _claude(tmp_path, talked=True))
