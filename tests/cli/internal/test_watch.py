"""The watcher with real agents: what its user is told, by which way, and when it ends."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backends.tmux.terminal import Terminal
from tests.cli.steps import agent_pid, attach, becomes, press, sees, shown
from tests.notifications.robot import begin, configure, show, told, watchers
from tests.world import World, needs_tmux, wait_until

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]


@pytest.fixture
def file(world: World) -> Path:
    """Where the user's own command writes what it is told."""
    file = world.home / "told"
    world.tool("tell", f"cat >>'{file}'")
    configure(world, 'command = ["tell"]')
    return file


@pytest.fixture
def terminal(world: World) -> Iterator[Terminal]:
    made = Terminal(world)
    yield made
    made.close()


def hqt_deaf(world: World, *args: str) -> None:
    """Run hqt with signals ignored and blocked, two of glibc's own by posix_spawn(3), as make(1) does."""
    env = ["env", "-C", str(world.project), "--ignore-signal=HUP,TTOU", "--block-signal=USR1"]
    child = os.posix_spawn("/usr/bin/env", [*env, sys.executable, "-P", "-m", "hqt", *args], world.env)
    assert os.waitpid(child, 0) == (child, 0)


def pairs(file: Path) -> list[tuple[str | None, str]]:
    return [(each["from"], each["to"]) for each in told(file)]


def test_each_transition_is_told_once(world: World, file: Path) -> None:
    begin(world, "bot")
    expected: list[tuple[str | None, str]] = []
    for _ in range(3):
        show(world, "bot", "busy", "working")
        show(world, "bot", "ask me", "waiting")
        expected.append(("working", "waiting"))
        assert wait_until(lambda: pairs(file) == expected, within_s=20), pairs(file)
        show(world, "bot", "busy", "working")
        show(world, "bot", "ready", "done")
        expected.append(("working", "done"))
        assert wait_until(lambda: pairs(file) == expected, within_s=20), pairs(file)
    show(world, "bot", "fail", "failed")
    expected.append(("done", "failed"))
    assert wait_until(lambda: len(pairs(file)) == len(expected), within_s=20)
    assert pairs(file)[:-1] == expected[:-1]
    assert told(file)[-1] == {
        "id": 1,
        "name": "bot",
        "project": str(world.project),
        "harness": "robot",
        "from": "done",
        "to": "failed",
        "reason": "exited (3)",
        "at": shown(world, "bot")["since"],
    }
    assert wait_until(lambda: watchers(world) == [], within_s=20)


def test_a_stop_and_a_mute_are_not_told(world: World, file: Path) -> None:
    begin(world, "stopped")
    begin(world, "mute")
    begin(world, "heard")
    assert world.hqt("mute", "mute").returncode == 0
    assert world.hqt("stop", "stopped").returncode == 0
    show(world, "mute", "ask", "waiting")
    show(world, "heard", "ask", "waiting")
    assert wait_until(lambda: told(file) != [], within_s=20)
    assert [each["name"] for each in told(file)] == ["heard"]


def test_one_watcher_serves_all_and_one_that_was_killed_is_replaced(world: World, file: Path) -> None:
    begin(world, "one")
    begin(world, "two")
    assert wait_until(lambda: len(watchers(world)) == 1)
    (first,) = watchers(world)
    show(world, "one", "ask", "waiting")
    assert wait_until(lambda: len(told(file)) == 1, within_s=20)
    os.kill(first, signal.SIGKILL)
    assert wait_until(lambda: watchers(world) == [])
    press(world, "two", "ask", "Enter")
    assert becomes(world, "two", "waiting")
    assert world.hqt("rename", "two", "zwei").returncode == 0  # any command that changes something
    assert wait_until(lambda: len(told(file)) == 2, within_s=20)
    assert [each["name"] for each in told(file)] == ["one", "zwei"]


def test_a_kill_from_outside_is_a_failure(world: World, file: Path) -> None:
    begin(world, "bot")
    assert wait_until(lambda: watchers(world) != [])
    os.kill(agent_pid(world, "bot"), signal.SIGKILL)
    assert wait_until(lambda: told(file) != [], within_s=20)
    assert [(each["to"], each["reason"]) for each in told(file)] == [("failed", "exited (KILL)")]


def test_without_a_way_nobody_watches(world: World) -> None:
    configure(world, "")
    begin(world, "bot")
    assert not (world.places.data / "watch.lock").exists()
    assert watchers(world) == []


def test_a_command_that_hangs_or_fails_is_told_once_and_holds_nobody_up(world: World) -> None:
    file = world.home / "sent"
    world.tool("notify-send", f"printf '%s\\n' \"$@\" >>'{file}'")
    world.tool("tell", "echo no >&2; exit 4")
    world.env["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
    configure(world, 'command = ["tell"]')
    begin(world, "-bot <b>")
    for _ in range(2):
        show(world, "1", "ask <i> $(id) & so on", "waiting")
        show(world, "1", "busy", "working")
    expected = ["--app-name=hqt", "--", "-bot <b> needs you", "proj", "ask &lt;i&gt; $(id) &amp; so on"]
    assert wait_until(lambda: file.exists() and file.read_text().splitlines() == expected * 2, within_s=20)
    log = world.places.data / "watch.log"
    assert wait_until(lambda: log.read_text() != "")
    (line,) = log.read_text().splitlines()
    assert line.endswith(f"ERROR {world.home}/.local/bin/tell: failed (4): no")


def test_a_command_ignores_no_signal_and_has_no_file_of_ours(world: World, file: Path) -> None:
    """Whatever the one ignores who calls hqt, and the shell that puts the watcher in the background."""
    configure(world, "")
    begin(world, "bot")
    world.tool("tell", f"ls /proc/self/fd >'{world.home}/open'; grep '^Sig[IB]' /proc/self/status >'{file}'")
    configure(world, 'command = ["tell"]')
    hqt_deaf(world, "rename", "bot", "robot")
    show(world, "robot", "ask", "waiting")
    assert wait_until(lambda: file.exists() and file.read_text().count("\n") == 2, within_s=20)
    assert file.read_text() == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n"
    assert (world.home / "open").read_text().split() == ["0", "1", "2", "3"]  # the last is of ls itself


def test_what_fails_while_the_last_notice_is_on_its_way_is_told(world: World, file: Path) -> None:
    """Whoever is to tell of the second may be about to end with the first."""
    gate = world.home / "gate"
    world.tool("tell", f"cat >>'{file}'; until [ -e '{gate}' ]; do sleep 0.05; done")
    for number in (1, 2):
        world.hqt("new", "--harness", "generic", "--name", f"no{number}", "--", "false")
        assert wait_until(lambda: told(file) != [], within_s=8)
    gate.touch()
    assert wait_until(lambda: [each["name"] for each in told(file)] == ["no1", "no2"], within_s=20)


def test_who_is_inside_is_not_told(world: World, file: Path, terminal: Terminal) -> None:
    begin(world, "seen")
    begin(world, "heard")
    attach(terminal, "w", "attach", "seen")
    assert sees(terminal, "w", "ctrl-q back")
    show(world, "seen", "ask", "waiting")
    show(world, "heard", "ask", "waiting")
    assert wait_until(lambda: told(file) != [], within_s=20)
    terminal.press("w", "fail", "Enter")
    assert sees(terminal, "w", "ended 0")
    show(world, "heard", "fail", "failed")
    assert wait_until(lambda: len(told(file)) == 2, within_s=20)
    assert [(each["name"], each["to"]) for each in told(file)] == [("heard", "waiting"), ("heard", "failed")]
