"""What Claude Code's list of running agents tells, and what a jailed agent can't make of it."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.harnesses.claude import running_agents
from hqt.status.detect import Sign, Word

_PID = os.getpid()


def _entry(folder: Path, pid: int = _PID, **said: object) -> Path:
    file = folder / f"{pid}.json"
    # as Claude Code 2.1.197 writes it, shortened
    entry = {"pid": pid, "sessionId": "s", "cwd": "/p", "kind": "interactive", "version": "2.1.197"}
    file.write_text(json.dumps({**entry, "status": "busy", "statusUpdatedAt": _now_ms(), **said}))
    return file


def _now_ms() -> int:
    return int(time.time() * 1000)


@pytest.mark.parametrize(
    ("status", "word"), [("busy", "working"), ("waiting", "waiting"), ("idle", "idle"), ("shell", "idle")]
)
def test_its_status_tells_since_when(tmp_path: Path, status: str, word: Word) -> None:
    at = _now_ms() - 20
    _entry(tmp_path, status=status, statusUpdatedAt=at)
    assert running_agents.of_pid(tmp_path, _PID, time.time()) == Sign("registry", word, at / 1000)


def test_what_it_waits_for_is_the_reason_at_a_readable_length(tmp_path: Path) -> None:
    _entry(tmp_path, status="waiting", waitingFor="permission prompt" + "!" * 1000)
    found = running_agents.of_pid(tmp_path, _PID, time.time())
    assert found is not None
    assert found.reason == "permission prompt" + "!" * 63
    _entry(tmp_path, status="busy", waitingFor="permission prompt")
    found = running_agents.of_pid(tmp_path, _PID, time.time())
    assert found is not None
    assert found.reason is None


def test_a_script_that_starts_the_program_has_it_for_a_child(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        _entry(tmp_path, child.pid)
        found = running_agents.of_pid(tmp_path, _PID, time.time())
        child.communicate(b"\n")
    assert found is not None
    assert found.word == "working"


def test_a_moment_before_the_process_began_is_of_another_one(tmp_path: Path) -> None:
    _entry(tmp_path, statusUpdatedAt=_now_ms() - 30 * 24 * 3600 * 1000)
    assert running_agents.of_pid(tmp_path, _PID, time.time()) is None
    assert running_agents.alone(tmp_path, _PID, time.time()) is None


def test_no_moment_is_of_the_future(tmp_path: Path) -> None:
    _entry(tmp_path, statusUpdatedAt=10**300)
    now = time.time()
    found = running_agents.of_pid(tmp_path, _PID, now)
    assert found is not None
    assert found.at is not None
    assert now - 0.01 <= found.at <= now


def test_of_a_jail_the_first_process_counts(tmp_path: Path) -> None:
    _entry(tmp_path, 2, status="waiting")
    _entry(tmp_path, 10)
    (tmp_path / "1.txt").touch()
    found = running_agents.alone(tmp_path, _PID, time.time())
    assert found is not None
    assert found.word == "waiting"


def test_where_nothing_is_nothing_is_told(tmp_path: Path) -> None:
    now = time.time()
    assert running_agents.alone(tmp_path, _PID, now) is None
    assert running_agents.alone(tmp_path / "none", _PID, now) is None
    assert running_agents.of_pid(tmp_path, _PID, now) is None
    _entry(tmp_path, 2**30)
    assert running_agents.of_pid(tmp_path, 2**30, now) is None


def _link(file: Path) -> None:
    file.symlink_to(_entry(file.parent.parent, 1))


def _hard_link(file: Path) -> None:
    os.link(_entry(file.parent.parent, 1), file)


def _huge(file: Path) -> None:
    _entry(file.parent, int(file.stem))
    os.truncate(file, 1 << 40)  # a hole


def _deep(file: Path) -> None:
    file.write_text("[" * 8000)


def _number(file: Path) -> None:
    file.write_text('{"status":"busy","statusUpdatedAt":' + "9" * 5000 + "}")


@pytest.mark.parametrize(
    "plant",
    [_link, _hard_link, os.mkfifo, Path.mkdir, _huge, _deep, _number],
    ids=lambda plant: plant.__name__,
)
def test_what_is_no_plain_small_file_of_its_own_tells_nothing(
    tmp_path: Path, plant: Callable[[Path], None]
) -> None:
    folder = tmp_path / "claude-sessions"
    folder.mkdir()
    plant(folder / f"{_PID}.json")
    assert running_agents.alone(folder, _PID, time.time()) is None
    assert running_agents.of_pid(folder, _PID, time.time()) is None


_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.lists(inner, max_size=2),
)


@given(status=st.one_of(_JSON, st.just("waiting")), at=_JSON, reason=_JSON)
def test_fields_of_any_kind_are_read_without_an_error(
    tmp_path_factory: pytest.TempPathFactory, status: object, at: object, reason: object
) -> None:
    folder = tmp_path_factory.mktemp("own")
    _entry(folder, status=status, statusUpdatedAt=at, waitingFor=reason)
    found = running_agents.alone(folder, _PID, time.time())
    assert found is None or found.word == "waiting"


def test_of_a_folder_without_end_only_its_beginning_is_read(tmp_path: Path) -> None:
    for number in range(1000, 1200):
        (tmp_path / f"{number}.json").touch()
    assert running_agents.alone(tmp_path, _PID, time.time()) is None


def test_a_process_that_lives_has_its_conversation_open(tmp_path: Path) -> None:
    _entry(tmp_path, 2**22 + 1, sessionId="mine")  # over any pid (proc(5), pid_max)
    assert running_agents.holder(tmp_path, "mine", time.time()) is None
    _entry(tmp_path, sessionId="mine")
    assert running_agents.holder(tmp_path, "mine", time.time()) == _PID
    assert running_agents.holder(tmp_path, "other", time.time()) is None


def test_what_a_process_before_has_left_holds_nothing(tmp_path: Path) -> None:
    file = _entry(tmp_path, sessionId="mine")
    os.utime(file, (0, 0))
    assert running_agents.holder(tmp_path, "mine", time.time()) is None


@pytest.mark.parametrize("text", ["[]", "{", "", '{"sessionId":["mine"]}', "[" * 4000])
def test_what_can_not_be_read_holds_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / f"{_PID}.json").write_text(text)
    assert running_agents.holder(tmp_path, "mine", time.time()) is None
