"""`hqt list`, `hqt show`, `hqt capture`: what is there, the same for people and programs."""

import json
import os
import shlex
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hqt.db.columns import stamp
from hqt.db.engine import Database, open_database
from hqt.sessions import store
from tests.cli.steps import KEYS, NOTHING, becomes, new, press, refused, screen, shown, shows, tmux, traces
from tests.world import World, needs_bwrap, needs_tmux, processes, wait_until

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]


@pytest.fixture
def database(world: World) -> Iterator[Database]:
    opened = open_database(world.places)
    yield opened
    opened.close()


def _ended(world: World, database: Database, days: float, **changes: object) -> int:
    """A session that ended so many days ago."""
    moment = stamp(datetime.now(UTC) - timedelta(days=days))
    draft = store.Draft(
        key=os.urandom(4).hex(),
        name=None,
        given=world.project,
        project=world.project,
        harness="generic",
        args=("cat",),
        env_names=(),
        conversation=None,
        sandbox_json=None,
        note=None,
    )
    row_id = store.add(database, draft)
    world.places.session(draft.key).mkdir(parents=True)
    values = {"phase": "exited", "started_at": moment, "ended_at": moment, "exit_code": 0}
    store.change(database, draft.key, {**values, "created_at": moment, **changes})
    return row_id


def test_a_look_makes_nothing(world: World) -> None:
    assert world.hqt("list").stdout == "no sessions: `hqt new DIR` starts one\n"
    assert world.json("list") == []
    assert refused(world.hqt("show", "1"), 3).startswith("no session is called 1")
    assert traces(world) == NOTHING
    assert not world.places.data.exists()


def test_the_list_hides_what_ended_over_7_days_ago(world: World, database: Database) -> None:
    for days in (8, 7.01, 6.9, 0):
        _ended(world, database, days)
    lost = _ended(world, database, 30, phase="running", ended_at=None, exit_code=None)
    assert [found["id"] for found in world.json("list")] == [3, 4, lost]
    assert [found["id"] for found in world.json("list", "--all")] == [1, 2, 3, 4, lost]
    assert len(world.hqt("list").stdout.splitlines()) == 4
    assert len(world.hqt("list", "--all").stdout.splitlines()) == 6


def test_the_list_has_a_line_for_each_oldest_first(world: World, database: Database) -> None:
    _ended(world, database, 2, name="修复 bug", note="look here")
    _ended(
        world,
        database,
        0.1,
        name="a\x1b[31mb",
        sandbox_json='{"fs": "ro", "net": false}',
        exit_code=None,
        exit_signal=9,
    )
    _ended(world, database, 0, name="broken", sandbox_json="{")
    assert world.hqt("list").stdout.replace(str(world.project), "P").splitlines()[:3] == [
        "ID  NAME        STATE          HARNESS  JAIL        AGE  PROJECT",
        "1   修复 bug    exited (0) !   generic  OPEN        2d   P",
        "2   a\\x1b[31mb  exited (KILL)  generic  ro offline  2h   P",
    ]
    assert world.hqt("list").stdout.splitlines()[3].split()[:5] == [
        "3",
        "broken",
        "broken",
        "generic",
        "INVALID",
    ]


def test_an_invalid_policy_is_told_and_never_shown_as_open(world: World, database: Database) -> None:
    _ended(world, database, 0, sandbox_json='{"fs": "rw"}')
    found = shown(world, 1)
    sentence = 'the stored jail policy \'{"fs": "rw"}\' does not hold exactly fs and net: set it anew'
    assert (found["state"], found["sandbox"]) == ("broken", {"invalid": sentence})
    assert f"jail          {sentence}" in world.hqt("show", "1").stdout
    assert refused(world.hqt("show", "1", "--argv"), 4) == f"session 1 would not be started: {sentence}"
    before = traces(world)
    for command in ("resume", "resume --fresh"):
        said = refused(world.hqt(*command.split(), "1"), 4)
        assert said == f"session 1 is not started: {sentence}"
    assert traces(world) == before
    assert shown(world, 1) == found


def test_lost_arguments_are_told_and_never_left_out(world: World, database: Database) -> None:
    _ended(world, database, 0)
    with sqlite3.connect(world.places.database) as connection:
        connection.execute("UPDATE session SET args = '{'")
    connection.close()
    sentence = "the stored arguments of session 1 can't be read: `hqt rm 1`"
    found = shown(world, 1)
    assert (found["state"], found["note"]) == ("broken", sentence)
    assert refused(world.hqt("show", "1", "--argv"), 1) == f"session 1 would not be started: {sentence}"
    assert refused(world.hqt("resume", "1"), 1) == f"session 1 is not started: {sentence}"
    assert world.hqt("rm", "1").returncode == 0


def test_a_session_is_found_by_id_or_exact_name(world: World, database: Database) -> None:
    for name in ("one", "One", "one two", "-x", "²"):
        _ended(world, database, 0, name=name)
    for text, wanted in (("1", 1), ("001", 1), ("one", 1), ("One", 2), ("one two", 3), ("²", 5)):
        assert shown(world, text)["id"] == wanted
    assert json.loads(world.hqt("show", "--json", "--", "-x").stdout)["id"] == 4
    for text in ("on", "ONE", "0", "99", "one*", ""):
        assert world.hqt("show", text).returncode == 3


def test_all_that_is_known_is_shown(world: World) -> None:
    link = world.home / "link"
    link.symlink_to(world.project)
    env = {**world.env, "TOKEN": "never shown"}
    world.hqt(
        "new", str(link), "--env", "TOKEN", "--harness", "generic", "--", "sh", "-c", "exec cat", env=env
    )
    said = world.hqt("show", "proj-generic").stdout
    created = shown(world, 1)["created_at"]
    assert said == (
        "id            1\n"
        "name          proj-generic\n"
        "state         running\n"
        "harness       generic sh -c 'exec cat'\n"
        f"folder        {world.project} (given as {link})\n"
        "jail          OPEN\n"
        "variables     TOKEN\n"
        f"created       {created}\n"
    )
    assert "never shown" not in world.hqt("show", "1", "--argv").stdout


def test_the_argv_of_an_open_session_is_its_command(world: World) -> None:
    new(world, "exec cat")
    assert world.hqt("show", "1", "--argv").stdout == "sh -c 'exec cat'\n"
    done = world.hqt("show", "1", "--argv", "--json")
    assert json.loads(done.stdout) == ["sh", "-c", "exec cat"]


@needs_bwrap
def test_the_argv_of_a_jailed_session_holds_no_value_and_makes_nothing(world: World) -> None:
    env = {**world.env, "TOKEN": "s3cret", "ANTHROPIC_API_KEY": "s3cret"}
    world.tool("claude", "exec cat")
    world.hqt("new", "-s", "--harness", "claude", "--env", "TOKEN", env=env)
    conversation = shown(world, 1)["conversation"]
    world.hqt("stop", "1")
    folder = world.home / ".claude"
    before = sorted(folder.rglob("*"))
    done = world.hqt("show", "1", "--argv", env=env)
    words = shlex.split(done.stdout)
    assert Path(words[0]).name == "bwrap"
    assert words[words.index("--session-id") + 1] == conversation
    assert "--dangerously-skip-permissions" in words
    assert "s3cret" not in done.stdout
    assert json.loads(world.hqt("show", "1", "--argv", "--json", env=env).stdout) == words
    assert sorted(folder.rglob("*")) == before


def test_a_screen_is_captured_as_it_is(world: World) -> None:
    new(world, "printf 'a\\n\\033[31mred\\033[0m  \\n│ ❯ 日本 ⠋\\n'; seq 100; exec cat")
    assert shows(world, 1, "100")
    assert world.hqt("capture", "1", "--lines", "3").stdout == "98\n99\n100\n"
    assert screen(world, 1).startswith("a\nred\n│ ❯ 日本 ⠋\n1\n2\n")
    plain = world.hqt("capture", "1").stdout
    assert "\x1b" not in plain
    assert len(plain.splitlines()) <= 40
    assert "\x1b[31mred\x1b" in world.hqt("capture", "1", "--lines", "500", "--ansi").stdout


def test_wide_signs_come_through_any_locale(world: World) -> None:
    new(world, "echo 日本; exec cat", "--name", "修复")
    for locale in ({"LANG": "C"}, {"LC_ALL": "POSIX"}, {}):
        env = {name: value for name, value in world.env.items() if name != "LANG"} | locale
        assert world.hqt("capture", "1", env=env).stdout == "日本\n"
        assert "修复" in world.hqt("list", env=env).stdout


def test_a_locale_without_the_sign_is_no_traceback(world: World) -> None:
    new(world, "exec cat", "--name", "修复")
    done = world.hqt("list", env={**world.env, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u4fee\\u590d" in done.stdout


def test_a_damaged_database_is_told_by_a_look_and_moved_aside_by_a_change(world: World) -> None:
    new(world, "exec cat")
    world.hqt("rm", "--force", "1")
    database = world.places.database
    assert wait_until(lambda: not any("hqt ended" in line for line in processes(world.root).values()))
    database.write_bytes(b"garbage " * 1000)
    said = refused(world.hqt("list"), 1)
    assert said == f"the database {database} is damaged: the next command that writes moves it aside"
    assert database.read_bytes().startswith(b"garbage")
    done = world.hqt("new", "--harness", "generic", "--", "cat")
    assert (done.returncode, done.stdout) == (0, "1 proj-generic: running\n")
    (aside,) = world.places.data.glob("hqt.db.damaged-*")
    assert done.stderr == (
        f"hqt: the database was damaged and is moved to {aside}: hqt starts with an empty one\n"
    )
    assert aside.read_bytes().startswith(b"garbage")


def test_a_newer_database_is_refused_and_left_as_it_is(world: World, database: Database) -> None:
    _ended(world, database, 0)
    with sqlite3.connect(world.places.database) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    for words in ("list", "show 1", "new --harness generic -- cat", "stop 1", "rm 1"):
        said = refused(world.hqt(*words.split()), 1)
        assert said == (
            f"the database {world.places.database} is of version 99 and this hqt knows only 5: update hqt"
        ), words
    assert [path.name for path in world.places.data.glob("*damaged*")] == []


def test_a_look_does_not_wait_for_a_writer_and_a_writer_says_that_it_waited(
    world: World, database: Database
) -> None:
    """A64 from the shell."""
    _ended(world, database, 0)
    holder = sqlite3.connect(world.places.database, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        assert [found["id"] for found in world.json("list")] == [1]
        assert set(shown(world, 1)) == KEYS
        said = refused(world.hqt("rename", "1", "other"), 1)
        assert said == f"another hqt holds the database {world.places.database}: try again"
    finally:
        holder.close()
    assert shown(world, 1)["name"] == "proj-generic"


def test_the_end_of_an_agent_leaves_a_damaged_database_to_a_command_that_can_say_so(world: World) -> None:
    new(world, "read -r x")
    world.places.database.write_bytes(b"garbage " * 1000)
    tmux(
        world,
        "send-keys",
        "-t",
        tmux(world, "list-sessions", "-F", "=#{session_name}:").stdout.strip(),
        "Enter",
    )
    assert wait_until(lambda: tmux(world, "list-panes", "-a", "-F", "#{pane_dead}").stdout == "1\n")
    wait_until(lambda: any("ended" in line for line in processes(world.root).values()), within_s=1)
    assert wait_until(lambda: not any("hqt ended" in line for line in processes(world.root).values()))
    assert world.places.database.read_bytes().startswith(b"garbage")
    assert list(world.places.data.glob("*damaged*")) == []


def test_the_screen_of_what_ended_by_itself_can_be_seen_when_its_pane_is_gone(world: World) -> None:
    new(world, "echo bye; read -r x")

    press(world, 1, "Enter")
    assert becomes(world, 1, "exited")
    world.hqt("stop", "1")
    assert tmux(world, "list-sessions").stdout == ""
    assert screen(world, 1).startswith("bye\n")
