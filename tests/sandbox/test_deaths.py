"""A61 and A63: a jail ends with what holds it, with all that it started; the death of hqt ends no session."""

import os
import signal
import subprocess
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.backends.tmux.terminal import Terminal
from tests.cli.steps import agent_pid, attach, becomes, command, new, shown, shows, tmux
from tests.world import World, needs_bwrap, needs_tmux, processes, tmux_servers, wait_until

pytestmark = [pytest.mark.real, needs_bwrap, needs_tmux]

_MARK = os.getpid()  # no other run's children are counted
# what agents start: in the background, without a terminal, in a session of its own, as a daemon, deaf
_CHILDREN = """
sleep 991.MARK & nohup sleep 992.MARK >/dev/null 2>&1 & setsid sleep 993.MARK &
(setsid sh -c 'sleep 994.MARK & exec sleep 995.MARK' &)
(trap '' TERM HUP INT; exec sleep 996.MARK) &
python3 -c 'import os
os.fork() and os._exit(0)
os.setsid()
os.fork() and os._exit(0)
os.execvp("sleep", ["sleep", "997.MARK"])'
""".replace("MARK", str(_MARK))
_ATTACH = " ".join(command("attach", "1"))
_ALL = {f"99{n}" for n in range(1, 8)}


def sleeping() -> set[str]:
    """Which of the children live; in a jail no more of them names their world."""
    found = set()
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            words = (
                (entry / "cmdline").read_text(errors="replace").split("\0") if entry.name.isdigit() else [""]
            )
            if words[0] == "sleep" and words[1].endswith(f".{_MARK}"):
                found.add(words[1].partition(".")[0])
    return found


@pytest.fixture(autouse=True)
def _none_before() -> None:
    assert sleeping() == set()


def start(world: World, *options: str) -> int:
    """A session whose agent has all these children; the pid of its pane."""
    new(world, f"{_CHILDREN} echo ready; exec cat", *options)
    assert shows(world, 1, "ready")
    assert wait_until(lambda: sleeping() == _ALL)
    return agent_pid(world, 1)


@pytest.mark.parametrize("how", ["stop", "rm --force"])
@pytest.mark.parametrize("jail", [[], ["-s"]])
def test_nothing_outlives_the_end_of_a_session(world: World, how: str, jail: list[str]) -> None:
    start(world, *jail)
    done = world.hqt(*how.split(), "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert sleeping() == set()


def test_an_agent_that_ends_takes_its_jail_along(world: World) -> None:
    new(world, f"{_CHILDREN} while [ ! -e go ]; do sleep 0.05; done; exit 3", "-s")
    assert wait_until(lambda: sleeping() == _ALL)
    (world.project / "go").touch()
    assert becomes(world, 1, "exited")
    assert wait_until(lambda: sleeping() == set())
    assert shown(world, 1)["exit"] == {"code": 3, "signal": None}


def test_a_jail_ends_with_its_server(world: World) -> None:
    start(world, "-s")
    (server,) = tmux_servers(world.root)
    os.kill(server, signal.SIGKILL)
    assert wait_until(lambda: sleeping() == set())
    assert wait_until(lambda: not processes(world.root))
    assert shown(world, 1)["state"] == "lost"


def test_a_jail_ends_with_its_bwrap(world: World) -> None:
    os.kill(start(world, "-s"), signal.SIGKILL)
    assert wait_until(lambda: sleeping() == set())
    assert becomes(world, 1, "exited")


@pytest.mark.parametrize("jail", [[], ["-s"]])
def test_the_death_of_an_attached_hqt_ends_no_session(world: World, jail: list[str]) -> None:
    pid = start(world, *jail)
    with closing(Terminal(world)) as terminal:
        attach(terminal, "one", "attach", "1")
        assert terminal.shows("one", "ready")
        (client,) = tmux(world, "list-clients", "-F", "#{client_pid}").stdout.split()
        hqt = [each for each, line in processes(world.root).items() if line.startswith(_ATTACH)]
        for each in {int(client), *hqt}:
            os.kill(each, signal.SIGKILL)
        assert wait_until(lambda: tmux(world, "list-clients").stdout == "")
        assert (shown(world, 1)["state"], agent_pid(world, 1), sleeping()) == ("running", pid, _ALL)
    world.hqt("rm", "--force", "1")


def test_a_command_in_a_jail_ends_with_the_hqt_that_ran_it(world: World) -> None:
    script = f"{_CHILDREN} exec sleep 600"
    argv = command("sandbox", "exec", "--", "sh", "-c", script)
    with subprocess.Popen(argv, env=world.env, cwd=world.project) as running:
        assert wait_until(lambda: sleeping() == _ALL)
        running.kill()
    assert wait_until(lambda: sleeping() == set())
