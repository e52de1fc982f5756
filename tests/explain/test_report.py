"""Explanations and answers are told in lines that fit, with nothing a terminal could act on."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hqt.explain.explain import Explanation, Network, Row, Variables
from hqt.explain.report import answer_json, answer_lines, explanation_json, lines
from hqt.explain.why import Answer
from hqt.sandbox import SandboxPolicy
from hqt.sandbox.bwrap import Layer
from hqt.values import replace

HOME = Path("/home/u")
OPEN = Explanation("session shop", "Claude Code", HOME, HOME / "shop", None, notes=("look at .envrc",))
FOUND = Explanation(
    subject="a jail with these options",
    harness="Claude Code",
    home=HOME,
    project=HOME / "shop",
    sandbox=SandboxPolicy(fs="ro", net=False),
    writes=(Row("the project's cache", (HOME / ".cache", HOME / "go/pkg")),),
    fresh=(Row("a home of its own", (HOME,)),),
    reads=(Row("the system", (Path("/usr"), *(Path("/etc", str(number)) for number in range(9)))),),
    hidden=(Row("hqt's own", ()),),
    variables=Variables(("HOME", "PATH"), ("GIT_CONFIG_KEY_0", "GIT_CONFIG_KEY_1", "HQT_SANDBOX")),
    network=Network(on=False, means=("neither the internet nor localhost",)),
    layers=(Layer("filter", active=True), Layer("scopes", active=False, why_not="the kernel is too old")),
    remains=("the kernel is this machine's",),
)
ANSWER = Answer(
    HOME / "name/README", True, False, False, "home", "the home is empty", HOME / "shop/README", "name it so"
)


def plain(text: str) -> str:
    return text


def test_an_explanation_is_told_in_full() -> None:
    assert lines(FOUND, 60, plain) == [
        "a jail with these options: Claude Code in ~/shop, project",
        "read-only, network off",
        "",
        "Writable, kept",
        "  the project's cache  ~/.cache  ~/go/pkg",
        "",
        "Writable, discarded at the end",
        "  a home of its own  ~",
        "",
        "Read-only",
        "  the system  /usr  /etc/* (9 entries)",
        "",
        "Variables that enter, by name",
        "  from your shell  HOME  PATH",
        "  set by hqt       GIT_CONFIG_KEY_*  HQT_SANDBOX",
        "",
        "Network: off",
        "  - neither the internet nor localhost",
        "",
        "Layers",
        "  on   filter",
        "  off  scopes: the kernel is too old",
        "",
        "What remains possible",
        "  - the kernel is this machine's",
    ]


def test_an_open_session_is_told_to_have_no_jail() -> None:
    assert lines(OPEN, 200, plain) == [
        "session shop: Claude Code in ~/shop, open",
        "There is no jail. The agent sees and writes all that you can, has the variables of the shell that "
        "starts it, and the network.",
        "",
        "Notes at the start",
        "  - look at .envrc",
    ]


def test_an_answer_ends_with_what_to_do() -> None:
    assert answer_lines(ANSWER, 80, plain) == [
        "path      /home/u/name/README",
        "visible   no",
        "writable  no",
        "rule      home",
        "why       the home is empty",
        "seen as   /home/u/shop/README",
        "to do     name it so",
    ]


def test_what_is_not_there_is_told_so() -> None:
    missing = replace(ANSWER, exists=False, also=None)
    assert answer_lines(missing, 80, plain)[1] == "visible   no, and nothing is there"
    coming = replace(missing, visible=True, writable=True, advice=None)
    assert answer_lines(coming, 80, plain)[1:3] == [
        "visible   once it exists: nothing is there now",
        "writable  yes",
    ]


def test_json_holds_paths_as_text_and_absence_as_null() -> None:
    assert answer_json(ANSWER) == {
        "path": "/home/u/name/README",
        "exists": True,
        "visible": False,
        "writable": False,
        "rule": "home",
        "why": "the home is empty",
        "also": "/home/u/shop/README",
        "advice": "name it so",
    }
    told = explanation_json(FOUND)
    assert told["sandbox"] == {"fs": "ro", "net": False}
    assert told["writes"] == [{"what": "the project's cache", "paths": ["/home/u/.cache", "/home/u/go/pkg"]}]
    assert told["layers"] == [
        {"name": "filter", "active": True, "why_not": None},
        {"name": "scopes", "active": False, "why_not": "the kernel is too old"},
    ]
    assert explanation_json(OPEN)["sandbox"] is None


@given(st.integers(50, 200))
def test_no_line_is_wider_than_asked_where_its_words_are_not(columns: int) -> None:
    longest = max(len(line) for line in lines(FOUND, columns, plain))
    assert longest <= columns


def test_a_name_that_a_terminal_would_act_on_is_written_out() -> None:
    def literal(text: str) -> str:
        return text.replace("\x1b", "\\x1b")

    hostile = replace(FOUND, writes=(Row("the project", (HOME / "a\x1b]b",)),), project=HOME / "\x1bc")
    assert not any("\x1b" in line for line in lines(hostile, 80, literal))
    assert not any("\x1b" in line for line in answer_lines(replace(ANSWER, path=Path("/\x1b")), 80, literal))
