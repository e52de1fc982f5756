"""`hqt fork` and `hqt adopt`: a copy, and what was begun without hqt."""

import json

import pytest

from tests.backends.tmux.terminal import Terminal
from tests.cli.agents import CLAUDE
from tests.cli.steps import NOTHING, attach, key, new, refused, sees, shown, shows, traces
from tests.world import World, needs_bwrap, needs_tmux

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux, needs_bwrap]

ONE, TWO = "11111111-2222-4222-8222-222222222222", "22222222-2222-4222-8222-222222222222"
HOSTILE = "\x1b]0;owned\x07 " + "日本" * 100


@pytest.fixture
def claude(world: World) -> World:
    """A world with the stand-in, logged in and past its first run."""
    world.tool("claude", CLAUDE)
    (world.home / ".claude").mkdir()
    (world.home / ".claude/.credentials.json").write_text("{}")
    (world.home / ".claude.json").write_text('{"hasCompletedOnboarding": true}')
    return world


def talked(world: World, conversation: str, text: str) -> None:
    cwd = str(world.project)
    folder = world.home / ".claude/projects" / "".join(c if c.isalnum() else "-" for c in cwd)
    folder.mkdir(parents=True, exist_ok=True)
    said = {"type": "user", "sessionId": conversation, "cwd": cwd, "message": {"content": text}}
    line = json.dumps({**said, "timestamp": "2026-11-29T19:56:20Z"}, separators=(",", ":"))
    (folder / f"{conversation}.jsonl").write_text(line + "\n")


def test_a_copy_starts_in_the_same_jail_beside_the_first(claude: World) -> None:
    first = claude.json("new", "--harness", "claude", "-s", "--no-net", "--prompt", "hello")
    assert shows(claude, 1, "said hello")
    done = claude.hqt("fork", "1", "--name", "other", "--prompt", "and now")
    assert (done.returncode, done.stdout.split(":")[0]) == (0, "2 other"), done
    assert shows(claude, 2, "said and now")
    second = shown(claude, 2)
    assert second["sandbox"] == {"fs": "rw", "net": False}
    assert second["conversation"] not in (None, first["conversation"])
    copied = f"--resume {first['conversation']} --fork-session --session-id"
    assert copied in " ".join(claude.hqt("capture", "2").stdout.split("\n"))
    assert shown(claude, 1)["conversation"] == first["conversation"]
    assert f"copy of       {first['conversation']}" in claude.hqt("show", "2").stdout
    assert json.loads(claude.hqt("fork", "1", "--json").stdout)["name"] == "proj-claude-2"


def test_what_can_not_be_copied_is_a_sentence(world: World) -> None:
    assert "no session is called 1" in refused(world.hqt("fork", "1"), 3)
    new(world, "exec cat")
    assert "can't copy a conversation" in refused(world.hqt("fork", "1"), 1)
    assert refused(world.hqt("fork", "1", "-a"), 1).startswith("--attach needs a terminal")


def test_a_copy_is_entered_where_that_is_asked(claude: World, terminal: Terminal) -> None:
    claude.json("new", "--harness", "claude", "-s", "--prompt", "hello")
    assert shows(claude, 1, "said hello")
    attach(terminal, "w", "fork", "1", "-a", "--prompt", "and now")
    assert sees(terminal, "w", "said and now")


def test_what_was_begun_elsewhere_is_listed_and_taken_over(claude: World) -> None:
    assert claude.hqt("adopt").stdout == f"no conversation was started elsewhere in {claude.project}\n"
    talked(claude, ONE, HOSTILE)
    talked(claude, TWO, "fix it\nnow")
    listed = claude.hqt("adopt", str(claude.project), cwd=claude.home)
    assert (listed.returncode, listed.stderr) == (0, "")
    head, one, two = sorted(listed.stdout.splitlines(), reverse=True)
    assert (head.split()[0], two.split()[:2]) == ("ID", [ONE, "claude"])
    assert one.endswith("fix it")
    assert "\\x1b]0;owned\\x07 日本" in two
    assert two.endswith("…")
    assert "\x1b" not in listed.stdout
    found = claude.json("adopt", "--harness", "claude")
    assert {"id": TWO, "harness": "claude", "born": "2026-11-29T19:56:20Z", "said": "fix it"} in found

    done = claude.hqt("adopt", "2222", "-s", "--fs", "ro", "--name", "mine")
    assert (done.returncode, done.stdout.split(":")[0]) == (0, "1 mine"), done
    assert shows(claude, 1, "remembered ")
    made = shown(claude, 1)
    assert (made["conversation"], made["sandbox"]) == (TWO, {"fs": "ro", "net": True})
    assert f"{TWO} (adopted)" in claude.hqt("show", "1").stdout
    assert [each["id"] for each in claude.json("adopt")] == [ONE]
    assert "session 1 mine has the conversation" in refused(claude.hqt("adopt", TWO), 1)


def test_what_config_asks_for_is_asked_for_here_too(claude: World) -> None:
    talked(claude, ONE, "hello")
    claude.places.config_file.parent.mkdir(parents=True, exist_ok=True)
    claude.places.config_file.write_text("[new]\nsandbox = true\n")
    assert claude.json("adopt", ONE)["sandbox"] == {"fs": "rw", "net": True}
    talked(claude, TWO, "hello")
    assert refused(claude.hqt("adopt", TWO, "--no-sandbox", "--fs", "ro"), 2).startswith("--fs and --net")
    assert claude.json("adopt", str(claude.project), TWO, "--no-sandbox")["sandbox"] is None
    assert key(claude, 1) != key(claude, 2)


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("99",), 1, "no conversation in"),
        (("a", "b", "c"), 2, "give a folder and an id, or one of them"),
        (("--name", "x"), 2, "give the ID of a conversation"),
        (("-s",), 2, "give the ID of a conversation"),
        (("--harness", "nano"), 1, "there is no harness 'nano'"),
        (("./gone",), 1, "can't be found"),
    ],
)
def test_what_can_not_be_taken_over_is_a_sentence(
    world: World, words: tuple[str, ...], code: int, sentence: str
) -> None:
    assert sentence in refused(world.hqt("adopt", *words), code)
    assert traces(world) == NOTHING
