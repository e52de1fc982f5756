"""What is known of the terminal that attaches."""

from pathlib import Path

import pytest

from hqt.backends.tmux import terminal

ENV = {"PATH": "/usr/bin:/bin"}


@pytest.mark.parametrize("term", ["xterm", "xterm-256color", "tmux-256color", "screen", "linux"])
def test_a_terminal_that_terminfo_describes_is_known(term: str) -> None:
    assert terminal.is_known(term, ENV)


# dumb is described, but cannot be cleared, and tmux then does not start
@pytest.mark.parametrize("term", ["", "xterm-ghostty", "-x", "../../etc/passwd", "dumb"])
def test_a_terminal_that_tmux_could_not_drive_is_not_known(term: str) -> None:
    assert not terminal.is_known(term, ENV)


def test_without_tput_tmux_is_left_to_say_what_it_misses(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert terminal.is_known("no-such-terminal", {"PATH": str(tmp_path)})


@pytest.mark.parametrize(
    ("colorterm", "features"), [("truecolor", "RGB"), ("24bit", "RGB"), ("yes", None), (None, None)]
)
def test_24_bit_colours_are_for_terminals_that_say_so(colorterm: str | None, features: str | None) -> None:
    assert terminal.features({"COLORTERM": colorterm} if colorterm else {}) == features


def test_of_the_environment_only_an_unknown_type_is_replaced() -> None:
    known = {**ENV, "TERM": "xterm"}
    assert terminal.environment(known) == (known, None)
    assert terminal.environment({**ENV, "TERM": "no-such"}) == (
        {**ENV, "TERM": "xterm-256color"},
        "the terminal type 'no-such' is not known here: xterm-256color is used in its place",
    )
