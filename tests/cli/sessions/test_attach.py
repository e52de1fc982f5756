"""`hqt attach` and `hqt new -a`, in a terminal: an outer tmux on a socket of its own."""

import pytest

from hqt.backends.tmux.commands import chain
from tests.backends.tmux.terminal import Terminal
from tests.cli.steps import (
    agent_pid,
    attach,
    becomes,
    command,
    key,
    new,
    press,
    refused,
    screen,
    sees,
    shown,
    shows,
    tmux,
)
from tests.world import World, needs_bwrap, needs_tmux, tmux_servers, wait_until

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]
_ECHO = 'echo ready; while read -r x; do echo "got $x"; done'


def test_a_terminal_enters_types_and_comes_back_by_ctrl_q(world: World, terminal: Terminal) -> None:
    """A46: the key returns from each session, whichever was attached last."""
    for _ in range(2):
        new(world, _ECHO)
    for session in ("1", "2"):
        attach(terminal, f"w{session}", "attach", session)
        assert sees(terminal, f"w{session}", "ready")
    for session in ("1", "2"):
        terminal.press(f"w{session}", f"hello {session}", "Enter")
        assert sees(terminal, f"w{session}", f"got hello {session}")
        terminal.press(f"w{session}", "C-q")
        assert sees(terminal, f"w{session}", "ended 0")
    assert [shown(world, session)["state"] for session in (1, 2)] == ["running", "running"]


def test_a_new_session_is_entered_at_once_with_the_terminals_size(world: World, terminal: Terminal) -> None:
    """A44: drawn for the terminal from the start, but for the status line, and following it."""
    script = "stty size; trap 'stty size' WINCH; while :; do sleep 0.1; done"
    attach(terminal, "w", "new", str(world.project), "--harness", "generic", "-a", "--", "sh", "-c", script)
    assert sees(terminal, "w", "24 90")
    terminal.resize("w", 60, 20)
    assert sees(terminal, "w", "19 60")
    terminal.press("w", "C-q")
    assert sees(terminal, "w", "ended 0")


@needs_bwrap
def test_in_a_jail_the_agent_follows_the_size_too(world: World, terminal: Terminal) -> None:
    """A33: --new-session would take SIGWINCH away."""
    script = "stty size; trap 'stty size' WINCH; while :; do sleep 0.1; done"
    words = ("new", str(world.project), "-s", "--harness", "generic", "-a", "--", "sh", "-c", script)
    attach(terminal, "w", *words)
    assert sees(terminal, "w", "24 90")
    terminal.resize("w", 60, 20)
    assert sees(terminal, "w", "19 60")


def test_what_is_not_alive_is_resumed_first(world: World, terminal: Terminal) -> None:
    new(world, _ECHO)
    world.hqt("stop", "1")
    attach(terminal, "w", "attach", "proj-generic")
    assert sees(terminal, "w", "ready")
    assert shown(world, 1)["state"] == "running"


@pytest.mark.parametrize("round_", range(3))
def test_an_agent_that_ends_sends_its_terminal_home_with_its_last_lines(
    world: World, terminal: Terminal, round_: int
) -> None:
    """tmux 3.3a misses one end in five: each round must come home."""
    new(world, "echo ready; read -r x; echo bye; exit 3")
    attach(terminal, "w", "attach", "1")
    assert sees(terminal, "w", "ready")
    terminal.press("w", "Enter")
    assert sees(terminal, "w", "ended 0"), round_
    said = terminal.screen("w")
    assert "hqt: session 1 proj-generic exited (3), its last lines: `hqt show 1`" in said
    assert "  | bye" in said


def test_an_agent_that_cannot_be_resumed_is_said_and_not_entered(world: World, terminal: Terminal) -> None:
    new(world, "[ -e once ] && { echo broken; exit 4; }; : > once; exec cat")
    world.hqt("stop", "1")
    attach(terminal, "w", "attach", "1")
    assert sees(terminal, "w", "ended 1")
    assert "  | broken" in terminal.screen("w")


def test_a_rename_while_attached_does_not_lose_it(world: World, terminal: Terminal) -> None:
    new(world, _ECHO)
    attach(terminal, "w", "attach", "proj-generic")
    assert sees(terminal, "w", "ready")
    assert world.hqt("rename", "1", "other").returncode == 0
    terminal.press("w", "C-q")
    assert sees(terminal, "w", "ended 0")


def test_a_session_removed_while_attached_sends_its_terminal_home(world: World, terminal: Terminal) -> None:
    new(world, _ECHO)
    attach(terminal, "w", "attach", "1")
    assert sees(terminal, "w", "ready")
    assert world.hqt("rm", "--force", "1").returncode == 0
    # by the time that it is home the session is stopped (0) or forgotten (3)
    assert wait_until(
        lambda: any(each in terminal.screen("w") for each in ("ended 0", "ended 3")), within_s=15
    )
    assert "hqt: session 1 proj-generic" in terminal.screen(
        "w"
    ) or "no session is called 1" in terminal.screen("w")


def test_inside_another_tmux_it_is_entered_all_the_same(world: World, terminal: Terminal) -> None:
    """A45: TMUX names a server that is not hqt's."""
    new(world, _ECHO)
    outer = {"TMUX": f"{world.root / 'outer'},1,0", "TMUX_PANE": "%0"}
    attach(terminal, "w", "attach", "1", **outer)
    assert sees(terminal, "w", "ready")
    terminal.press("w", "C-q")
    assert sees(terminal, "w", "ended 0")


def test_inside_hqts_own_tmux_the_terminal_switches(world: World, terminal: Terminal) -> None:
    """A45: from a shell in a split beside an agent."""
    new(world, _ECHO)
    new(world, "echo the second; exec cat")
    attach(terminal, "w", "attach", "1")
    assert sees(terminal, "w", "ready")

    words = [f"{name}={value}" for name, value in world.env.items() if name != "TERM"]
    target = f"=hqt-{key(world, 1)}:"
    tmux(world, *chain(("split-window", "-t", target, "--", "env", *words, *command("attach", "2"))))
    assert sees(terminal, "w", "the second")
    terminal.press("w", "C-q")
    assert sees(terminal, "w", "ended 0")
    assert [shown(world, session)["state"] for session in (1, 2)] == ["running", "running"]


def test_an_unknown_terminal_type_is_a_note_not_a_flash(world: World, terminal: Terminal) -> None:
    """A32 from the shell."""
    new(world, _ECHO)
    attach(terminal, "w", "attach", "1", TERM="xterm-ghostty-of-tomorrow")
    assert sees(terminal, "w", "ready")
    terminal.press("w", "C-q")
    assert sees(terminal, "w", "ended 0")
    assert "is not known here: xterm-256color is used in its place" in terminal.screen("w").replace("\n", "")


def test_another_key_may_lead_back(world: World, terminal: Terminal) -> None:
    world.places.config.mkdir(parents=True)
    world.places.config_file.write_text('[keys]\ndetach = "f12"\n')
    new(world, _ECHO)
    attach(terminal, "w", "attach", "1")
    assert sees(terminal, "w", "ready")
    terminal.press("w", "F12")
    assert sees(terminal, "w", "ended 0")


def test_a_split_left_active_does_not_make_the_agent_look_dead(world: World, terminal: Terminal) -> None:
    """A39: attached, split, detached; then looked at and entered again."""
    new(world, _ECHO)
    pid = agent_pid(world, 1)
    attach(terminal, "w", "attach", "1")
    assert sees(terminal, "w", "ready")
    tmux(world, "split-window", "-t", f"=hqt-{key(world, 1)}:", "exec cat")
    terminal.press("w", "C-q")
    assert sees(terminal, "w", "ended 0")
    assert (shown(world, 1)["state"], screen(world, 1)) == ("running", "ready\n")
    attach(terminal, "again", "attach", "1")
    assert sees(terminal, "again", "ready")
    assert len(tmux_servers(world.root)) == 2  # hqt's, and the terminal's own
    assert wait_until(lambda: str(pid) in tmux(world, "list-panes", "-a", "-F", "#{pane_pid}").stdout)


@pytest.mark.parametrize("words", [["attach", "1"], ["new", "-a", "--harness", "generic", "--", "cat"]])
def test_without_a_terminal_it_is_refused_before_anything_is_started(world: World, words: list[str]) -> None:
    new(world, "exec cat")
    world.hqt("stop", "1")
    assert "needs a terminal: use `hqt capture`" in refused(world.hqt(*words), 1)
    assert [found["state"] for found in world.json("list")] == ["stopped"]


def test_ctrl_c_is_for_the_agent(world: World, terminal: Terminal) -> None:
    new(world, "trap 'echo interrupted' INT; echo ready; while :; do sleep 0.1; done")
    attach(terminal, "w", "attach", "1")
    assert sees(terminal, "w", "ready")
    terminal.press("w", "C-c")
    assert sees(terminal, "w", "interrupted")
    assert becomes(world, 1, "running")
    press(world, 1, "x")
    assert shows(world, 1, "interrupted")
