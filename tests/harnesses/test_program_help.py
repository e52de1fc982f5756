import json
import os
import time
import tracemalloc
from pathlib import Path

import pytest

from hqt.harnesses import program_help
from hqt.harnesses.base import Program
from hqt.harnesses.program_help import Help

ENV = {"PATH": "/usr/bin:/bin", "SECRET": "s"}
HELP = Help("usage: agent [--no-daemonize] [--no-daemon, -x]\n  -h, --help  print this")


def agent(folder: Path, script: str) -> Program:
    path = folder / "agent"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return Program(path, path)


def help_of(program: Program, folder: Path, *, patient: bool = False) -> Help:
    return program_help.help_of(
        program, cache=folder / "c/cache.json", env=ENV, projects=[folder / "proj"], patient=patient
    )


def version(program: Program, folder: Path) -> str | None:
    return program_help.version(program, cache=folder / "c/cache.json", env=ENV, projects=[folder / "proj"])


def test_whole_words_of_a_help_are_known() -> None:
    assert HELP.has(["--no-daemon", "--no", "-x", "--other"]) == {"--no-daemon", "-x"}
    assert HELP.lacks(["--no-daemon", "--no", "-x", "--other"]) == {"--no", "--other"}


@pytest.mark.parametrize("listed", ["-h, --help", "  --help, -h  show", "\t-h --help", "--help"])
def test_a_help_lists_its_own_option(listed: str) -> None:
    assert Help(f"usage\n{listed}\n").is_one


@pytest.mark.parametrize("text", ["", "ready", "argv --help", "see --help", "--helpful", "usage: x [--help]"])
def test_of_a_text_that_is_no_help_nothing_lacks(text: str) -> None:
    assert (Help(text).is_one, Help(text).lacks(["--resume"])) == (False, frozenset())


def test_it_is_asked_once_until_its_file_changes(tmp_path: Path) -> None:
    program = agent(tmp_path, f"echo run >> {tmp_path}/runs; echo --no-daemon")
    assert [help_of(program, tmp_path) for _ in range(3)] == [Help("--no-daemon\n")] * 3
    assert (tmp_path / "runs").read_text() == "run\n"
    assert help_of(agent(tmp_path, "echo nothing"), tmp_path) == Help("nothing\n")


def test_a_fixed_date_and_another_size_is_a_change(tmp_path: Path) -> None:
    for script, said in (("echo --no-daemon", "--no-daemon\n"), ("echo nothing", "nothing\n")):
        program = agent(tmp_path, script)
        os.utime(program.path, (0, 0))
        assert help_of(program, tmp_path).text == said


def test_a_help_on_standard_error_is_as_good(tmp_path: Path) -> None:
    assert help_of(agent(tmp_path, "echo --no-daemon >&2"), tmp_path).text == "--no-daemon\n"
    assert version(agent(tmp_path, "echo warning >&2; echo 2.1"), tmp_path) == "2.1"


def test_the_question_may_have_more_words(tmp_path: Path) -> None:
    program = agent(tmp_path, 'echo "$@"')
    asked = program_help.help_of(
        program, question=["chat", "--help"], cache=tmp_path / "c", env=ENV, projects=[tmp_path / "proj"]
    )
    assert asked == Help("chat --help\n")


@pytest.mark.parametrize(
    "said",
    ["echo 0.73.1 >&2", "echo warning; echo 0.73.1 >&2", "echo deprecated >&2; echo 0.73.1"],
    ids=["on standard error", "beside a warning", "below a warning"],
)
def test_a_version_is_found_on_either_stream(tmp_path: Path, said: str) -> None:
    assert version(agent(tmp_path, said), tmp_path) == "0.73.1"


def test_the_version_is_one_printable_line(tmp_path: Path) -> None:
    assert (
        version(agent(tmp_path, r"printf '\n2.1.0 \033[1m(Agent)\nmore\n'"), tmp_path) == "2.1.0 [1m(Agent)"
    )
    assert version(agent(tmp_path, "printf %0200d 1"), tmp_path) == "0" * 100


@pytest.mark.parametrize("script", ["exit 1", "echo --no-daemon; exit 3", "kill -9 $$"])
def test_a_program_that_fails_knows_nothing_and_is_asked_again(tmp_path: Path, script: str) -> None:
    program = agent(tmp_path, script)
    assert (help_of(program, tmp_path), version(program, tmp_path)) == (Help(), None)
    assert not (tmp_path / "c/cache.json").exists()


def test_a_program_that_is_gone_knows_nothing(tmp_path: Path) -> None:
    program = agent(tmp_path, "echo --no-daemon")
    program.path.unlink()
    assert (help_of(program, tmp_path), version(program, tmp_path)) == (Help(), None)


def test_a_program_that_hangs_is_ended_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_help, "_LIMIT_S", 0.3)
    program = agent(tmp_path, f"sleep 60 & echo $! > {tmp_path}/child; wait")
    assert help_of(program, tmp_path) == Help()
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
        assert (help_of(each, tmp_path), version(each, tmp_path)) == (Help(), None)
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
    assert help_of(program, tmp_path) == Help("--no-daemon\n")
    assert json.loads(cache.read_text())[f"{program.real} --help"]["text"] == "--no-daemon\n"
    assert cache.stat().st_mode & 0o777 == 0o600


def test_a_memory_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "c").touch()
    assert help_of(agent(tmp_path, "echo --no-daemon"), tmp_path) == Help("--no-daemon\n")


def test_without_a_question_it_is_not_run(tmp_path: Path) -> None:
    program = agent(tmp_path, f"touch {tmp_path}/ran")
    asked = program_help.help_of(
        program, question=(), cache=tmp_path / "c", env=ENV, projects=[tmp_path / "proj"]
    )
    assert asked == Help()
    assert not (tmp_path / "ran").exists()


def test_one_that_took_too_long_is_asked_again_by_the_patient_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_help, "_LIMIT_S", 0.3)
    slow = f"echo run >> {tmp_path}/runs; exec sleep 60"
    program = agent(tmp_path, slow)
    assert [help_of(program, tmp_path) for _ in range(2)] == [Help()] * 2
    assert (tmp_path / "runs").read_text() == "run\n"
    assert help_of(program, tmp_path, patient=True) == Help()
    assert (tmp_path / "runs").read_text() == "run\n" * 2


def test_of_an_answer_without_an_end_little_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_help, "_LIMIT_S", 1)
    program = agent(tmp_path, "exec yes")
    tracemalloc.start()
    try:
        assert help_of(program, tmp_path) == Help()
        used = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert used < 1 << 24


def test_of_a_long_answer_the_beginning_is_remembered(tmp_path: Path) -> None:
    program = agent(tmp_path, "echo ' --help'; head -c 9000000 /dev/zero | tr '\\0' x")
    found = help_of(program, tmp_path)
    assert (found.is_one, len(found.text)) == (True, 1 << 18)


def test_a_script_finds_no_program_of_the_project(tmp_path: Path) -> None:
    tools = tmp_path / "proj/tools"
    tools.mkdir(parents=True)
    planted = tools / "sed"
    planted.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    planted.chmod(0o755)
    (tmp_path / "link").symlink_to(tools)
    program = agent(tmp_path, "echo --help | sed s/a/a/")
    env = ENV | {"PATH": f"{tools}:{tmp_path}/link:tools:{ENV['PATH']}"}
    found = program_help.help_of(program, cache=tmp_path / "c", env=env, projects=[tmp_path / "proj"])
    assert (found, (tmp_path / "ran").exists()) == (Help("--help\n"), False)


def test_one_that_a_link_of_the_project_leads_to_is_not_asked(tmp_path: Path) -> None:
    proj, elsewhere = tmp_path / "proj", tmp_path / "elsewhere"
    for folder in (proj, elsewhere):
        folder.mkdir()
    real = agent(elsewhere, f"touch {tmp_path}/ran")
    (proj / "turned").symlink_to(elsewhere)
    (tmp_path / "tools").symlink_to(proj / "turned")
    program = Program(tmp_path / "tools/agent", real.path)
    assert program_help.holder(program, [tmp_path / "other", proj]) == proj
    assert (help_of(program, tmp_path), (tmp_path / "ran").exists()) == (Help(), False)
