"""What stands in the fields becomes a request, or a sentence about one of them."""

import shlex
from pathlib import Path

import pytest
from hypothesis import given as supposing
from hypothesis import strategies as st

from hqt.backends.base import Size
from hqt.errors import About, ServiceError
from hqt.observe.views import NewSession
from hqt.sandbox import SandboxPolicy
from hqt.sandbox.policy import Fs
from hqt.tui.dialog.draft import Draft, request
from hqt.values import replace

SIZE = Size(columns=100, rows=30)
PLAIN = Draft(harness="claude", directory="/src/shop")
_WORDS = st.text(st.characters(exclude_categories=["Cs"]))


def test_what_is_left_out_is_left_to_the_service() -> None:
    assert request(PLAIN, SIZE) == NewSession(Path("/src/shop"), "claude", size=SIZE)


def test_all_that_was_chosen_is_asked_for() -> None:
    draft = Draft(
        prompt="fix it\nand test",
        sandboxed=True,
        fs="ro",
        net=False,
        harness="codex",
        directory="typed later",
        meant=Path("/src/b\nad"),
        name=" bug 7 ",
        args="--model 'o 3' -x",
        env_names="A, B A",
    )
    assert request(draft, SIZE) == NewSession(
        directory=Path("/src/b\nad"),
        harness="codex",
        name="bug 7",
        sandbox=SandboxPolicy("ro", net=False),
        args=("--model", "o 3", "-x"),
        env_names=("A", "B"),
        prompt="fix it\nand test",
        size=SIZE,
    )


@pytest.mark.parametrize("net", [True, False])
@pytest.mark.parametrize("fs", ["rw", "ro"])
def test_a_draft_without_a_jail_asks_for_none_whatever_stands_beneath(fs: Fs, net: bool) -> None:
    draft = replace(PLAIN, fs=fs, net=net)
    assert request(draft, SIZE).sandbox is None


_UNREADABLE: list[tuple[Draft, About, str]] = [
    (
        replace(PLAIN, directory=" "),
        "directory",
        "no folder is chosen: name the folder to work in",
    ),
    (replace(PLAIN, harness=None), "harness", "no harness is chosen: choose one"),
    (
        replace(PLAIN, args="--model 'o"),
        "args",
        "the arguments can't be split into words (no closing quotation): correct them",
    ),
    (
        replace(PLAIN, directory="~nobody-of-that-name/x"),
        "directory",
        "the folder ~nobody-of-that-name/x can't be found: it names no user, or its links lead in a circle",
    ),
]


@pytest.mark.parametrize(("draft", "about", "sentence"), _UNREADABLE)
def test_what_can_not_be_read_is_a_sentence_about_its_field(
    draft: Draft, about: About, sentence: str
) -> None:
    with pytest.raises(ServiceError) as raised:
        request(draft, SIZE)
    assert (str(raised.value), raised.value.about) == (sentence, about)


@supposing(st.lists(_WORDS), _WORDS, _WORDS)
def test_words_prompts_and_names_arrive_as_they_are(words: list[str], prompt: str, name: str) -> None:
    asked = request(replace(PLAIN, args=shlex.join(words), prompt=prompt, name=name), SIZE)
    assert asked.args == tuple(words)
    assert asked.prompt == (prompt if prompt.strip() else None)
    assert asked.name == (name.strip() or None)


@supposing(st.builds(Draft, *[_WORDS], name=_WORDS, args=_WORDS, env_names=_WORDS, directory=_WORDS))
def test_any_draft_is_a_request_or_a_sentence(draft: Draft) -> None:
    assert _fault(replace(draft, harness="claude")) in (None, "directory", "args")


def _fault(draft: Draft) -> About | None:
    try:
        request(draft, SIZE)
    except ServiceError as error:
        return error.about
    return None
