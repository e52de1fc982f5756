"""The whole check as a user runs it, and what of it can be told without a jail."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hqt import sandbox
from hqt.cli.sandbox import check as face
from hqt.jailcheck import probe
from hqt.jailcheck.probe import Outcome
from tests.world import World, needs_bwrap, needs_tmux, processes

_HQT = (sys.executable, "-P", "-m", "hqt")


def left() -> set[Path]:
    """The folders of checks that are there now."""
    return {path for base in ("/tmp", "/var/tmp") for path in Path(base).glob("hqt-check-*")}


@pytest.mark.real
@needs_bwrap
@needs_tmux
def test_the_jail_keeps_all_its_promises_here(world: World) -> None:
    done = world.hqt("sandbox", "check", "--json", timeout=300)
    found = json.loads(done.stdout)
    assert [each for each in found["probes"] if not each["ok"]] == []
    assert (done.returncode, done.stderr) == (0, "")
    assert [(each["id"], each["kind"]) for each in found["probes"]] == [
        (each.id, each.kind) for each in probe.load()
    ]
    assert {frozenset(each) for each in found["probes"]} == {frozenset(("id", "kind", "ok", "why"))}


@pytest.mark.real
@needs_bwrap
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_check_that_is_broken_off_leaves_nothing(number: signal.Signals, world: World) -> None:
    before = left()
    with subprocess.Popen([*_HQT, "sandbox", "check"], env=world.env, stdout=subprocess.PIPE) as running:
        while not (begun := left() - before):
            time.sleep(0.05)
        time.sleep(1)
        running.send_signal(number)
        assert running.wait(timeout=15) == 128 + number
    assert all(not path.exists() for path in begun)
    assert [processes(path) for path in begun] == [{} for _ in begun]


@pytest.mark.real
@needs_bwrap
def test_progress_is_one_line_and_for_a_terminal_alone(world: World) -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(sys.executable, [*_HQT, "sandbox", "check"], world.env)  # noqa: S606
    said = b""
    while b"2 of " not in said and select.select([terminal], [], [], 30)[0]:
        said += os.read(terminal, 4096)
    os.kill(pid, signal.SIGTERM)
    os.waitpid(pid, 0)
    os.close(terminal)
    assert said.startswith(b"\r1 of ")
    assert b"\n" not in said


def test_without_bubblewrap_there_is_nothing_to_check(world: World) -> None:
    tools = world.root / "tools"
    tools.mkdir()
    for name in ("git", "sh"):
        (tools / name).symlink_to(f"/usr/bin/{name}")
    done = world.hqt("sandbox", "check", "--json", env={**world.env, "PATH": str(tools)})
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.startswith("hqt: a jail can't be made here: ")
    assert done.stderr.count("\n") == 1


def test_check_needs_no_library_of_the_writing_side_or_the_screen(world: World) -> None:
    slow = ("sqlalchemy", "textual", "rich", "asyncio")
    program = (
        "import sys\nfrom hqt.cli.main import main\ntry: main(['sandbox', 'check'])\n"
        f"finally: print(sorted(sys.modules.keys() & {set(slow)!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        env={**world.env, "PATH": "/nowhere"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (4, "[]\n")


def test_people_get_a_line_for_each_kind_and_one_for_each_failure() -> None:
    outcomes = (
        Outcome("net-a", "net"),
        Outcome("net-b", "net", "'x' is there; exit 0, said '\x1b[31m'"),
        Outcome("tty-a", "tty"),
    )
    assert [*face.lines(outcomes)] == [
        "net        1 of 2",
        "  BROKEN   net-b: 'x' is there; exit 0, said '\\x1b[31m'",
        "tty        1 of 1",
    ]


@pytest.mark.real
@needs_bwrap
def test_the_layer_of_a_probe_is_one_that_hqt_knows() -> None:
    known = {layer.name for layer in sandbox.availability().layers}
    assert {each.layer for each in probe.load()} - {""} <= known


def test_every_probe_has_its_own_id_one_act_and_a_judgement() -> None:
    probes = probe.load()
    assert len({each.id for each in probes}) == len(probes)
    for each in probes:
        acts = [act for act in (each.script, each.python, each.command, each.host) if act]
        assert len(acts) == 1, each.id
        judged = (each.exit is not None, each.has, each.has_not, each.after, each.refused)
        assert any(judged), each.id
