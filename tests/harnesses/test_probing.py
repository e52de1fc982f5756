import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from hqt.harnesses import probing
from hqt.harnesses.base import Program

ENV = {"PATH": "/usr/bin:/bin", "SECRET": "s"}
HELP = "usage: agent [--no-daemonize] [--no-daemon, -x]"


def agent(folder: Path, script: str) -> Program:
    path = folder / "agent"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return Program(path, path)


def probe(program: Program, folder: Path, words: Sequence[str] = ("--no-daemon",)) -> frozenset[str]:
    return probing.probe(program, words, cache=folder / "c/cache.json", env=ENV, project=folder / "proj")


def version(program: Program, folder: Path) -> str | None:
    return probing.version(program, cache=folder / "c/cache.json", env=ENV, project=folder / "proj")


def test_whole_words_of_its_help_are_known(tmp_path: Path) -> None:
    program = agent(tmp_path, f"echo '{HELP}'")
    assert probe(program, tmp_path, ["--no-daemon", "--no", "-x", "--other"]) == {"--no-daemon", "-x"}


def test_it_is_asked_once_until_its_file_changes(tmp_path: Path) -> None:
    program = agent(tmp_path, f"echo run >> {tmp_path}/runs; echo --no-daemon")
    assert [probe(program, tmp_path) for _ in range(3)] == [{"--no-daemon"}] * 3
    assert (tmp_path / "runs").read_text() == "run\n"
    assert probe(agent(tmp_path, "echo nothing"), tmp_path) == frozenset()


def test_a_fixed_date_and_another_size_is_a_change(tmp_path: Path) -> None:
    for script, known in (("echo --no-daemon", {"--no-daemon"}), ("echo", frozenset())):
        program = agent(tmp_path, script)
        os.utime(program.path, (0, 0))
        assert probe(program, tmp_path) == known


def test_the_question_may_have_more_words(tmp_path: Path) -> None:
    program = agent(tmp_path, 'echo "$@"')
    known = probing.probe(
        program,
        ["chat"],
        question=["chat", "--help"],
        cache=tmp_path / "c",
        env=ENV,
        project=tmp_path / "proj",
    )
    assert known == {"chat"}


def test_the_version_is_one_printable_line(tmp_path: Path) -> None:
    assert (
        version(agent(tmp_path, r"printf '\n2.1.0 \033[1m(Agent)\nmore\n'"), tmp_path) == "2.1.0 [1m(Agent)"
    )
    assert version(agent(tmp_path, "printf %0200d 1"), tmp_path) == "0" * 100


@pytest.mark.parametrize("script", ["exit 1", "echo --no-daemon; exit 3", "kill -9 $$"])
def test_a_program_that_fails_knows_nothing_and_is_asked_again(tmp_path: Path, script: str) -> None:
    program = agent(tmp_path, script)
    assert (probe(program, tmp_path), version(program, tmp_path)) == (frozenset(), None)
    assert not (tmp_path / "c/cache.json").exists()


def test_a_program_that_is_gone_knows_nothing(tmp_path: Path) -> None:
    program = agent(tmp_path, "echo --no-daemon")
    program.path.unlink()
    assert (probe(program, tmp_path), version(program, tmp_path)) == (frozenset(), None)


def test_a_program_that_hangs_is_ended_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probing, "_LIMIT_S", 0.3)
    program = agent(tmp_path, f"sleep 60 & echo $! > {tmp_path}/child; wait")
    assert probe(program, tmp_path) == frozenset()
    child = Path("/proc") / (tmp_path / "child").read_text().strip()
    deadline = time.monotonic() + 3
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(child)


def is_running(process: Path) -> bool:
    try:
        return process.joinpath("stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_program_in_the_project_is_never_run_outside_a_jail(tmp_path: Path) -> None:
    (tmp_path / "proj").mkdir()
    program = agent(tmp_path / "proj", f"touch {tmp_path}/ran; echo --no-daemon")
    outside = tmp_path / "link"
    outside.symlink_to(program.path)
    for each in (program, Program(outside, program.real), Program(outside, outside, shown=(program.path,))):
        assert (probe(each, tmp_path), version(each, tmp_path)) == (frozenset(), None)
    assert not (tmp_path / "ran").exists()


def test_it_sees_neither_the_project_nor_the_users_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert version(agent(tmp_path, 'echo "$PWD ${SECRET-none}"'), tmp_path) == "/ none"


@pytest.mark.parametrize("content", ["", "[]", "{", '{"x": 1}', '{"AGENT --help": {"mark": 1}}'])
def test_a_damaged_memory_is_made_anew(tmp_path: Path, content: str) -> None:
    program = agent(tmp_path, "echo --no-daemon")
    cache = tmp_path / "c/cache.json"
    cache.parent.mkdir()
    cache.write_text(content.replace("AGENT", str(program.real)))
    assert probe(program, tmp_path) == {"--no-daemon"}
    assert json.loads(cache.read_text())[f"{program.real} --help"]["text"] == "--no-daemon\n"
    assert cache.stat().st_mode & 0o777 == 0o600


def test_a_memory_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "c").touch()
    assert probe(agent(tmp_path, "echo --no-daemon"), tmp_path) == {"--no-daemon"}


def test_no_words_need_no_question(tmp_path: Path) -> None:
    assert probe(agent(tmp_path, f"touch {tmp_path}/ran"), tmp_path, []) == frozenset()
    assert not (tmp_path / "ran").exists()
