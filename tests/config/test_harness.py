"""The user's own harnesses: what a table may say, and a sentence for all else."""

import tomllib
from pathlib import Path

import pytest

from hqt.config.file import parse_config
from hqt.config.harness import DeclaredHarness, Sign, declared
from hqt.errors import ConfigError

FILE = Path("/home/u/.config/hqt/config.toml")
WHOLE = r"""
[harness.my-agent]
label = "My Agent"
command = ["~/bin/agent", "chat"]
skip = ["--yes"]
prompt = ["--", "{prompt}"]
new = ["--session={id}"]
resume = ["--resume", "{id}"]
transcript = "~/.agent//sessions/*/{id}.json"
rw = ["~/.agent/sessions/", "~/.agent/login.json"]
ro = ["/etc/agent", "~/.agent/./settings.json"]
env = ["AGENT_*", "TOKEN"]
help = ["chat", "--help"]
screen = [{ means = "waiting", pattern = "Proceed\\?" }, { means = "working", pattern = "^\\* " }]
"""


def test_a_whole_table_becomes_a_value() -> None:
    assert parse_config(WHOLE, FILE).harnesses == (
        DeclaredHarness(
            name="my-agent",
            label="My Agent",
            command=("~/bin/agent", "chat"),
            skip=("--yes",),
            prompt=("--", "{prompt}"),
            new=("--session={id}",),
            resume=("--resume", "{id}"),
            transcript="~/.agent/sessions/*/{id}.json",
            rw=("~/.agent/sessions/", "~/.agent/login.json"),
            ro=("/etc/agent", "~/.agent/settings.json"),
            env=("AGENT_*", "TOKEN"),
            help=("chat", "--help"),
            screen=(Sign("waiting", r"Proceed\?"), Sign("working", r"^\* ")),
        ),
    )


def test_a_command_is_enough() -> None:
    found = parse_config('harness.x.command = ["x"]\nharness.y.command = ["y"]', FILE).harnesses
    assert found == (DeclaredHarness("x", "x", ("x",)), DeclaredHarness("y", "y", ("y",)))


def refusal(text: str) -> str:
    with pytest.raises(ConfigError) as raised:
        declared(tomllib.loads(text), FILE)
    said = str(raised.value)
    assert said.startswith(f"{FILE}: harness.")
    return said.removeprefix(f"{FILE}: harness.")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("X = {}", "X is no name of a harness: use a-z, 0-9 and -, at most 32, a letter first"),
        ('"a b" = {}', "a b is no name of a harness: use a-z, 0-9 and -, at most 32, a letter first"),
        ("x = 1", "x must be a table: write [harness.x]"),
        ("x = {}", 'x.command is missing: write the program and its first words, such as ["agent"]'),
        ("x.command = []", 'x.command is missing: write the program and its first words, such as ["agent"]'),
    ],
)
def test_a_table_that_is_none_is_told(text: str, sentence: str) -> None:
    assert refusal(text) == sentence


@pytest.mark.parametrize(
    ("line", "start", "end"),
    [
        (
            "flag = 1",
            "flag is unknown",
            "in harness.x use label or command or skip or prompt or new or resume",
        ),
        ("label = ''", "label = '' is no text", "write some on one line, in quotes"),
        ('label = "a\\u001b"', "label = 'a\\x1b' is no text", "write some on one line, in quotes"),
        ("command = 'x'", "command = 'x' is no list of texts", 'write one such as ["a", "b"]'),
        ("command = ['']", "command has a text that is empty or holds a NUL", "leave it out"),
        ("command = ['x', \"\\u0000\"]", "command has a text that is empty or holds a NUL", "leave it out"),
        ("command = ['-x']", "command begins with '-x'", "no jail can run a program of that name"),
        ("command = ['A=1']", "command begins with 'A=1'", "no jail can run a program of that name"),
        ("command = ['./x']", "command begins with './x'", "it would be another program in each project"),
        ("skip = [1]", "skip = [1] is no list of texts", 'write one such as ["a", "b"]'),
        ("prompt = ['-p']", "prompt must hold {prompt} once", "such as ['prompt', '{prompt}']"),
        ("prompt = ['{prompt}{prompt}']", "prompt must hold {prompt} once", "such as ['prompt', '{prompt}']"),
        ("resume = ['--last']", "resume must hold {id} once", "such as ['resume', '{id}']"),
        ("resume = ['{id}']", "new is missing beside resume", "give both or neither"),
        ("new = ['{id}']", "resume is missing beside new", "give both or neither"),
        (
            "transcript = '~/{id}'",
            "transcript tells what can be resumed",
            "give new and resume, or leave it out",
        ),
        ("rw = ['x/']", "rw has 'x/'", "write a whole path, or one that begins with ~/, without .."),
        ("rw = ['~']", "rw has '~'", "write a whole path, or one that begins with ~/, without .."),
        ("ro = ['~/../x']", "ro has '~/../x'", "write a whole path, or one that begins with ~/, without .."),
        ("env = ['*']", "env has '*'", "or the first three letters and more with a *"),
        ("env = ['A*']", "env has 'A*'", "or the first three letters and more with a *"),
        ("env = ['A=1']", "env has 'A=1'", "or the first three letters and more with a *"),
        ("screen = 1", "screen must be tables", "write each as [[harness.x.screen]]"),
    ],
)
def test_each_wrong_value_is_named_with_what_it_may_be(line: str, start: str, end: str) -> None:
    command = "" if line.startswith("command") else "command = ['x']\n"
    said = refusal(f"[x]\n{command}{line}")
    assert said.startswith(f"x.{start}: ")
    assert end in said


@pytest.mark.parametrize("text", ["'no id'", "'~/{id}/{id}'", "'{id}'", "1"])
def test_a_transcript_is_a_whole_path_with_the_id(text: str) -> None:
    said = refusal(f"[x]\ncommand = ['x']\nnew = ['{{id}}']\nresume = ['{{id}}']\ntranscript = {text}")
    assert said.startswith("x.transcript ")


@pytest.mark.parametrize(
    ("sign", "sentence"),
    [
        ("means = 'asleep', pattern = 'x'", "means = 'asleep' is no state: use waiting, working, idle"),
        ("pattern = 'x'", "means = 'nothing' is no state: use waiting, working, idle"),
        ("means = 'idle'", "pattern is missing or too long: write one of at most 200 signs"),
        (
            f"means = 'idle', pattern = '{'x' * 201}'",
            "pattern is missing or too long: write one of at most 200 signs",
        ),
        (
            "means = 'idle', pattern = 'x', line = 1",
            "line is unknown: in harness.x.screen use means or pattern",
        ),
    ],
)
def test_a_wrong_sign_is_named(sign: str, sentence: str) -> None:
    assert refusal(f"[x]\ncommand = ['x']\nscreen = [{{ {sign} }}]") == f"x.screen.{sentence}"


def test_a_pattern_that_is_no_regular_expression_is_told() -> None:
    said = refusal("[x]\ncommand = ['x']\nscreen = [{ means = 'idle', pattern = '(' }]")
    assert said.startswith("x.screen.pattern = '(' is no regular expression (missing )")
    assert said.endswith("): correct it")
