"""The Makefile's face."""

import subprocess

from tests.ground.machine import REPOSITORY


def _make(*arguments: str) -> str:
    made = subprocess.run(
        ["make", "--no-print-directory", *arguments],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    return made.stdout


def _targets() -> list[str]:
    lines = (REPOSITORY / "Makefile").read_text().splitlines()
    return next(line for line in lines if line.startswith(".PHONY:")).split()[1:]


def test_help_lists_every_target_with_a_word_about_it() -> None:
    listed = [line.split(maxsplit=2) for line in _make("help").splitlines()]
    assert [word for _, word, _ in listed] == _targets()


def test_make_alone_is_help() -> None:
    assert _make() == _make("help")
