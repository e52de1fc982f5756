"""Each harness's rules tell the state of every screen that was recorded of it, and no talk of it fools them.

The screens in `screens/HARNESS/STATE*.txt` are those of the real programs, at 120x40 or narrower.
"""

from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

from hqt.harnesses import registry
from hqt.status.detect import Word
from hqt.status.rules import told

_SCREENS = Path(__file__).parent / "screens"
_STATES: dict[str, Word] = {
    **dict.fromkeys(("start", "idle", "cancelled"), "idle"),
    "working": "working",
    **dict.fromkeys(("waiting", "trust", "auth"), "waiting"),
}
# what a conversation may quote: every word that some rule looks for, as the programs show it
_QUOTED = (
    " Do you want to proceed?",
    " ❯ 1. Yes",
    " Esc to cancel · Tab to amend",
    " Enter to confirm · Esc to cancel",
    "  esc to interrupt",
    "• Working (2s • esc to interrupt)",
    "Working (2s • esc to interrupt)",
    "    shift+← edit last queued message",
    "  Would you like to run the following command?",
    "› 1. Yes, proceed (y)",
    "  Press enter to confirm or esc to cancel",
    "Enter to select · ↑/↓ to navigate · Esc to cancel",
    " ctrl+g to edit in  Vim  · ~/.claude/plans/hello.md",
    "  tab to add notes | enter to submit answer | esc to interrupt",
    "  enter select · esc back",
    "⠏ Thinking... (esc to cancel, 2s)",
    " ⠏ Thinking... (esc to cancel, 2s)",
    "  ⠼ Resolving dependencies... (2s · esc to cancel)",
    "? Shell sleep 6",
    "│ ● 1. Allow once │",
    " ⠦ Working...",
    "  ┃  △ Permission required",
    "   ■■■■■■⬝⬝  esc interrupt",
    "Allow this action? [y/n/t]",
    "That is what they show.",
)


def _recorded() -> Iterator[tuple[str, str]]:
    for path in sorted(_SCREENS.glob("*/*.txt")):
        yield path.parent.name, path.stem


def _lines(harness: str, name: str) -> list[str]:
    return (_SCREENS / harness / f"{name}.txt").read_text().splitlines()


def _word(harness: str, screen: list[str]) -> Word | None:
    found = told(registry.kind(harness).screen_rules, screen)
    return None if found is None else found.word


@pytest.mark.parametrize(("harness", "name"), _recorded())
def test_a_recorded_screen_tells_its_state(harness: str, name: str) -> None:
    assert _word(harness, _lines(harness, name)) == _STATES[name.partition("-")[0]]


@pytest.mark.parametrize(("harness", "name"), _recorded())
def test_a_conversation_that_quotes_the_words_changes_no_state(harness: str, name: str) -> None:
    """The lowest empty line of what stands above the prompt is where an answer ends."""
    screen = _lines(harness, name)
    end = _end_of_talk(screen)
    quoting = [*screen[:end], *_QUOTED, *screen[end:]]
    assert _word(harness, quoting) == _STATES[name.partition("-")[0]]


def _end_of_talk(screen: list[str]) -> int:
    below = list(takewhile(lambda line: not _is_talk(line), reversed(screen)))
    return len(screen) - len(below)


def _is_talk(line: str) -> bool:
    is_footer = "fake-model default" in line  # codex names the task there
    return not is_footer and any(said in line for said in ("FAKE-", "%bash", "hello", "Conversation interr"))


@pytest.mark.parametrize(
    ("harness", "title", "word"),
    [
        ("claude", "✳ Claude Code", "idle"),
        ("claude", "⠐ Claude Code", "working"),
        ("claude", "⠂ Fix the tests", "working"),
        ("claude", "a machine's name", None),
        ("codex", "a machine's name", None),
        ("codex", "Fix the tests | proj", None),
        ("codex", "⠼ Fix the tests | proj", "working"),
        ("codex", "[ . ] Action Required | Fix the tests | proj", "waiting"),
        ("codex", "[ ! ] Action Required | Fix the tests | proj", "waiting"),
        ("gemini", "◇  Ready (proj)", "idle"),
        ("gemini", "✦  Working… (proj)", "working"),
        ("gemini", "⏲  Working… (proj)", "working"),
        ("gemini", "✋  Action Required (proj)", "waiting"),
        ("gemini", "Gemini CLI (proj)", None),
        ("claude", "say ✳ or ⠐ ", None),
    ],
)
def test_a_title_tells_its_state(harness: str, title: str, word: Word | None) -> None:
    found = told(registry.kind(harness).title_rules, [title])
    assert (None if found is None else found.word) == word


def test_what_it_asks_is_the_reason() -> None:
    asked = {
        (harness, name): told(registry.kind(harness).screen_rules, _lines(harness, name))
        for harness, name in _recorded()
        if "narrow" not in name
    }
    assert {key: found.line for key, found in asked.items() if found and found.word == "waiting"} == {
        ("claude", "waiting-key"): "Do you want to use this API key?",
        ("claude", "waiting-permission"): "Do you want to proceed?",
        ("claude", "waiting-plan"): "Would you like to proceed?",
        ("claude", "waiting-question"): "Which way do we go from here?",
        ("claude", "waiting-questions"): "Say how fast",
        ("claude", "waiting-trust"): "Quick safety check: Is this a project you created or one you trust?",
        ("codex", "waiting-menu"): "enter select · esc back",
        ("codex", "waiting-menu-new"): "enter select · esc back",
        ("codex", "waiting-menu-resume"): "enter resume   ^a archive   esc exit   ^c exit"
        "   tab focus sort/filter   ←/→ change option",
        ("codex", "waiting-permission"): "Would you like to run the following command?",
        ("codex", "waiting-question"): "Which way do we go from here?",
        ("codex", "waiting-trust"): "Trust this folder?",
        ("gemini", "auth"): "How would you like to authenticate for this project?",
        ("gemini", "trust"): "Do you trust the files in this folder?",
        ("gemini", "waiting"): "Allow execution of [Shell]?",
        ("opencode", "waiting"): "Permission required",
        ("qwen", "auth"): "Select Authentication Method",
        ("qwen", "trust"): "Do you trust this folder?",
        ("qwen", "waiting"): "Allow execution of: 'rm'?",
    }
