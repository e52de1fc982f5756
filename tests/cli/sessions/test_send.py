"""`hqt send`: whole, once, and never into a question."""

import hashlib

import pytest

from tests.cli.robot import begin, declare
from tests.cli.steps import new, press, refused, screen, shows
from tests.world import World, needs_tmux, wait_until

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]

# in raw mode, as agents: what is typed is shown, a paste is known by its marks, and an Enter that comes less
# than 100 ms after any other byte is taken for a part of what is typed
_QUICK = """#!/usr/bin/python3
import os, select, sys, termios, time, tty

tty.setraw(0)
marks = "-p" in sys.argv
os.write(1, (b"\\x1b[?2004h" if marks else b"") + b"ready\\r\\n")
text, last, pasting = b"", 0.0, False
while True:
    for byte in os.read(0, 65536).replace(b"\\x1b[200~", b"\\x01").replace(b"\\x1b[201~", b"\\x02"):
        now = time.monotonic()
        if byte in (1, 2):
            pasting = byte == 1
        elif byte == 13 and not pasting and now - last > 0.1:
            os.write(1, b"\\r\\nsubmitted %r\\r\\n" % text)
            text = b""
        else:
            text += bytes([byte])
            os.write(1, bytes([byte]) if byte > 31 else b"~")
        last = now
"""


def quick(world: World, *options: str) -> None:
    world.tool("quick", _QUICK)
    done = world.hqt("new", "--harness", "generic", "--", "quick", *options)
    assert done.returncode == 0, done.stderr
    assert shows(world, 1, "ready")


def sent(world: World, text: str, *options: str, stdin: str | None = None) -> None:
    done = world.hqt("send", "1", text, *options, input=stdin)
    assert (done.returncode, done.stderr) == (0, ""), done


@pytest.mark.parametrize("options", [(), ("-p",)])
def test_fast_typing_that_is_taken_for_a_paste_is_submitted_once(world: World, options: tuple[str]) -> None:
    """A51."""
    quick(world, *options)
    sent(world, "one long text")
    sent(world, "two")
    assert shows(world, 1, "submitted b'two'")
    assert [line for line in screen(world, 1).splitlines() if "submitted" in line] == [
        "submitted b'one long text'",
        "submitted b'two'",
    ]


def test_lines_are_one_paste(world: World) -> None:
    quick(world, "-p")
    sent(world, "-", stdin="a\tb\r\nc\n")
    assert shows(world, 1, r"submitted b'a\tb\nc'")


def test_without_enter_it_is_only_typed(world: World) -> None:
    quick(world)
    sent(world, "half", "--no-enter")
    assert shows(world, 1, "half")
    sent(world, "", "--force")
    assert shows(world, 1, "submitted b'half'")


@pytest.mark.parametrize("text", ["a\x1b[201~\rrm", "a\rb", "\x9b201~", "\x03", "\x7f"])
def test_what_could_end_the_paste_and_press_keys_is_refused(world: World, text: str) -> None:
    quick(world, "-p")
    before = screen(world, 1)
    said = refused(world.hqt("send", "1", "-", input=text), 1)
    assert said.endswith(", which a terminal takes for a key: send letters, tabs and line breaks")
    assert screen(world, 1) == before


def test_bytes_that_are_no_text_are_refused(world: World) -> None:
    quick(world)
    assert "which a terminal takes for a key" in refused(world.hqt("send", "1", "-", input="\udcff"), 1)


def test_200_kb_arrive_whole(world: World) -> None:
    text = ("word é " * 30_000)[:190_000]
    count, out = len(text.encode()) + 1, world.root / "sum"
    script = f"stty raw -echo; echo ready; head -c {count} | sha256sum > {out}.new; mv {out}.new {out}; cat"
    new(world, script)
    assert shows(world, 1, "ready")
    sent(world, "-", stdin=text)
    assert wait_until(out.exists, within_s=20)
    assert out.read_text().split()[0] == hashlib.sha256(text.encode() + b"\r").hexdigest()


def test_more_than_a_megabyte_is_refused(world: World) -> None:
    new(world, "cat")
    assert refused(world.hqt("send", "1", "-", input="x" * (1 << 20) + "yz"), 1) == (
        "standard input holds more than 1048576 bytes: put the text into a file of the project"
    )


def test_commands_take_lines(world: World) -> None:
    assert world.hqt("new", "--harness", "generic", "--", "python3", "-i", "-q").returncode == 0
    assert shows(world, 1, ">>>")
    sent(world, "print(6 * 7)")
    assert shows(world, 1, "\n42")
    sent(world, "exit()")


def test_a_program_without_echo_gets_it_once(world: World) -> None:
    new(world, 'stty -echo; echo ready; read -r a; read -r b; echo "got $a, $b"; cat')
    assert shows(world, 1, "ready")
    sent(world, "one")
    sent(world, "two")
    assert shows(world, 1, "got one, two")


def robot(world: World) -> None:
    declare(world)
    begin(world, "bot")


def test_a_question_is_not_answered_by_a_text(world: World) -> None:
    robot(world)
    press(world, "bot", "ask me", "Enter")
    assert shows(world, "bot", "ask me")
    assert refused(world.hqt("send", "bot", "busy"), 1) == (
        "session 1 asks you something (ask me): answer on its screen, or use `hqt send --force`"
    )
    done = world.hqt("send", "bot", "busy", "--force")
    assert (done.returncode, done.stdout) == (0, "1 bot: working\n")


def test_it_returns_once_the_agent_is_at_work(world: World) -> None:
    robot(world)
    press(world, "bot", "ready", "Enter")
    assert shows(world, "bot", "ready")
    done = world.hqt("send", "bot", "busy")
    assert (done.returncode, done.stdout) == (0, "1 bot: working\n")


def test_who_does_not_live_is_sent_nothing(world: World) -> None:
    new(world, "cat")
    assert world.hqt("stop", "1").returncode == 0
    assert refused(world.hqt("send", "1", "x"), 1) == "session 1 is stopped: resume it before sending"
    assert refused(world.hqt("send", "7", "x"), 3).startswith("no session is called 7")
