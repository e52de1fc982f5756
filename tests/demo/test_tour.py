import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.world import World, needs_bwrap, needs_tmux, processes

pytestmark = [pytest.mark.real, needs_tmux]

# answers as bubblewrap does and runs the command with nothing around it
_BARE = """\
#!/bin/sh
[ "$1" = --version ] && echo 'bubblewrap 0.8.0' && exit
while [ "$1" != -- ]; do
    case $1 in
        --json-status-fd) status=$2 ;;
        --chdir) cd "$2" || exit ;;
    esac
    shift
done
shift
"$@" &
[ -z "$status" ] || echo "{\\"child-pid\\": $$}" >&"$status"
wait $!
code=$?
[ -z "$status" ] || echo "{\\"exit-code\\": $code}" >&"$status"
exit $code
"""


@needs_bwrap
def test_the_demo_keeps_all_its_promises_and_leaves_nothing(world: World) -> None:
    done = world.hqt("demo")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "BROKEN" not in done.stdout
    assert re.search(r"\n(\d+) of \1 as promised in ", done.stdout)
    for seen in (
        "  done     write notes.txt in the project\n",
        "  refused  write notes.txt in the project (Read-only file system)\n",
        "  refused  read ~/.ssh/id_ed25519 (No such file or directory)\n",
        "  refused  write in /etc (Read-only file system)\n",
    ):
        assert seen in done.stdout
    _assert_nothing_is_left(done.stdout)


def test_the_demo_notices_a_jail_that_is_none(world: World) -> None:
    world.tool("bwrap", _BARE)
    done = world.hqt("demo")
    assert done.returncode == 1, done.stdout
    assert done.stderr.endswith("marked BROKEN: do not rely on it here\n")
    for broken in (
        r"not so: the planted secret is nowhere on its screen",
        r"read ~/\.ssh/id_ed25519: done \(planted key [0-9a-f]{32}\), and should be refused",
        r"not so: nothing outside the project has changed on the host but .*\.profile",
        r"write notes\.txt in the project: done, and should be refused",
        r"not so: its network is its own: loopback, and no way out",
    ):
        assert re.search(f"^  BROKEN   {broken}", done.stdout, re.MULTILINE)
    _assert_nothing_is_left(done.stdout)


def test_without_bubblewrap_the_demo_says_so_in_a_sentence(world: World) -> None:
    tools = world.home / "tools"
    tools.mkdir()
    (tools / "tmux").symlink_to("/usr/bin/tmux")
    done = world.hqt("demo", env={**world.env, "PATH": str(tools)})
    assert done.returncode == 1
    assert done.stderr == (
        "hqt: a jail can't be made here: bubblewrap (bwrap) is not on PATH: "
        "install bubblewrap with your package manager (apt, dnf, pacman, zypper, apk)\n"
    )
    _assert_nothing_is_left(done.stdout)


@needs_bwrap
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_demo_that_is_ended_halfway_leaves_nothing(world: World, number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "hqt", "demo"],
        env=world.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as demo:
        assert demo.stdout is not None
        said = ""
        for line in demo.stdout:
            said += line
            if line.startswith("$ hqt stop"):
                demo.send_signal(number)
                break
        said += demo.stdout.read()
    assert demo.returncode == 128 + number
    assert "$ hqt resume" not in said
    _assert_nothing_is_left(said)


def _assert_nothing_is_left(said: str) -> None:
    root = Path(said.partition("\n")[0].rpartition(" ")[2])
    assert root.name.startswith("hqt-demo-")
    assert [path for path in (root, Path("/usr", root.name), Path("/etc", root.name)) if path.exists()] == []
    assert processes(root) == {}
