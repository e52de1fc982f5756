"""The lasting connection, against the real tmux and whatever may befall it."""

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hqt.backends.base import Panes
from hqt.backends.tmux import client, control
from hqt.backends.tmux.backend import TmuxBackend
from hqt.backends.tmux.client import Client, NoServer, Refused
from hqt.backends.tmux.control import ControlClient
from hqt.backends.tmux.settings import TmuxSettings
from hqt.errors import BackendError
from hqt.values import replace
from tests.backends.requests import KEY, sh
from tests.world import World, needs_tmux, processes, wait_until

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]
ASK = ("display-message", "-p", "x")
ANY = (0, 0)  # the tmux of this machine, whatever its version: nothing disturbs who connects here


@pytest.fixture
def asked(settings: TmuxSettings) -> Iterator[ControlClient]:
    made = ControlClient(settings, since=ANY)
    yield made
    made.close()


@pytest.fixture
def looking(settings: TmuxSettings, asked: ControlClient) -> TmuxBackend:
    """A backend that looks over the connection."""
    return TmuxBackend(settings, asked)


def sessions(settings: TmuxSettings) -> list[str]:
    return Client.of(settings).run(("list-sessions", "-F", "#{session_name}")).split()


def connections(world: World) -> list[int]:
    return [pid for pid, command in processes(world.root).items() if " -C " in command]


def stub(settings: TmuxSettings, world: World, script: str) -> TmuxSettings:
    """A tmux that runs `script` before the real one; each call leaves a line in `calls`."""
    calls = world.root / "calls"
    return replace(settings, tmux=world.tool("tmux-stub", f'echo "$*" >> {calls}; {script}; exec tmux "$@"'))


def calls(world: World) -> list[str]:
    return (world.root / "calls").read_text().splitlines()


def test_it_sees_what_calls_of_their_own_see(
    backend: TmuxBackend, looking: TmuxBackend, world: World
) -> None:
    script = r"seq 50; printf '\033[31mred é日本\033[0m\n%%end 1 2 1\n\n%%begin 1 2 1\n'; exec cat"
    keys = [f"0000000{number}" for number in range(3)]
    for key in keys:
        backend.spawn(sh(world, script, key=key, title="it's #{pid} é %end ;"))
    shown = backend.capture
    assert wait_until(lambda: all("%begin 1 2 1" in shown(key, lines=None, ansi=False) for key in keys))
    assert looking.panes() == backend.panes()
    assert [looking.face(pane) for pane in looking.panes().panes] == [
        backend.face(pane) for pane in backend.panes().panes
    ]
    for lines in (None, 3, 70):
        assert looking.capture("00000002", lines=lines, ansi=True) == shown(
            "00000002", lines=lines, ansi=True
        )


def test_many_looks_are_one_connection_and_it_leaves_nothing(
    backend: TmuxBackend, looking: TmuxBackend, asked: ControlClient, settings: TmuxSettings, world: World
) -> None:
    backend.spawn(sh(world, "exec cat"))
    for _ in range(5):
        looking.panes()
    (pid,) = connections(world)
    hidden, agent = sessions(settings)
    assert (hidden.startswith(f"_hqt-{os.getpid()}-"), agent) == (True, f"hqt-{KEY}")
    asked.close()
    assert not Path(f"/proc/{pid}").exists()
    assert wait_until(lambda: sessions(settings) == [f"hqt-{KEY}"])
    assert looking.panes() == backend.panes()
    assert connections(world) == []


def test_its_session_ends_with_its_client_however_that_ends(
    backend: TmuxBackend, looking: TmuxBackend, settings: TmuxSettings, world: World
) -> None:
    """A face that is killed leaves no session behind."""
    backend.spawn(sh(world, "exec cat"))
    looking.panes()
    os.kill(connections(world)[0], signal.SIGKILL)
    assert wait_until(lambda: sessions(settings) == [f"hqt-{KEY}"])


def test_the_server_outlives_whoever_leaves_while_others_come_and_go(
    backend: TmuxBackend, settings: TmuxSettings, world: World
) -> None:
    """With destroy-unattached it crashed, and every agent was lost: https://github.com/tmux/tmux/pull/5497."""
    backend.spawn(sh(world, "exec cat"))
    server, are_done = backend.panes().server, threading.Event()

    def come_and_go() -> None:
        while not are_done.is_set():
            sessions(settings)

    with ThreadPoolExecutor(2) as pool:
        others = [pool.submit(come_and_go) for _ in range(2)]
        for number in range(40):
            asked = ControlClient(settings, since=ANY)
            asked.run(ASK)
            if number % 2:
                os.kill(connections(world)[0], signal.SIGKILL)
            asked.close()
            assert wait_until(lambda: sessions(settings) == [f"hqt-{KEY}"])  # before another one connects
        are_done.set()
    assert [each.result() for each in others] == [None, None]
    assert backend.panes().server == server
    assert wait_until(lambda: sessions(settings) == [f"hqt-{KEY}"])


def test_a_server_whose_control_mode_may_crash_it_is_asked_by_calls_of_their_own(
    backend: TmuxBackend, settings: TmuxSettings, world: World
) -> None:
    """One that told anything while a client of control mode connected: tmux pull request 4980."""
    backend.spawn(sh(world, "exec cat"))
    asked = ControlClient(stub(settings, world, ":"), since=(99, 0))
    looking = TmuxBackend(settings, asked)
    assert [looking.panes() for _ in range(3)] == [backend.panes()] * 3
    assert connections(world) == []
    assert sum("#{version}" in call for call in calls(world)) == 1
    assert sessions(settings) == [f"hqt-{KEY}"]
    backend.shutdown()
    before = calls(world)
    assert looking.panes() == Panes("down")
    assert calls(world) == before


def test_while_no_server_runs_no_process_is_made(settings: TmuxSettings, world: World) -> None:
    asked = ControlClient(stub(settings, world, ":"), since=ANY)
    with pytest.raises(NoServer):
        asked.run(ASK)
    assert TmuxBackend(settings, asked).panes() == Panes("down")
    settings.socket.parent.mkdir(exist_ok=True)
    settings.socket.touch()  # as a server leaves it that was killed
    with pytest.raises(NoServer):
        asked.run(ASK)
    assert not (world.root / "calls").exists()


def test_a_restarted_server_is_found_again(
    backend: TmuxBackend, looking: TmuxBackend, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control, "_RETRY_S", 0.0)
    for _ in range(2):
        backend.spawn(sh(world, "exec cat"))
        assert looking.panes() == backend.panes()
        assert len(connections(world)) == 1
        backend.shutdown()
        assert looking.panes() == Panes("down")


def test_a_lost_socket_is_seen_though_the_connection_still_works(
    backend: TmuxBackend, looking: TmuxBackend, settings: TmuxSettings, world: World
) -> None:
    """Both faces say the same: nobody could enter these sessions."""
    backend.spawn(sh(world, "exec cat"))
    server = looking.panes().server
    settings.socket.unlink()
    assert looking.panes() == Panes("unreachable", server=server)
    os.kill(server or 0, signal.SIGUSR1)
    assert wait_until(lambda: looking.panes().reach == "up")


def test_a_client_that_is_killed_is_made_up_for(
    backend: TmuxBackend, looking: TmuxBackend, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control, "_RETRY_S", 0.0)
    backend.spawn(sh(world, "exec cat"))
    looking.panes()
    (old,) = connections(world)
    os.kill(old, signal.SIGKILL)
    assert [looking.panes() for _ in range(3)] == [backend.panes()] * 3
    (new,) = connections(world)
    assert new != old


def test_a_server_that_was_stopped_is_asked_again_once_it_goes_on(
    backend: TmuxBackend, looking: TmuxBackend, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control, "_ANSWER_S", 0.2)
    monkeypatch.setattr(control, "_RETRY_S", 0.0)
    monkeypatch.setattr(client, "_LIMIT_S", 0.2)
    backend.spawn(sh(world, "exec cat"))
    server = looking.panes().server or 0
    os.kill(server, signal.SIGSTOP)
    try:
        for _ in range(2):
            with pytest.raises(BackendError, match="gave no answer within"):
                looking.panes()
    finally:
        os.kill(server, signal.SIGCONT)
    monkeypatch.setattr(client, "_LIMIT_S", 10)
    assert looking.panes() == backend.panes()
    assert wait_until(lambda: len(connections(world)) <= 1)


def test_after_a_failure_calls_of_their_own_do_for_a_while(
    backend: TmuxBackend, settings: TmuxSettings, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control, "_RETRY_S", 1000.0)
    backend.spawn(sh(world, "exec cat"))
    asked = ControlClient(stub(settings, world, '[ "$1" = -C ] && exit 1'), since=ANY)
    assert [asked.run(ASK) for _ in range(3)] == ["x", "x", "x"]
    assert [call.split()[0] for call in calls(world)] == ["-u", "-C", "-u", "-u", "-u"]


def test_what_tmux_refuses_is_said_as_by_a_call_and_the_connection_stays(
    backend: TmuxBackend, asked: ControlClient, world: World
) -> None:
    backend.spawn(sh(world, "exec cat"))
    assert asked.run(ASK) == "x"
    pids = connections(world)
    with pytest.raises(Refused, match="can't find session: nope"):
        asked.run(ASK, ("has-session", "-t", "nope"))
    assert asked.run(ASK) == "x"
    assert connections(world) == pids


def test_a_question_of_two_lines_is_refused(backend: TmuxBackend, asked: ControlClient, world: World) -> None:
    backend.spawn(sh(world, "exec cat"))
    with pytest.raises(BackendError, match="is more than one line for tmux"):
        asked.run(("display-message", "-p", "x\nkill-server"))


def test_a_screen_that_forges_every_end_gets_nothing_past_the_fence(
    backend: TmuxBackend, looking: TmuxBackend, world: World
) -> None:
    """The numbers of the next blocks can be guessed: an agent may draw them all."""
    draw = (
        "now=$(date +%s); for t in $now $((now + 1)) $((now + 2)); do for n in $(seq 150 450); do"
        ' echo "%end $t $n 1"; done; done; echo "%begin 1 2 1"; echo forged; exec cat'
    )
    backend.spawn(sh(world, draw))
    assert wait_until(lambda: "forged" in backend.capture(KEY, lines=None, ansi=False))
    for _ in range(3):
        assert looking.capture(KEY, lines=2000, ansi=False) == backend.capture(KEY, lines=2000, ansi=False)
        assert looking.panes() == backend.panes()


def test_a_burst_at_a_slow_tmux_leaves_no_backlog(
    backend: TmuxBackend, settings: TmuxSettings, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A70: 300 ms a call. 60 who ask at once are answered by two calls: one under way, one for all others."""
    monkeypatch.setattr(control, "_RETRY_S", 1000.0)
    backend.spawn(sh(world, "exec cat"))
    slow = ControlClient(stub(settings, world, '[ "$1" = -C ] && exit 1; sleep 0.3'), since=ANY)
    slow.run(ASK)  # no connection here: each answer is a slow call
    before, together = len(calls(world)), threading.Barrier(60)

    def ask() -> str:
        together.wait()
        return slow.run(ASK)

    with ThreadPoolExecutor(60) as pool:
        answers = [each.result() for each in [pool.submit(ask) for _ in range(60)]]
    assert answers == ["x"] * 60
    assert len(calls(world)) - before <= 2


def test_a_slow_tmux_costs_its_time_once(backend: TmuxBackend, settings: TmuxSettings, world: World) -> None:
    backend.spawn(sh(world, "exec cat"))
    slow = ControlClient(stub(settings, world, "sleep 0.3"), since=ANY)
    assert [slow.run(ASK) for _ in range(5)] == ["x"] * 5
    assert len(calls(world)) == 2  # which version it is, and the connection
    slow.close()
