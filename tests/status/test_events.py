"""What a harness reports is read, and nothing that an agent puts in its place hurts."""

import json
import os
import socket
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.status import events
from hqt.status.detect import Word

_ID = "01a228e0-4450-7bd2-8d72-d282144e8007"
_ODD = 'it\'s "odd" $HOME `id` ; \\ \n é -x'


def _told(conversation: str = _ID, cwd: str = "/home/a/shop") -> str:
    """What Claude Code 2.1.197 and Codex 0.171.0 tell their hooks."""
    return json.dumps(
        {
            "session_id": conversation,
            "transcript_path": f"{cwd}/{conversation}.jsonl",
            "cwd": cwd,
            "hook_event_name": "SessionStart",
            "source": "startup",
        },
        separators=(",", ":"),
    )


def _run(
    folder: Path, told: str, shell: str = "/bin/sh", command: str = events.STARTED
) -> subprocess.CompletedProcess[bytes]:
    env = {"HQT_EVENTS": str(folder), "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        [shell, "-c", command],
        input=told.encode(),
        env=env,
        capture_output=True,
        timeout=10,
        check=False,
    )


def _silent(done: subprocess.CompletedProcess[bytes]) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("shell", ["/bin/sh", "/bin/bash"])
def test_what_the_hook_writes_is_read_in_order(tmp_path: Path, shell: str) -> None:
    folder = tmp_path / _ODD
    events.renew(folder)
    assert all(_silent(_run(folder, _told(each), shell)) for each in ("first", "second", "first"))
    assert events.started(folder) == ("first", "second", "first")


def test_a_report_that_is_cut_still_names_its_conversation(tmp_path: Path) -> None:
    assert _silent(_run(tmp_path, _told(cwd="/" + "x" * 200_000)))
    assert events.started(tmp_path) == (_ID,)
    assert (tmp_path / events.STARTS).stat().st_size <= 1025


def test_the_hook_says_nothing_where_there_is_no_folder(tmp_path: Path) -> None:
    assert _silent(_run(tmp_path / "none", _told()))
    assert list(tmp_path.iterdir()) == []


def test_without_a_folder_in_the_environment_nothing_is_written(tmp_path: Path) -> None:
    trace = f"set -x; {events.STARTED.removeprefix('/bin/sh -c ')[1:-1].replace('2>/dev/null', '')}"
    done = subprocess.run(
        ["/bin/sh", "-c", trace], input=b"", env={}, cwd=tmp_path, capture_output=True, check=False
    )
    assert [line for line in done.stderr.splitlines() if b"head" in line] == []
    assert list(tmp_path.iterdir()) == []


def test_the_hook_waits_for_no_pipe_and_fails_at_no_folder(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / events.STARTS)
    assert _silent(_run(tmp_path, _told()))
    (tmp_path / events.STARTS).unlink()
    (tmp_path / events.STARTS).mkdir()
    assert _silent(_run(tmp_path, _told()))


def _link(file: Path) -> None:
    file.symlink_to(file.parent.parent / "secret")


def _hard_link(file: Path) -> None:
    os.link(file.parent.parent / "secret", file)


def _device(file: Path) -> None:
    file.symlink_to("/dev/zero")


def _socket(file: Path) -> None:
    here = Path.cwd()
    os.chdir(file.parent)  # the path of a socket holds 107 bytes
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(file.name)
    finally:
        os.chdir(here)


@pytest.mark.parametrize(
    "plant", [_link, _hard_link, os.mkfifo, Path.mkdir, _device, _socket], ids=lambda plant: plant.__name__
)
def test_what_is_no_plain_file_of_its_own_is_not_read(tmp_path: Path, plant: Callable[[Path], None]) -> None:
    (tmp_path / "secret").write_text(_told())
    folder = tmp_path / "events"
    folder.mkdir()
    plant(folder / events.STARTS)
    assert events.started(folder) == ()


def test_no_folder_and_a_link_to_one_are_no_reports(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / events.STARTS).write_text(_told())
    (tmp_path / "link").symlink_to("real")
    assert [events.started(tmp_path / name) for name in ("real", "link", "none")] == [(_ID,), (), ()]


def test_of_a_huge_file_only_its_ends_are_read(tmp_path: Path) -> None:
    file = tmp_path / events.STARTS
    file.write_text(_told("first") + "\n")
    os.truncate(file, 1 << 40)  # a hole
    with file.open("a") as end:
        end.write(_told("last") + "\n")
    assert events.started(tmp_path) == ("first", "last")


def test_of_many_the_first_and_the_latest_count(tmp_path: Path) -> None:
    (tmp_path / events.STARTS).write_text("\n".join(_told(f"id-{number}", "/p") for number in range(500)))
    found = events.started(tmp_path)
    assert found[0] == "id-0"
    assert found[-1] == "id-499"
    assert len(found) <= 32


@pytest.mark.parametrize(
    "said",
    [
        "[" * 5000,
        '{"session_id":null}',
        '{"session_id":"../../etc/passwd"}',
        '{"session_id":""}',
        '{"session_id":"--dangerously-skip-permissions"}',
        '{"session_id":"' + "a" * 129 + '"}',
        '{"cwd":"\\"session_id\\":\\"evil\\""}',
        '{"session_id":"a\\u0000b"}',
        "\0" * 4096,
    ],
)
def test_what_is_no_report_says_nothing(tmp_path: Path, said: str) -> None:
    (tmp_path / events.STARTS).write_text(said)
    assert events.started(tmp_path) == ()


@given(st.binary(max_size=10_000))
def test_any_bytes_are_read_without_an_error(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / events.STARTS).write_bytes(content)
        assert all(each.isascii() and 0 < len(each) <= 128 for each in events.started(Path(name)))


def test_a_new_life_begins_without_reports_whatever_lies_there(tmp_path: Path) -> None:
    for plant in (_link, os.mkfifo, Path.mkdir, Path.touch):
        folder = tmp_path / plant.__name__
        events.renew(folder)
        plant(folder / events.STARTS)
        if (folder / events.STARTS).is_dir():
            (folder / events.STARTS / "inner").mkdir()
        folder.chmod(0)
        events.renew(folder)
        assert not os.path.lexists(folder / events.STARTS)
        assert folder.stat().st_mode & 0o777 == 0o700


_NOW = 4e9  # later than any file's time


def _say(folder: Path, word: Word) -> None:
    assert _silent(_run(folder, '{"hook_event_name":"Stop"}', command=events.says(word)))


def test_the_last_word_counts_and_work_before_it_is_known(tmp_path: Path) -> None:
    folder = tmp_path / _ODD
    events.renew(folder)
    found: list[tuple[str, bool]] = []
    for word in ("idle", "working", "waiting", "idle"):
        _say(folder, word)
        told = events.told(folder, _NOW)
        assert told is not None
        found.append((told.word, told.worked))
    assert found == [("idle", False), ("working", True), ("waiting", True), ("idle", True)]
    os.utime(folder / events.WORDS, (5, 5))
    assert events.told(folder, _NOW) == events.Told("idle", 5.0, worked=True)


def test_a_word_that_is_written_during_a_look_is_told_just_then(tmp_path: Path) -> None:
    _say(tmp_path, "working")
    os.utime(tmp_path / events.WORDS, (_NOW + 1, _NOW + 1))
    assert events.told(tmp_path, _NOW) == events.Told("working", _NOW, worked=True)


def test_a_word_of_the_future_was_told_before(tmp_path: Path) -> None:
    """The clock was set back since: at every look it would be told just now."""
    _say(tmp_path, "working")
    os.utime(tmp_path / events.WORDS, (9e9, 9e9))
    assert events.told(tmp_path, _NOW) == events.Told("working", 0.0, worked=True)


def test_words_of_an_earlier_life_are_gone(tmp_path: Path) -> None:
    _say(tmp_path, "working")
    events.renew(tmp_path)
    assert events.told(tmp_path, _NOW) is None


@given(st.lists(st.one_of(st.binary(max_size=40), st.sampled_from([b"idle", b"working", b"rm -rf"]))))
def test_what_is_no_word_is_passed_over(lines: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, events.WORDS).write_bytes(b"\n".join(lines))
        found = events.told(Path(folder), _NOW)
        assert found is None or found.word in ("working", "idle")
