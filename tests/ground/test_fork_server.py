"""A command in a fork of the warm process does what it does in an interpreter of its own."""

import subprocess
import threading

import pytest

from tests.world import World

COMMANDS = (
    ("list", "--json"),
    ("list",),
    ("--help",),
    ("new", "--help"),
    ("show", "nobody"),
    ("no-such-command",),
    ("new", "--name", "a\udcffb", "--harness", "generic", "--fs", "ro"),
    ("sandbox", "exec"),
    ("adopt", "--json"),
)


@pytest.mark.parametrize("args", COMMANDS, ids=" ".join)
def test_it_prints_and_exits_as_a_new_process(world: World, args: tuple[str, ...]) -> None:
    forked, alone = world.hqt(*args), world.hqt(*args, process=True)
    assert (forked.returncode, forked.stdout, forked.stderr) == (alone.returncode, alone.stdout, alone.stderr)


def test_it_has_the_variables_the_folder_and_the_input_of_its_caller(world: World) -> None:
    other = world.home / "other"
    other.mkdir()
    env = {**world.env, "XDG_DATA_HOME": str(world.root / "data")}
    words = ("sandbox", "exec", "--no-such-option")
    for process in (False, True):
        done = world.hqt(*words, env=env, cwd=other, input="x", process=process)
        assert (done.returncode, done.stdout) == (2, "")
    assert world.hqt("prune", "--json", env=env).returncode == 0
    assert not (world.home / ".local/share/hqt").exists()


def test_variables_that_an_interpreter_reads_at_its_start_get_one_of_their_own(world: World) -> None:
    done = world.hqt("list", env={**world.env, "PYTHONDEVMODE": "1", "LANG": "C"})
    assert (done.returncode, done.stdout) == (0, "no sessions: `hqt new DIR` starts one\n")


def test_several_at_once_keep_their_answers_apart(world: World) -> None:
    answers: dict[int, str] = {}

    def ask(number: int) -> None:
        answers[number] = world.hqt("show", f"s{number}").stderr

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert {
        number for number, text in answers.items() if f"s{number}:" in text or f"s{number} " in text
    } == set(range(8)), answers


def test_one_that_takes_too_long_is_killed(world: World) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        world.hqt("wait", "nobody", timeout=0)
