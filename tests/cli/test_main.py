"""The command line as a whole: help, usage, exit codes, and what it imports."""

import re
import shlex
import subprocess
import sys

import click
import pytest

from hqt.cli import group, main
from tests.cli.steps import NOTHING, refused, traces
from tests.world import World, needs_bwrap, needs_tmux

_COMMANDS = (
    "new list show status capture send wait attach stop resume fork adopt rename mute move rm sandbox"
    " doctor demo prune"
).split()


@pytest.mark.parametrize("command", [[], *([name] for name in _COMMANDS), ["sandbox", "exec"]])
def test_every_help_has_an_example_that_names_the_command(world: World, command: list[str]) -> None:
    done = world.hqt(*command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    examples = re.split(r"Examples?:\n", done.stdout)[1]
    assert " ".join(["hqt", *command]) in examples


def test_hqt_alone_shows_its_help(world: World) -> None:
    done, asked = world.hqt(), world.hqt("--help")
    assert (done.returncode, done.stdout, done.stderr) == (0, asked.stdout, "")
    listed = done.stdout.split("Commands:")[1].split("Examples:")[0]
    assert re.findall(r"^  (\w+) ", listed, re.M) == _COMMANDS


def test_the_version_is_told(world: World) -> None:
    done = world.hqt("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"hqt, version \d+\.\d+\.\d+\n", done.stdout)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("bogus", "No such command 'bogus': see `hqt --help`"),
        ("sandbox", "Missing command: see `hqt sandbox --help`"),
        ("list --bogus", "No such option '--bogus': see `hqt list --help`"),
        ("show", "Missing argument 'SESSION': see `hqt show --help`"),
        ("stop", "Missing argument 'SESSION...': see `hqt stop --help`"),
        ("rm --force", "Missing argument 'SESSION...': see `hqt rm --help`"),
        ("mute --off", "Missing argument 'SESSION...': see `hqt mute --help`"),
        ("rename 1", "Missing argument 'NAME': see `hqt rename --help`"),
        ("move 1", "Missing argument 'DIR': see `hqt move --help`"),
        ("new --fs ro", "--fs and --net/--no-net need --sandbox: see `hqt new --help`"),
        ("new --no-net", "--fs and --net/--no-net need --sandbox: see `hqt new --help`"),
        ("new --net", "--fs and --net/--no-net need --sandbox: see `hqt new --help`"),
        ("new a b", "Got unexpected extra argument (b): see `hqt new --help`"),
        ("new -s --fs x", "Invalid value for '--fs': 'x' is not one of 'rw', 'ro': see `hqt new --help`"),
        ("new --name -- cat", "Option '--name' requires an argument: see `hqt --help`"),
        (
            "resume 1 --fresh --no-fallback",
            "--fresh and --no-fallback exclude each other: see `hqt resume --help`",
        ),
        (
            "capture 1 --lines 0",
            "Invalid value for '--lines': 0 is not in the range x>=1: see `hqt capture --help`",
        ),
        ("sandbox exec", "name the command to run after --: see `hqt sandbox exec --help`"),
    ],
)
def test_wrong_usage_is_one_sentence_and_touches_nothing(world: World, words: str, sentence: str) -> None:
    assert refused(world.hqt(*shlex.split(words)), 2) == sentence
    assert not world.places.data.exists()


@pytest.mark.real
@needs_tmux
@pytest.mark.parametrize(
    "words", ["show", "capture", "stop", "resume", "rename x", "mute", "move .", "rm", "rm --force"]
)
@pytest.mark.parametrize("session", ["7", "nobody", "proj generic"])
def test_a_session_that_is_not_there_is_exit_3(world: World, words: str, session: str) -> None:
    command, *rest = words.split()
    said = refused(world.hqt(command, session, *rest), 3)
    assert said == f"no session is called {session}: `hqt list --all` shows all"
    assert traces(world) == NOTHING


def test_without_tmux_the_first_look_says_so(world: World) -> None:
    for name in ("python3", "git"):
        world.tool(name, "exit 1")
    env = {**world.env, "PATH": str(world.home / ".local/bin")}
    assert refused(world.hqt("list", env=env), 1) == (
        "tmux is not on PATH: install it with your package manager"
    )


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("XDG_DATA_HOME", "", "XDG_DATA_HOME is set but empty: unset it or give it an absolute path"),
        ("XDG_CONFIG_HOME", "x", "XDG_CONFIG_HOME=x is not an absolute path: unset it or give it one"),
        ("HOME", "", "HOME is set but empty: unset it or give it an absolute path"),
    ],
)
def test_a_variable_that_names_no_place_is_refused(
    world: World, name: str, value: str, sentence: str
) -> None:
    assert refused(world.hqt("list", env={**world.env, name: value}), 1) == sentence


def test_a_wrong_config_is_named(world: World) -> None:
    world.places.config.mkdir(parents=True)
    world.places.config_file.write_text("[keys]\ndetach = 7\n")
    said = refused(world.hqt("list"), 1)
    assert (
        said == f'{world.places.config_file}: keys.detach = 7 is no key: write one such as "ctrl-q" or "f12"'
    )


_LIST_MODULES = """
import sys
from hqt.cli import main
try:
    main.main(sys.argv[1:])
finally:
    print(*sys.modules, file=sys.stderr)
"""
_HEAVY = {"sqlalchemy", "textual", "rich", "asyncio"}


def _imported(world: World, *words: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-P", "-c", _LIST_MODULES, *words],
        env=world.env,
        cwd=world.project,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    return set(done.stderr.splitlines()[-1].split())


_CLI = {"hqt", "hqt.cli", "hqt.cli.main", "hqt.cli.output", "hqt.cli.plain", "hqt.errors", "hqt.formatting"}
_LISTING = ("click", "dataclasses", "hashlib", "hqt.sandbox.argv", "hqt.sandbox.git", "hqt.notifications")


def test_the_help_imports_its_page_alone(world: World) -> None:
    ours = {name for name in _imported(world, "--help") if name.split(".")[0] == "hqt"}
    assert ours == {*_CLI, "hqt.cli.help"}


@pytest.mark.real
@needs_tmux
@needs_bwrap
def test_what_is_called_most_imports_what_it_uses_alone(world: World) -> None:
    world.json("new", "--harness", "generic", "--", "cat")
    listed = _imported(world, "list", "--json")
    assert listed & set(_LISTING) == set()
    harnesses = {name for name in listed if name.startswith("hqt.harnesses.")}
    assert harnesses == {f"hqt.harnesses.{name}" for name in ("base", "generic", "registry")}
    ran = _imported(world, "sandbox", "exec", "--", "true")
    assert ran & {"click", "dataclasses", "sqlite3", "hqt.db", "hqt.sessions", "hqt.backends.tmux"} == set()


@pytest.mark.real
@needs_tmux
@needs_bwrap
def test_read_commands_and_exec_import_nothing_heavy(world: World) -> None:
    world.json("new", "-s", "--harness", "generic", "--", "cat")
    for words in (
        "--help",
        "list",
        "list --json",
        "show 1",
        "show 1 --json",
        "show 1 --argv",
        "capture 1",
        "next /dev/pts/none hqt-0000000a",
        "doctor --help",
        "doctor",
        "new --help",
        "new --fs ro",
        "sandbox exec -- true",
        "sandbox exec --harness codex -- true",
    ):
        heavy = _HEAVY & _imported(world, *words.split())
        assert not heavy, words
    assert "sqlalchemy" in _imported(world, "stop", "1")


@pytest.mark.real
@needs_tmux
def test_a_reader_that_leaves_is_no_traceback(world: World) -> None:
    line = f"{shlex.quote(sys.executable)} -P -m hqt list | true"
    done = subprocess.run(["sh", "-c", line], env=world.env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.real
@needs_tmux
def test_closed_streams_are_no_traceback(world: World) -> None:
    line = f"{shlex.quote(sys.executable)} -P -m hqt list >&- <&-"
    done = subprocess.run(["sh", "-c", line], env=world.env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_no_is_1_and_ctrl_c_is_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def answer(cause: BaseException | None) -> int | str | None:
        def end(**_: object) -> None:
            raise click.Abort from cause

        monkeypatch.setattr(group.cli, "main", end)
        with pytest.raises(SystemExit) as ended:
            main.main([])
        return ended.value.code

    assert (answer(None), answer(KeyboardInterrupt())) == (1, 130)
    assert capsys.readouterr().err == "hqt: cancelled: nothing more was changed\n" * 2
