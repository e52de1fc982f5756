"""Processes: found in the tree or by their mark, held by descriptor, never by number alone."""

import os
import signal
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from hqt.backends import processes
from hqt.backends.processes import Held
from tests.world import wait_until

_SLEEP = b"sleep\x0060\x00"


@pytest.fixture
def started() -> "Iterator[list[subprocess.Popen[bytes]]]":
    """Processes that a test starts; they and all below them are ended after it."""
    made: list[subprocess.Popen[bytes]] = []
    yield made
    for process in made:
        _kill(processes.descendants(process.pid) if process.poll() is None else ())
        process.wait()


@pytest.fixture
def mark() -> Iterator[str]:
    """A mark that no other test has; what carries it is ended after the test, whatever came of it."""
    made = os.urandom(4).hex()
    yield made
    _kill(processes.marked(made))
    assert wait_until(lambda: not processes.marked(made))


def _kill(pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):  # it ended with the one before
            os.kill(pid, signal.SIGKILL)


def _sh(started: "list[subprocess.Popen[bytes]]", script: str, **env: str) -> int:
    process = subprocess.Popen(["/bin/sh", "-c", script], env={"PATH": os.environ["PATH"], **env})
    started.append(process)
    return process.pid


def _children(pid: int) -> list[int]:
    return sorted(processes.descendants(pid) - {pid})


def test_descendants_are_the_whole_tree_and_no_one_else(started: "list[subprocess.Popen[bytes]]") -> None:
    pid = _sh(started, "sh -c 'sleep 60 & wait' & setsid sleep 60 & wait")
    other = _sh(started, "exec sleep 60")
    assert wait_until(lambda: len(processes.descendants(pid)) == 4)
    assert other not in processes.descendants(pid)


def test_one_without_children_is_alone(started: "list[subprocess.Popen[bytes]]") -> None:
    pid = _sh(started, "exec sleep 60")
    assert processes.descendants(pid) == {pid}


def _runs(pid: int, command: bytes) -> bool:
    """Whether its exec is over; until then it is its parent's program still, or none."""
    return Path(f"/proc/{pid}/cmdline").read_bytes() == command


def test_the_mark_finds_what_left_the_tree(
    started: "list[subprocess.Popen[bytes]]", mark: str, tmp_path: Path
) -> None:
    said = tmp_path / "away"
    script = f"(setsid sh -c 'echo $$ >{said}; exec sleep 60' &) ; exec sleep 60"
    pid = _sh(started, script, HQT_SESSION=mark)
    assert wait_until(lambda: said.exists() and said.read_text().endswith("\n"))
    away = int(said.read_text())
    assert wait_until(lambda: _runs(pid, _SLEEP) and _runs(away, _SLEEP))
    assert processes.marked(mark) == {pid, away}
    assert away not in processes.descendants(pid)


def test_the_mark_is_compared_whole(started: "list[subprocess.Popen[bytes]]", mark: str) -> None:
    pid = _sh(started, "exec sleep 60", HQT_SESSION=f"{mark}0", OTHER=f"HQT_SESSION={mark}")
    assert wait_until(lambda: _runs(pid, _SLEEP))
    assert processes.marked(f"{mark}0") == {pid}
    assert processes.marked(mark) == set()


def test_the_mark_is_seen_through_every_exec(started: "list[subprocess.Popen[bytes]]", mark: str) -> None:
    """A look may fall into an exec, when the kernel shows no environment yet."""
    again = 'exec sh -c "$0" "$0"'
    pid = _sh(started, f"exec sh -c '{again}' '{again}'", HQT_SESSION=mark)
    assert [processes.marked(mark) for _ in range(100)] == [{pid}] * 100


def test_an_environment_that_comes_late_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _in_proc(tmp_path, 400, memory=4096, code=0, environ=(0, 0))
    looked = []

    def sleep(_: float) -> None:
        looked.append(400)
        (tmp_path / "400/environ").write_bytes(b"A=1\0HQT_SESSION=00000001\0")

    monkeypatch.setattr(processes, "_PROC", tmp_path)
    monkeypatch.setattr("hqt.backends.processes.time.sleep", sleep)
    assert processes.marked("00000001") == {400}
    assert looked == [400]


@pytest.mark.parametrize(
    ("memory", "code", "environ"),
    [(0, 0, (0, 0)), (4096, 9, (7, 7))],
    ids=["a zombie", "a program with an empty environment"],
)
def test_what_has_no_environment_is_not_waited_for(
    memory: int, code: int, environ: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _in_proc(tmp_path, 400, memory=memory, code=code, environ=environ)
    monkeypatch.setattr(processes, "_PROC", tmp_path)
    monkeypatch.setattr("hqt.backends.processes.time.sleep", lambda _: pytest.fail("it waited"))
    assert processes.marked("00000001") == set()


def _in_proc(proc: Path, pid: int, *, memory: int, code: int, environ: tuple[int, int]) -> None:
    """A process as proc(5) shows it, its environment empty."""
    fields = {3: "R", 23: memory, 27: code, 50: environ[0], 51: environ[1]}
    (proc / str(pid)).mkdir()
    stat = " ".join(str(fields.get(number, 0)) for number in range(3, 53))
    (proc / str(pid) / "stat").write_text(f"{pid} (x) {stat}")
    (proc / str(pid) / "environ").write_bytes(b"")


def test_a_name_with_brackets_and_spaces_hides_no_parent(
    started: "list[subprocess.Popen[bytes]]", tmp_path: Path
) -> None:
    odd = tmp_path / "x) S 1 (y"
    odd.symlink_to("/bin/sleep")
    pid = _sh(started, f"'{odd}' 60 & wait")
    assert wait_until(lambda: len(_children(pid)) == 1)


def test_only_what_runs_is_alive(started: "list[subprocess.Popen[bytes]]") -> None:
    pid = _sh(started, "exec sleep 60")
    assert processes.is_alive(pid)
    os.kill(pid, signal.SIGKILL)
    assert wait_until(lambda: not processes.is_alive(pid))  # not waited for yet: a zombie
    started[0].wait()
    assert not processes.is_alive(pid)


@pytest.mark.parametrize(
    ("script", "ignores"), [("trap '' TERM; while :; do sleep 60; done", True), ("sleep 60", False)]
)
def test_an_ignored_signal_is_seen(
    started: "list[subprocess.Popen[bytes]]", script: str, ignores: bool
) -> None:
    pid = _sh(started, script)
    assert wait_until(lambda: processes.ignores(pid, signal.SIGTERM) is ignores)
    assert not processes.ignores(pid, signal.SIGINT)


def test_nobody_ignores_what_no_longer_runs(started: "list[subprocess.Popen[bytes]]") -> None:
    pid = _sh(started, "exit")
    started[0].wait()
    assert not processes.ignores(pid, signal.SIGTERM)


def test_the_agent_of_a_jail_is_the_first_child_of_its_reaper(
    started: "list[subprocess.Popen[bytes]]",
) -> None:
    pid = _sh(started, "sleep 60 & sleep 0.05; sleep 61 & wait")
    assert wait_until(lambda: len(_children(pid)) == 2)
    agent = processes.agent_in_jail(pid)
    assert agent is not None
    assert wait_until(lambda: _runs(agent, _SLEEP))


def test_an_orphan_with_a_smaller_number_is_not_taken_for_the_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for pid, begun in ((32001, 100), (400, 900)):
        (tmp_path / str(pid)).mkdir()
        rest = " ".join(["0"] * 17)
        (tmp_path / str(pid) / "stat").write_text(f"{pid} (x) S 32000 {rest} {begun} 0 0")
    monkeypatch.setattr(processes, "_PROC", tmp_path)
    assert processes.agent_in_jail(32000) == 32001


def test_a_reaper_without_a_child_has_no_agent(started: "list[subprocess.Popen[bytes]]") -> None:
    assert processes.agent_in_jail(_sh(started, "exec sleep 60")) is None


def test_the_end_of_any_held_process_is_noticed(started: "list[subprocess.Popen[bytes]]") -> None:
    both = [_sh(started, "exec sleep 60") for _ in range(2)]
    with Held() as held:
        held.add(both)
        assert not held.wait_any(0.02)
        held.send(signal.SIGKILL, both[1])
        assert held.wait_any(5)


def test_held_processes_are_signalled_and_waited_for(started: "list[subprocess.Popen[bytes]]") -> None:
    both = [_sh(started, "exec sleep 60"), _sh(started, "exec sleep 60")]
    with Held() as held:
        held.add(both)
        held.send(signal.SIGTERM, both[0])
        assert held.wait(5, both[0])
        assert not held.wait(0.02)
        held.send(signal.SIGKILL)
        assert held.wait(5)
    assert [process.wait() for process in started] == [-signal.SIGTERM, -signal.SIGKILL]


def test_what_ended_is_no_error(started: "list[subprocess.Popen[bytes]]") -> None:
    pid = _sh(started, "exec sleep 60")
    with Held() as held:
        held.add([pid])
        os.kill(pid, signal.SIGKILL)
        started[0].wait()
        held.add([pid])  # gone from the table, held already
        held.send(signal.SIGTERM)
        assert held.wait(0)
    with Held() as late:
        late.add([pid])
        assert late.pids == {}


def test_this_process_is_never_held() -> None:
    with Held() as held:
        held.add([os.getpid()])
        assert held.pids == {}


def test_a_number_given_to_another_process_is_not_signalled(started: "list[subprocess.Popen[bytes]]") -> None:
    pid = _sh(started, "exec sleep 60")
    with Held() as held:
        held.add([pid])
        descriptor = held.pids[pid]
        os.kill(pid, signal.SIGKILL)
        started[0].wait()
        other = _sh(started, "exec sleep 60")
        held.pids = {other: descriptor}  # as if the kernel had given the number again
        held.send(signal.SIGKILL)
        assert processes.is_alive(other)


def test_an_ancestor_is_found_by_its_name(started: "list[subprocess.Popen[bytes]]", tmp_path: Path) -> None:
    keeper = tmp_path / "a keeper"
    keeper.symlink_to("/bin/sh")
    pid = _sh(started, f"'{keeper}' -c \"sh -c 'sleep 60 & wait'; :\"; :")
    assert wait_until(lambda: len(_children(pid)) == 3)
    above, last = _children(pid)[0], _children(pid)[-1]
    assert processes.ancestor(last, "a keeper") == above
    assert processes.ancestor(above, "a keeper") is None
    assert processes.ancestor(last, "keeper") is None
    assert processes.parent(above) == pid


def test_what_is_open_is_compared_whole(started: "list[subprocess.Popen[bytes]]", tmp_path: Path) -> None:
    file = tmp_path / "status"
    pid = _sh(started, f"exec 3>'{file}'; exec sleep 60")
    assert wait_until(lambda: processes.has_open(pid, 3, file))
    (tmp_path / "link").symlink_to(tmp_path)
    assert processes.has_open(pid, 3, tmp_path / "link" / file.name)
    assert not processes.has_open(pid, 4, file)
    assert not processes.has_open(pid, 3, tmp_path)
    assert not processes.has_open(1 << 22, 3, file)
