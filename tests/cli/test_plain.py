"""What is read without click is read as click reads it."""

import itertools
from collections.abc import Sequence

import pytest

from hqt.cli import group, plain
from hqt.cli.observe import list as list_command
from hqt.cli.observe import sessions
from hqt.cli.sandbox import exec as exec_command
from hqt.cli.sandbox import run

Heard = list[tuple[object, dict[str, object]]]


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Heard:
    """What the commands were asked for."""
    told: Heard = []

    def listen(*words: object, **named: object) -> int:
        told.append((words, named))
        return 7

    for module, name in (
        (sessions, "print_sessions"),
        (list_command, "print_sessions"),
        (run, "run_command"),
        (exec_command, "run_command"),
    ):
        monkeypatch.setattr(module, name, listen)
    return told


_OPTIONS = (["--fs", "ro"], ["--fs", "rw"], ["--no-net"], ["--net"], ["--harness", "codex"], ["-C", "x"])
_EXEC = [
    ["sandbox", "exec", *first, *second, "--env", "A", "--env", "B", "--", "cmd", "--fs", "--", "-h"]
    for first, second in itertools.permutations(_OPTIONS, 2)
]
_LIST = [
    ["list", *options] for options in ([], ["--json"], ["--all"], ["--json", "--all"], ["--all", "--json"])
]


@pytest.mark.parametrize("words", [*_EXEC, *_LIST], ids=" ".join)
def test_usual_words_mean_the_same_to_both(heard: Heard, words: Sequence[str]) -> None:
    assert plain.run(words) == (7 if words[0] == "sandbox" else 0)
    assert group.run(words) == (7 if words[0] == "sandbox" else 0)
    assert heard[0] == heard[1]


@pytest.mark.parametrize(
    "words",
    [
        *(["list", word] for word in ("--help", "--jso", "x", "--json=1")),
        ["sandbox", "exec", "true"],
        ["sandbox", "exec", "--"],
        *(
            ["sandbox", "exec", *words, "--", "true"]
            for words in (
                ["--help"],
                ["--fs"],
                ["--fs", "x"],
                ["--fs=ro"],
                ["-Cx"],
                ["x"],
                ["--env", "-C", "x"],
            )
        ),
        ["show", "1"],
        ["--debug", "list"],
        [],
    ],
    ids=" ".join,
)
def test_other_words_are_left_to_click(heard: Heard, words: Sequence[str]) -> None:
    assert (plain.run(words), heard) == (None, [])
