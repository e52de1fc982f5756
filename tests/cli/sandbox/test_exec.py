"""`hqt sandbox exec`: one command in a session's jail, and its exit code told from a refusal."""

import re
import shlex
import subprocess
import sys

import pytest

from tests.cli.steps import NOTHING, new, refused, screen, traces
from tests.world import World, needs_bwrap, needs_tmux, wait_until

pytestmark = [pytest.mark.real, needs_bwrap]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("true", 0),
        ("sh -c 'exit 1'", 1),
        ("sh -c 'exit 4'", 4),
        ("sh -c 'exit 125'", 125),
        ("sh -c 'kill -TERM $$'", 143),
        ("no-such-command", 127),
        ("./README", 126),
    ],
)
def test_the_exit_code_is_the_commands(world: World, words: str, code: int) -> None:
    done = world.hqt("sandbox", "exec", "--", *shlex.split(words))
    assert (done.returncode, done.stdout) == (code, "")
    assert traces(world) == NOTHING


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("-C / -- true", "can't be jailed: it is shared by everything on this machine"),
        ("-C ~ -- true", "can't be jailed: it is your home folder or holds it"),
        ("-C no/such -- true", "can't be used (No such file or directory)"),
        ("--env DISPLAY -- true", "the variable DISPLAY leads out of the jail and never enters it"),
        ("--harness nano -- true", "nano"),
        ("-- A=B true", "'A=B'"),
    ],
)
def test_a_refusal_is_125_and_one_sentence(world: World, words: str, sentence: str) -> None:
    assert sentence in refused(world.hqt("sandbox", "exec", *words.split()), 125)


def test_a_bwrap_that_fails_is_125_and_nothing_runs(world: World) -> None:
    world.tool("bwrap", "echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1")
    said = refused(world.hqt("sandbox", "exec", "--", "touch", "ran"), 125)
    assert "setting up uid map: Permission denied" in said
    assert not (world.project / "ran").exists()


def test_streams_pass_through_untouched(world: World) -> None:
    done = world.hqt("sandbox", "exec", "--", "sh", "-c", "cat; echo err >&2", input="in\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "in\n", "err\n")


def test_the_policy_is_as_asked(world: World) -> None:
    script = "touch made 2>/dev/null && echo wrote; tail -n +3 /proc/net/dev | wc -l; pwd"
    rw = world.hqt("sandbox", "exec", "--", "sh", "-c", script)
    assert rw.stdout.splitlines()[::2] == ["wrote", str(world.project)]
    (world.project / "made").unlink()
    ro = world.hqt("sandbox", "exec", "--fs", "ro", "--no-net", "--", "sh", "-c", script)
    assert ro.stdout.splitlines() == ["1", str(world.project)]
    other = world.home / "other"
    other.mkdir()
    assert world.hqt("sandbox", "exec", "-C", "../other", "--", "pwd").stdout == f"{other}\n"


def test_only_named_variables_enter(world: World) -> None:
    env = {**world.env, "KEY": "named", "OTHER": "not"}
    done = world.hqt(
        "sandbox", "exec", "--env", "KEY", "--", "sh", "-c", 'echo "$KEY,$OTHER,$HQT_SANDBOX"', env=env
    )
    assert done.stdout == "named,,1\n"


@needs_tmux
def test_its_jail_is_the_one_of_a_session(world: World) -> None:
    """What is mounted, set and limited, line by line."""
    script = (
        "cut -d' ' -f5,6 /proc/self/mountinfo | sort; env | grep -v ^TERM | sort; ulimit -a; id -u; umask"
    )
    bare = world.hqt("sandbox", "exec", "--", "sh", "-c", script).stdout.splitlines()
    new(world, f"({script}) > out; exec cat", "-s")
    assert wait_until(lambda: "cat" in screen(world, 1) or (world.project / "out").exists())
    session = (world.project / "out").read_text().splitlines()
    assert _comparable(session) == _comparable(bare)


def _comparable(lines: list[str]) -> list[str]:
    # a terminal of its own, and the shell's own variables
    return [
        line for line in lines if not re.match(r"/dev/(console|pts)|_=|PWD=|OLDPWD=|SHLVL=|process ", line)
    ]


def test_the_commands_own_handler_decides_its_code(world: World) -> None:
    words = [sys.executable, "-P", "-m", "hqt", "sandbox", "exec", "--", "sh", "-c"]
    script = "trap 'exit 7' TERM; echo ready; while :; do sleep 0.05; done"
    with subprocess.Popen(
        [*words, f"(sleep 0.2; kill -TERM $$) & {script}"],
        env=world.env,
        cwd=world.project,
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "ready\n"
        assert running.wait(timeout=10) == 7
