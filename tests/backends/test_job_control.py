"""An agent that a signal has stopped is seen, and goes on with its group alone. Real processes, no tmux."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Timer

import pytest

from hqt.backends import job_control
from hqt.backends.job_control import is_stopped
from hqt.backends.processes import descendants
from tests.sessions.sample import pane
from tests.world import wait_until

Start = Callable[..., tuple[int, int]]  # runs a command; its pid, and the one that it says

# as bwrap stands twice above its agent; each waits for the one below
_NESTED = "sh -c 'sh -c \"echo \\$\\$; exec sleep 600\"; :'; :"
# a job of its own group beside the agent, as a shell with job control has
_JOBS = (
    "import subprocess; print(subprocess.Popen(['sleep', '600'], process_group=0).pid, flush=True); input()"
)


@pytest.fixture
def start() -> Iterator[Start]:
    made: list[subprocess.Popen[str]] = []

    def run(*argv: str) -> tuple[int, int]:
        made.append(
            subprocess.Popen(
                argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
            )
        )
        out = made[-1].stdout
        assert out is not None
        return made[-1].pid, int(out.readline())

    yield run
    for process in made:
        for pid in descendants(process.pid):
            with suppress(ProcessLookupError):  # it ends by itself once the one below has
                os.kill(pid, signal.SIGKILL)
        process.communicate()


def stop(pid: int) -> None:
    os.kill(pid, signal.SIGSTOP)
    assert wait_until(lambda: is_stopped(pid))


@pytest.mark.parametrize("jailed", [False, True], ids=["open", "jailed"])
def test_an_agent_is_suspended_until_it_is_let_go_on(start: Start, *, jailed: bool) -> None:
    outer, said = start("sh", "-c", _NESTED)
    agent = said if jailed else outer
    assert not job_control.is_suspended(pane(pid=outer), jailed=jailed)
    stop(agent)
    assert job_control.is_suspended(pane(pid=outer), jailed=jailed)
    job_control.go_on(pane(pid=outer), jailed=jailed)
    assert wait_until(lambda: not is_stopped(agent))
    assert not job_control.is_suspended(pane(pid=outer), jailed=jailed)


def test_what_goes_on_within_a_moment_is_not_suspended(start: Start) -> None:
    """tmux itself lets the process of a pane go on."""
    outer, _ = start("sh", "-c", _NESTED)
    stop(outer)
    Timer(0.001, os.kill, (outer, signal.SIGCONT)).start()
    assert not job_control.is_suspended(pane(pid=outer), jailed=False)


def test_a_job_that_a_shell_has_stopped_is_the_shells(start: Start) -> None:
    shell, job = start(sys.executable, "-c", _JOBS)
    stop(job)
    assert not job_control.is_suspended(pane(pid=shell), jailed=False)
    stop(shell)
    job_control.go_on(pane(pid=shell), jailed=False)
    assert wait_until(lambda: not is_stopped(shell))
    assert is_stopped(job)


@pytest.mark.parametrize("jailed", [False, True], ids=["open", "jailed"])
def test_one_that_has_ended_is_not_suspended(*, jailed: bool) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    assert not job_control.is_suspended(pane(pid=gone.pid), jailed=jailed)
    job_control.go_on(pane(pid=gone.pid), jailed=jailed)
