"""Claude Code's own traps, as sessions of a stand-in: state, logins, ids, root, layouts."""

import json
import os
import subprocess
import uuid
from pathlib import Path
from typing import Any

import pytest

from hqt.backends import processes
from hqt.db import reader
from tests.cli import agents
from tests.cli.steps import (
    NOTHING,
    agent_pid,
    becomes,
    command,
    new,
    press,
    refused,
    screen,
    shown,
    shows,
    tmux,
    traces,
)
from tests.world import World, needs_bwrap, needs_tmux, wait_until

pytestmark = [pytest.mark.real, needs_tmux]
_JAILS = [[], pytest.param(["-s"], marks=needs_bwrap)]
_STATE = {"hasCompletedOnboarding": True, "theme": "dark"}
# before a start it is asked for its options, in the root folder: a stand-in that writes must not answer
_ASKED = 'case "$*" in --help | --version) exit 1 ;; esac'


@pytest.fixture
def claude(world: World) -> World:
    """A world with the stand-in, logged in and past its first run."""
    world.tool("claude", agents.CLAUDE)
    (world.home / ".claude").mkdir()
    (world.home / ".claude/.credentials.json").write_text("{}")
    (world.home / ".claude.json").write_text(json.dumps(_STATE))
    return world


def _start(world: World, *options: str) -> Any:  # noqa: ANN401  # JSON
    found = world.json("new", "--harness", "claude", *options)
    assert shows(world, found["id"], "ready")
    return found


@needs_bwrap
def test_as_root_too_a_jailed_session_starts(claude: World) -> None:
    """A04: it refuses root, but for IS_SANDBOX=1, which only the jail has."""
    _start(claude, "-s")
    assert "--dangerously-skip-permissions" in screen(claude, 1)
    _start(claude)
    assert "--dangerously-skip-permissions" not in screen(claude, 2)
    assert b"IS_SANDBOX" not in Path(f"/proc/{agent_pid(claude, 2)}/environ").read_bytes()


@needs_bwrap
def test_a_jailed_session_meets_no_wizard_and_no_login(claude: World) -> None:
    """A17: .claude.json lies beside the folder and is needed too."""
    _start(claude, "-s")
    assert not {"WIZARD", "LOGIN"} & set(screen(claude, 1).split())


@needs_bwrap
def test_without_any_state_no_wizard_waits_and_the_lost_login_is_said_first(world: World) -> None:
    """A07: a first-time user has none of the folders."""
    world.tool("claude", agents.CLAUDE)
    done = world.hqt("new", "-s", "--harness", "claude")
    note = "no login of Claude Code was found, and one made in the jail ends with it: log in once outside"
    assert (done.returncode, done.stderr) == (0, f"hqt: note: {note}\n")
    assert shows(world, 1, "ready")
    assert "WIZARD" not in screen(world, 1)
    assert shown(world, 1)["note"] == note
    assert (world.home / ".claude/projects").stat().st_mode & 0o777 == 0o700
    assert not (world.home / ".claude.json").exists()


@needs_bwrap
def test_state_is_replaced_by_rename_in_jails_and_outside_at_once(claude: World) -> None:
    """A16: 200 renames in two jails and one plain session; the host's file is the plain one's."""
    claude.tool("claude", agents.RENAMES)
    for jail in (["-s"], ["-s"], []):
        claude.json("new", *jail, "--harness", "claude")
    assert wait_until(lambda: all("DONE 200" in screen(claude, each) for each in (1, 2, 3)), within_s=60)
    host = claude.home / ".claude.json"
    assert json.loads(host.read_text()) == {"hasCompletedOnboarding": True, "who": "plain", "n": 200}
    host.write_text(json.dumps({**_STATE, "theme": "newest"}))
    claude.tool("claude", 'cat "$HOME/.claude.json"; exec cat')
    claude.hqt("stop", "1")
    claude.hqt("resume", "1")
    assert shows(claude, 1, "newest")


@pytest.mark.parametrize("jail", _JAILS)
def test_a_session_without_a_word_comes_back_fresh_under_its_id(claude: World, jail: list[str]) -> None:
    """A52: there is no transcript to resume yet."""
    created = _start(claude, *jail)
    claude.hqt("stop", "1")
    done = claude.hqt("resume", "1")
    assert (done.returncode, done.stdout) == (0, "1 proj-claude: running\n")
    assert f"--session-id {created['conversation']}" in screen(claude, 1).replace("\n", "")
    assert shown(claude, 1)["conversation"] == created["conversation"]
    assert shown(claude, 1)["note"] is None


@pytest.mark.parametrize("jail", _JAILS)
def test_a_conversation_comes_back_with_arguments_and_jail(claude: World, jail: list[str]) -> None:
    created = claude.json(
        "new", *jail, "--harness", "claude", "--prompt", "hello there", "--", "--model", "m"
    )
    assert shows(claude, 1, "said hello there")
    claude.hqt("stop", "1")
    assert claude.hqt("resume", "1").returncode == 0
    assert shows(claude, 1, "remembered")
    said = screen(claude, 1).replace("\n", "")
    assert f"--resume {created['conversation']}" in said
    assert "--model m" in said
    assert ("--dangerously-skip-permissions" in said) is bool(jail)
    assert 'remembered {"type":"user","message":"hello there"}' in said
    found = shown(claude, 1)
    for name in ("conversation", "sandbox", "note"):
        assert found[name] == created[name]


def test_a_resume_that_fails_falls_back_to_a_fresh_start_and_says_why(claude: World) -> None:
    created = claude.json("new", "--harness", "claude", "--prompt", "hello there")
    assert shows(claude, 1, "said hello there")
    claude.hqt("stop", "1")
    claude.tool("claude", 'case " $* " in *" --resume "*) echo "it is broken"; exit 1;; esac; exec cat')
    done = claude.hqt("resume", "1", "--no-fallback")
    assert (done.returncode, done.stdout) == (1, "1 proj-claude: exited (1)\n")
    assert "  | it is broken" in done.stderr.splitlines()
    assert shown(claude, 1)["conversation"] == created["conversation"]
    done = claude.hqt("resume", "1")
    note = (
        "started fresh as it could not be resumed (it is broken); the previous conversation is "
        f"{created['conversation']}"
    )
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "1 proj-claude: running\n",
        f"hqt: note: {note}\n",
    )
    assert shown(claude, 1)["note"] == note
    assert shown(claude, 1)["conversation"] != created["conversation"]


def test_fresh_on_request_leaves_the_old_id_in_the_note(claude: World) -> None:
    created = claude.json("new", "--harness", "claude", "--prompt", "hello there")
    assert shows(claude, 1, "said hello there")
    claude.hqt("stop", "1")
    found = json.loads(claude.hqt("resume", "1", "--fresh", "--json").stdout)
    assert found["note"] == f"started fresh; the previous conversation is {created['conversation']}"
    assert found["conversation"] != created["conversation"]
    assert uuid.UUID(found["conversation"]).version == 4


@pytest.mark.parametrize("jail", _JAILS)
def test_a_killed_hqt_leaves_a_session_that_comes_back_under_the_right_flag(
    claude: World, jail: list[str]
) -> None:
    """A55: --session-id for an id in use, or --resume for one that is not."""
    starting = subprocess.Popen(
        command("new", *jail, "--harness", "claude", "--prompt", "hello there"),
        env=claude.env,
        cwd=claude.project,
        stdout=subprocess.DEVNULL,
    )
    transcripts = claude.home / ".claude/projects"
    assert wait_until(lambda: any(transcripts.glob("*/*.jsonl")), within_s=10)
    starting.kill()
    assert starting.wait() == -9
    assert shown(claude, 1)["state"] == "starting"
    assert claude.hqt("resume", "1").stdout == "1 proj-claude: running\n"
    assert reader.find(claude.places, "1").phase == "running"
    claude.hqt("stop", "1")
    assert claude.hqt("resume", "1").returncode == 0
    assert shows(claude, 1, "remembered")
    assert "already in use" not in screen(claude, 1)


def test_a_killed_hqt_that_had_started_nothing_leaves_nothing(claude: World) -> None:
    starting = subprocess.Popen(
        command("new", "--harness", "claude"), env=claude.env, cwd=claude.project, stdout=subprocess.DEVNULL
    )
    while not reader.rows(claude.places):
        assert starting.poll() is None
    starting.kill()
    starting.wait()
    new(claude, "exec cat")
    names = [found["name"] for found in claude.json("list")]
    # killed between the row and the pane it never was, later it lives
    assert names in (["proj-generic"], ["proj-claude", "proj-generic"])
    assert {found["state"] for found in claude.json("list")} == {"running"}
    assert len(traces(claude)["panes"]) == len(traces(claude)["folders"]) == len(names)


def test_after_the_servers_death_all_come_back_as_they_were(claude: World) -> None:
    """A56: the same conversation and the same policy, not a fresh start and not an open one."""
    for options in (["-s", "--fs", "ro", "--no-net"], ["-s"], []):
        claude.json("new", *options, "--harness", "claude", "--prompt", "hello there", "--", "--model", "m")
    new(claude, "exec cat", "--name", "plain")
    before = [shown(claude, session) for session in (1, 2, 3)]
    assert all(shows(claude, session, "said hello there") for session in (1, 2, 3))
    argv = [claude.hqt("show", str(session), "--argv").stdout for session in (1, 2, 3)]
    os.kill(int(tmux(claude, "display-message", "-p", "#{pid}").stdout), 9)
    assert [found["state"] for found in claude.json("list")] == ["lost"] * 4
    for session in (1, 2, 3, 4):
        assert claude.hqt("resume", str(session)).returncode == 0
    after = [shown(claude, session) for session in (1, 2, 3)]
    # but for when it began to run
    assert [each | {"since": None} for each in after] == [each | {"since": None} for each in before]
    assert all(shows(claude, session, "remembered") for session in (1, 2, 3))
    assert [claude.hqt("show", str(session), "--argv").stdout for session in (1, 2, 3)] == argv
    assert shown(claude, 4)["state"] == "running"


def test_an_agent_that_outlives_its_server_is_ended_before_it_is_resumed(claude: World) -> None:
    claude.tool("claude", f"{_ASKED}; trap '' HUP; echo $$ >> pids; while :; do sleep 0.1; done")
    claude.json("new", "--harness", "claude")
    os.kill(int(tmux(claude, "display-message", "-p", "#{pid}").stdout), 9)
    assert shown(claude, 1)["state"] == "lost"
    assert claude.hqt("resume", "1").returncode == 0
    first, second = (claude.project / "pids").read_text().split()
    assert [processes.is_alive(int(pid)) for pid in (first, second)] == [False, True]
    claude.hqt("stop", "1")  # it would outlive the end of the test as well


def test_two_that_resume_at_once_start_one(claude: World) -> None:
    """A54: a conversation open twice is interleaved. 20 rounds."""
    claude.tool("claude", f"{_ASKED}; echo $$ >> starts; exec cat")
    claude.json("new", "--harness", "claude")
    for round_ in range(20):
        os.kill(agent_pid(claude, 1), 9)
        assert becomes(claude, 1, "exited")
        both = [
            subprocess.Popen(command("resume", "1"), env=claude.env, stdout=subprocess.PIPE) for _ in range(2)
        ]
        assert [(each.communicate()[0], each.returncode) for each in both] == [
            (b"1 proj-claude: running\n", 0)
        ] * 2
        assert len((claude.project / "starts").read_text().split()) == round_ + 2


@needs_bwrap
def test_a_native_installation_is_followed_anew_at_every_start(world: World) -> None:
    """A13: ~/.local/bin/claude is a link into versions, which an update moves."""
    versions = world.home / ".local/share/claude/versions"
    versions.mkdir(parents=True)
    link = world.home / ".local/bin/claude"
    for version in ("2.1.0", "2.1.1"):
        world.tool("claude", f"echo version {version}; exec cat").rename(versions / version)
    link.symlink_to(versions / "2.1.0")
    world.hqt("new", "-s", "--harness", "claude")
    assert shows(world, 1, "version 2.1.0")
    world.hqt("stop", "1")
    link.unlink()
    link.symlink_to(versions / "2.1.1")
    assert world.hqt("resume", "1").returncode == 0
    assert shows(world, 1, "version 2.1.1")


@needs_bwrap
@pytest.mark.parametrize("harness", ["claude", "codex"])
def test_an_installation_under_nvm_is_visible(world: World, harness: str) -> None:
    """A12: node and a script that needs it, both below HOME."""
    root = world.home / ".nvm/versions/node/v22"
    package = root / f"lib/node_modules/{harness}"
    package.mkdir(parents=True)
    (root / "bin").mkdir()
    node = root / "bin/node"
    node.write_text(
        '#!/bin/sh\n[ "$2" = --help ] && exit\necho "node runs $1"; cat "$(dirname "$1")/lib.js"; exec cat\n'
    )
    node.chmod(0o755)
    script = package / "cli.js"
    script.write_text("#!/usr/bin/env node\n")
    script.chmod(0o755)
    (package / "lib.js").write_text("its library\n")
    (root / "bin" / harness).symlink_to(f"../lib/node_modules/{harness}/cli.js")
    env = {**world.env, "PATH": f"{root / 'bin'}:{world.env['PATH']}"}
    done = world.hqt("new", "-s", "--harness", harness, env=env)
    assert done.returncode == 0, done
    assert shows(world, 1, "its library")
    assert f"node runs {script}" in screen(world, 1).replace("\n", "")


@needs_bwrap
def test_the_whole_store_of_kiro_is_there_with_its_log(world: World) -> None:
    """A18: the login is not in ~/.kiro."""
    world.tool("kiro-cli", agents.KIRO)
    store = world.home / ".local/share/kiro-cli"
    store.mkdir(parents=True)
    (store / "data.sqlite3").write_text("")
    assert world.hqt("new", "-s", "--harness", "kiro").returncode == 0
    assert shows(world, 1, "argv chat")
    assert "--trust-all-tools" in screen(world, 1)
    assert (store / "data.sqlite3-wal").read_text() == "chat\n"


@needs_bwrap
@pytest.mark.parametrize(("harness", "folder"), [("codex", ".codex/sessions"), ("kiro", ".kiro/sessions")])
def test_a_first_time_user_keeps_what_is_said(world: World, harness: str, folder: str) -> None:
    """A07: the declared folders are made, private, and outlive the jail."""
    executable = {"codex": "codex", "kiro": "kiro-cli"}[harness]
    world.tool(executable, f'case $* in *--help*) exit;; esac; echo kept > "$HOME/{folder}/x"; exec cat')
    assert world.hqt("new", "-s", "--harness", harness).returncode == 0
    assert wait_until((world.home / folder / "x").exists)
    world.hqt("stop", "1")
    assert (world.home / folder / "x").read_text() == "kept\n"
    assert (world.home / folder).stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("jail", _JAILS)
@pytest.mark.parametrize("value", ["./x", "", "~nobody/x"])
def test_a_config_folder_that_is_no_path_is_refused(claude: World, jail: list[str], value: str) -> None:
    """A20: claude would make a folder of that name in the project."""
    env = {**claude.env, "CLAUDE_CONFIG_DIR": value}
    said = refused(claude.hqt("new", *jail, "--harness", "claude", env=env), 1)
    assert said.startswith("CLAUDE_CONFIG_DIR=")
    assert value in said
    assert traces(claude) == NOTHING
    assert sorted(each.name for each in claude.project.iterdir()) == [".git", "README"]


@pytest.mark.parametrize("jail", _JAILS)
def test_a_config_folder_below_tilde_is_expanded(world: World, jail: list[str]) -> None:
    """A20: the shell did not expand it, in a quoted assignment or a dotenv file."""
    world.tool("claude", 'echo "in $CLAUDE_CONFIG_DIR"; ls -a "$CLAUDE_CONFIG_DIR"; exec cat')
    (world.home / "x").mkdir()
    (world.home / "x/.credentials.json").write_text("{}")
    world.hqt("new", *jail, "--harness", "claude", env={**world.env, "CLAUDE_CONFIG_DIR": "~/x"})
    assert shows(world, 1, ".credentials.json")
    assert f"in {world.home}/x" in screen(world, 1)
    assert sorted(each.name for each in world.project.iterdir()) == [".git", "README"]


def test_a_conversation_goes_on_where_its_project_was_moved_to(claude: World) -> None:
    """A53 and A09: nothing is started elsewhere, nothing is deleted."""
    created = claude.json("new", "--harness", "claude", "--prompt", "hello there")
    assert shows(claude, 1, "said hello there")
    press(claude, 1, "more", "Enter")
    assert shows(claude, 1, "said more")
    moved = claude.home / "moved"
    claude.project.rename(moved)
    claude.hqt("stop", "1", cwd=claude.home)
    before = traces(claude)
    for words in ("resume 1", "resume 1 --fresh"):
        said = refused(claude.hqt(*words.split(), cwd=claude.home), 1)
        assert said == f"directory gone: {claude.project}: `hqt move 1 DIR` or `hqt rm 1`"
    assert traces(claude) == before
    assert refused(claude.hqt("move", "1", "nowhere", cwd=claude.home), 1).startswith("the folder ")
    assert claude.hqt("move", "1", "moved", cwd=claude.home).stdout == f"1 proj-claude: {moved}\n"
    assert claude.hqt("resume", "1", cwd=claude.home).returncode == 0
    assert shows(claude, 1, "remembered")
    found = shown(claude, 1)
    assert (found["cwd"], found["conversation"]) == (str(moved), created["conversation"])
    assert len(list((claude.home / ".claude/projects").glob("*/*.jsonl"))) == 2
