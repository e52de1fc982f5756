"""`hqt sandbox explain` and `why`: what a jail would be, with nothing made or started for it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.steps import refused
from tests.world import World, needs_bwrap, needs_tmux

SLOW = ("sqlalchemy", "textual", "rich", "asyncio")

pytestmark = [pytest.mark.real, needs_bwrap]


def told(world: World, *args: str) -> str:
    done = world.hqt("sandbox", *args)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


def object_(world: World, *args: str) -> Any:  # noqa: ANN401 - JSON: the test asserts its shape
    return json.loads(told(world, *args, "--json"))


def everything(root: Path) -> dict[str, tuple[int, int]]:
    """All that lies under `root`, but for what hqt remembers of bwrap."""
    found = (path for path in root.rglob("*") if ".local/state" not in str(path))
    return {str(path): (path.lstat().st_ino, path.lstat().st_mtime_ns) for path in found}


def test_an_explanation_tells_both_sides_of_the_jail(world: World) -> None:
    text = told(world, "explain", "--harness", "claude", "--no-net", "--fs", "ro")
    assert text.startswith(
        "a jail with these options: Claude Code in ~/proj, project read-only, network off\n"
    )
    for head in ("Writable, kept", "Read-only", "Hidden", "Layers", "What remains possible"):
        assert f"\n{head}\n" in text


def test_its_object_has_names_of_variables_and_no_values(world: World) -> None:
    env = world.env | {"ANTHROPIC_API_KEY": "sk-value"}
    done = world.hqt("sandbox", "explain", "--harness", "claude", "--json", env=env)
    found = json.loads(done.stdout)
    assert found["sandbox"] == {"fs": "rw", "net": True}
    assert "ANTHROPIC_API_KEY" in found["variables"]["passed"]
    assert "sk-value" not in done.stdout
    assert set(found) == {
        "subject", "harness", "home", "project", "sandbox", "writes", "fresh", "reads", "hidden", "variables",
        "network", "layers", "notes", "lacks", "remains",
    }  # fmt: skip


def test_nothing_is_made_for_an_explanation(world: World) -> None:
    told(world, "explain")
    before = everything(world.root)
    told(world, "explain", "--harness", "claude")
    told(world, "why", "--harness", "claude", "README")
    assert everything(world.root) == before


def test_a_path_is_taken_absolute_relative_and_through_links(world: World) -> None:
    (world.home / "name").symlink_to(world.project)
    for path in ("README", "./README", str(world.project / "README"), "~/proj/README"):
        assert object_(world, "why", path)["visible"]
    assert object_(world, "why", "~/name/README") == {
        "path": str(world.home / "name/README"),
        "exists": True,
        "visible": False,
        "writable": False,
        "rule": "home",
        "why": "the home inside is new and empty at each start, and nothing of this jail shows this in it",
        "also": str(world.project / "README"),
        "advice": f"to use it inside, name it {world.project / 'README'}",
    }
    assert object_(world, "why", "-C", str(world.home / "name"), "~/name/README")["visible"]


def test_undecodable_names_are_told_and_acted_on_by_no_terminal(world: World) -> None:
    name = os.fsdecode(b"a\xff\x1b[2J")
    (world.project / name).write_text("")
    assert "path      " + str(world.project / "a") + "\\udcff\\x1b[2J\n" in told(world, "why", name)
    assert object_(world, "why", name)["visible"]


@pytest.mark.parametrize("command", [("explain",), ("why", "README")])
def test_a_refused_jail_is_refused_here_too(world: World, command: tuple[str, ...]) -> None:
    done = world.hqt("sandbox", command[0], "-C", str(world.home), *command[1:])
    assert "it is your home folder" in refused(done, 4)


def test_a_machine_without_bwrap_gets_the_sentence(world: World) -> None:
    done = world.hqt("sandbox", "explain", env=world.env | {"PATH": str(world.home / ".local/bin")})
    assert "bubblewrap (bwrap) is not on PATH" in refused(done, 4)


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("explain", "9"), 3),
        (("why", "9", "README"), 3),
        (("explain", "9", "--fs", "ro"), 2),
        (("why",), 2),
        (("why", "9", "README", "more"), 2),
        (("explain", "--harness", "nobody"), 1),
    ],
)
def test_what_can_not_be_asked_is_a_sentence(world: World, args: tuple[str, ...], code: int) -> None:
    refused(world.hqt("sandbox", *args), code)


@pytest.mark.parametrize("args", [("explain",), ("why", "README")])
def test_a_look_at_a_jail_loads_neither_database_nor_screen(world: World, args: tuple[str, ...]) -> None:
    program = (
        "import sys\nfrom hqt.cli.main import main\n"
        f"try: main({['sandbox', *args]!r})\n"
        f"except SystemExit: print(sorted(sys.modules.keys() & {set(SLOW)!r}), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        cwd=world.project,
        env=world.env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == "[]\n"


@needs_tmux
def test_a_sessions_jail_is_the_one_that_it_resumes_in(world: World) -> None:
    world.hqt("new", "--harness", "generic", "--name", "box", "-s", "--fs", "ro", "--no-net", "--", "cat")
    assert told(world, "explain", "box").startswith(
        "session box: Command in ~/proj, project read-only, network off\n"
    )
    assert object_(world, "explain", "1")["sandbox"] == {"fs": "ro", "net": False}
    found = object_(world, "why", "box", "README")
    assert (found["visible"], found["writable"]) == (True, False)


@needs_tmux
def test_an_open_session_is_told_to_have_no_jail(world: World) -> None:
    world.hqt("new", "--harness", "generic", "--name", "free", "--", "cat")
    assert "There is no jail." in told(world, "explain", "free")
    assert object_(world, "explain", "free")["sandbox"] is None
    assert object_(world, "why", "free", "~/.ssh")["rule"] == "open"


@needs_tmux
def test_a_session_whose_folder_leads_elsewhere_is_refused_as_its_start_is(world: World) -> None:
    (world.home / "name").symlink_to(world.project)
    world.hqt("new", str(world.home / "name"), "--harness", "generic", "--name", "box", "-s", "--", "true")
    other = world.home / "other"
    other.mkdir()
    (world.home / "name").unlink()
    (world.home / "name").symlink_to(other)
    assert f"leads to {other} now" in refused(world.hqt("sandbox", "explain", "1"), 1)
