"""`hqt resume`, `rename`, `move`: a session comes back as it was, under whatever name, wherever it is."""

import json
import os
import signal
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from tests.cli.steps import (
    agent_pid,
    becomes,
    command,
    key,
    new,
    panes,
    press,
    refused,
    screen,
    shown,
    shows,
    tmux,
    traces,
)
from tests.world import World, needs_bwrap, needs_tmux, processes, tmux_servers, wait_until

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]


@needs_bwrap
def test_arguments_policy_and_names_of_variables_are_kept_and_their_values_are_this_shells(
    world: World,
) -> None:
    """A41: the environment is that of the shell that resumes."""
    script = 'echo "$1 $KEY $OTHER"; touch made 2>/dev/null || echo "read only"; exec cat'
    words = ("--harness", "generic", "--", "sh", "-c", script, "sh", "an argument;")
    first = {**world.env, "KEY": "one", "OTHER": "open"}
    second = {**first, "KEY": "two"}
    world.hqt("new", "-s", "--fs", "ro", "--env", "KEY", *words, env=first)
    world.hqt("new", *words, env=first)
    assert world.hqt("stop", "1", "2").returncode == 0
    for session in ("1", "2"):
        assert world.hqt("resume", session, env=second).returncode == 0
    assert screen(world, 1) == "an argument; two\nread only\n"
    assert screen(world, 2) == "an argument; two open\n"
    assert shown(world, 1)["sandbox"] == {"fs": "ro", "net": True}
    assert shown(world, 2)["sandbox"] is None


@needs_bwrap
def test_a_variable_that_this_shell_lacks_is_said(world: World) -> None:
    world.hqt("new", "-s", "--env", "KEY", "--harness", "generic", "--", "cat", env={**world.env, "KEY": "x"})
    world.hqt("stop", "1")
    done = world.hqt("resume", "1")
    assert (done.returncode, done.stdout) == (0, "1 proj-generic: running\n")
    assert done.stderr == "hqt: note: KEY is not set in this shell and not passed on\n"


def test_a_live_session_stays_as_it_is(world: World) -> None:
    new(world, "exec cat")
    pid = agent_pid(world, 1)
    done = world.hqt("resume", "1", "--json")
    assert done.returncode == 0
    assert agent_pid(world, 1) == pid


@needs_bwrap
def test_where_bwrap_fails_now_nothing_is_started_and_no_row_changes(world: World) -> None:
    new(world, "exec cat", "-s")
    world.hqt("stop", "1")
    before, found = traces(world), shown(world, 1)
    world.tool("bwrap", "echo 'bwrap: No permissions to create new namespace' >&2; exit 1")
    for words in ("resume 1", "resume 1 --fresh", "resume 1 --no-fallback"):
        said = refused(world.hqt(*words.split()), 4)
        assert "No permissions to create new namespace" in said
    assert (traces(world), shown(world, 1)) == (before, found)


_ODD = [
    "app.v1",
    "#(touch PWN)",
    "#{pid}",
    "a'b\"c",
    "$(touch PWN)",
    "`touch PWN`",
    "👨‍👩‍👧 x",
    "x;",
    "修复 bug",
    "=x:",
]


def test_any_printable_name_is_kept_as_it_is_and_nothing_in_it_runs(world: World) -> None:
    """A30 and A36, at the start and by rename."""
    new(world, "exec cat", "--name", _ODD[0])
    for before, name in pairwise(_ODD):
        done = world.hqt("rename", before, name)
        assert (done.returncode, done.stdout, done.stderr) == (0, f"1 {name}\n", ""), name
        assert shown(world, name)["name"] == name
    for number, name in enumerate(("#(touch PWN)", "app.v1", "-x"), 2):
        found = world.json("new", "--harness", "generic", f"--name={name}", "--", "cat")
        assert (found["id"], found["name"]) == (number, name)
        assert world.hqt("stop", "--", name).stdout == f"{number} {name}: stopped (TERM)\n"
    assert panes(world) == [f"hqt-{key(world, 1)}"]
    assert not (world.project / "PWN").exists()
    assert not Path("/PWN").exists()  # the server's own folder
    assert "#(touch PWN)" in world.hqt("list").stdout


def test_a_name_that_is_taken_or_no_name_changes_nothing(world: World) -> None:
    new(world, "exec cat", "--name", "one")
    new(world, "exec cat", "--name", "two")
    for name in ("two", "7", "", " ", "a\nb", "\x1b[31m"):
        refused(world.hqt("rename", "one", name), 1)
    assert [found["name"] for found in world.json("list")] == ["one", "two"]


def test_a_folder_that_is_gone_is_a_sentence_until_the_session_is_moved(world: World) -> None:
    """A09: tmux would start it in the caller's own folder."""
    folder, other = world.home / "wt", world.home / "other"
    folder.mkdir()
    other.mkdir()
    done = world.hqt("new", str(folder), "--harness", "generic", "--", "sh", "-c", "pwd; exec cat")
    assert done.returncode == 0
    folder.rmdir()  # while it runs
    assert world.hqt("move", "1", str(other)).returncode == 1
    world.hqt("stop", "1")
    before = traces(world)
    for words in ("resume 1", "resume 1 --fresh"):
        said = refused(world.hqt(*words.split()), 1)
        assert said == f"directory gone: {folder}: `hqt move 1 DIR` or `hqt rm 1`"
    assert traces(world) == before
    assert refused(world.hqt("move", "1", str(folder)), 1).startswith(f"the folder {folder} can't be used")
    assert world.hqt("move", "1", str(other)).stdout == f"1 wt-generic: {other}\n"
    assert world.hqt("resume", "1").returncode == 0
    assert screen(world, 1) == f"{other}\n"


@needs_bwrap
def test_a_link_is_the_same_folder_at_every_start(world: World) -> None:
    """A05: jailed, it is where the link leads, and the link is there too."""
    link = world.home / "link"
    link.symlink_to(world.project)
    script = 'pwd -P; ls README; ls "$HOME/link/README"; exec cat'
    world.hqt("new", "-s", str(link), "--harness", "generic", "--", "sh", "-c", script)
    wanted = f"{world.project}\nREADME\n{link}/README\n"
    assert wait_until(lambda: screen(world, 1) == wanted)
    world.hqt("stop", "1")
    assert world.hqt("resume", "1").returncode == 0
    assert wait_until(lambda: screen(world, 1) == wanted)


@needs_bwrap
def test_a_project_in_the_temporary_folder_is_visible_and_its_neighbours_are_not(world: World) -> None:
    """A06: the jail has a /tmp of its own, and the world itself lies in the host's."""
    neighbour = world.root / "neighbour"
    neighbour.write_text("")
    project = world.root / "p"
    project.mkdir()
    script = f"ls -d {project}; ls {neighbour} 2>&1 | sed 's/.*: //'; exec cat"
    for options in ([], ["--fs", "ro"]):
        world.hqt("new", "-s", *options, str(project), "--harness", "generic", "--", "sh", "-c", script)
    wanted = f"{project}\nNo such file or directory\n"
    assert wait_until(lambda: [screen(world, session) for session in (1, 2)] == [wanted] * 2)


@needs_bwrap
def test_localhost_and_the_user_have_names_in_a_jail(world: World) -> None:
    """A25: /etc of three entries was too small."""
    new(world, "getent hosts localhost | wc -l; id -un; exec cat", "-s")
    assert wait_until(lambda: screen(world, 1).split() == ["1", world.env["USER"]])


def test_a_lost_socket_is_unreachable_and_nothing_is_started_twice(world: World) -> None:
    """A42: a tmp cleaner removed it; the agent lives on."""
    new(world, "echo $$ >> starts; exec cat")
    pid = agent_pid(world, 1)
    (server,) = tmux_servers(world.root)
    world.places.socket.unlink()
    assert shown(world, 1)["state"] == "unreachable"
    assert "unreachable" in world.hqt("list").stdout
    for words in ("resume 1", "resume 1 --fresh", "stop 1", "rm --force 1", "rename 1 other"):
        said = refused(world.hqt(*words.split()), 1)
        assert f"kill -USR1 {server}" in said, words
    assert f"kill -USR1 {server}" in refused(world.hqt("capture", "1"), 1)
    assert f"kill -USR1 {server}" in refused(world.hqt("new", "--harness", "generic", "--", "cat"), 1)
    assert [row["name"] for row in world.json("list")] == ["proj-generic"]
    os.kill(server, signal.SIGUSR1)
    assert becomes(world, 1, "running")
    assert agent_pid(world, 1) == pid
    assert len((world.project / "starts").read_text().split()) == 1
    assert world.hqt("stop", "1").stdout == "1 proj-generic: stopped (TERM)\n"


@pytest.mark.parametrize("jail", [[], pytest.param(["-s"], marks=needs_bwrap)])
def test_another_runtime_folder_neither_doubles_nor_ends_a_live_agent(world: World, jail: list[str]) -> None:
    """sudo and cron leave XDG_RUNTIME_DIR out: the socket is another, the sessions are the same."""
    new(world, "echo x >> starts; exec cat", *jail)
    pid, (server,) = agent_pid(world, 1), tmux_servers(world.root)
    other = world.root / "other"
    other.mkdir(mode=0o700)
    elsewhere = {**world.env, "XDG_RUNTIME_DIR": str(other)}
    (seen,) = json.loads(world.hqt("list", "--json", env=elsewhere).stdout)
    assert (seen["state"], seen["exit"]) == ("unreachable", None)
    assert seen["note"].startswith(f"lives in another tmux server (pid {server}) than that of {other}/")
    assert world.hqt("capture", "1", env=elsewhere).returncode == 0
    for words in (
        "resume 1",
        "resume 1 --fresh",
        "stop 1",
        "rm --force 1",
        "send 1 x",
        "rename 1 y",
        "wait 1",
    ):
        said = refused(world.hqt(*words.split(), env=elsewhere), 1)
        assert said.startswith(f"session 1 lives in another tmux server (pid {server})"), words
        assert said.endswith("set XDG_RUNTIME_DIR as it was when the session was started")
    assert (shown(world, 1)["state"], agent_pid(world, 1)) == ("running", pid)
    assert (world.project / "starts").read_text() == "x\n"


@needs_bwrap
def test_another_runtime_folder_takes_nothing_from_a_live_jail(world: World) -> None:
    """Every writing command there heals what ended; the git guard would be the agent's to write then."""
    new(world, "exec cat", "-s")
    folder = world.places.session(key(world, 1))
    guard, events = world.project / ".git/commondir", folder / "events"
    other = {**world.env, "XDG_RUNTIME_DIR": str(world.root / "other")}
    (world.root / "other").mkdir(mode=0o700)
    events.mkdir()
    # what is younger than a minute is no leftover
    for path in (events, folder):
        os.utime(path, (0, 0))
    assert world.hqt("mute", "1", env=other).returncode == 0
    assert world.hqt("prune", env=other).returncode == 0
    assert guard.exists()
    assert events.is_dir()
    guard.unlink()
    assert world.hqt("stop", "1").returncode == 0
    assert f"{guard} is gone" in shown(world, 1)["note"]


@needs_bwrap
def test_two_jails_that_went_with_their_server_leave_nothing_to_look_at(world: World) -> None:
    """What hqt made in the git folder for both goes with the last; the first to be settled left it."""
    for _ in range(2):
        new(world, "exec cat", "-s")
    made = world.project / ".git/commondir"
    assert made.exists()
    (server,) = tmux_servers(world.root)
    os.kill(server, signal.SIGKILL)
    assert wait_until(lambda: server not in processes(world.root))
    resumed = world.json("resume", "1")
    assert (resumed["note"], shown(world, 2)["note"]) == (None, None)
    world.hqt("stop", "1")
    assert not made.exists()


def test_a_server_that_died_leaves_its_sessions_lost_until_they_are_resumed(world: World) -> None:
    new(world, "echo here; exec cat")
    os.kill(tmux_servers(world.root)[0], signal.SIGKILL)
    assert becomes(world, 1, "lost")
    assert shown(world, 1)["exit"] is None
    assert world.hqt("stop", "1").stdout == "1 proj-generic: lost\n"
    assert world.hqt("resume", "1").stdout == "1 proj-generic: running\n"
    assert shows(world, 1, "here")


def test_the_end_of_an_agent_is_written_down_without_any_command(world: World) -> None:
    new(world, "read -r x; exit 3")
    press(world, 1, "Enter")
    assert becomes(world, 1, "exited")

    def recorded() -> bool:
        return (world.places.session(key(world, 1)) / "screen").exists()

    assert wait_until(recorded, within_s=10) or shown(world, 1)["exit"] == {"code": 3, "signal": None}
    os.kill(tmux_servers(world.root)[0], signal.SIGKILL)
    assert becomes(world, 1, "exited")
    assert shown(world, 1)["exit"] == {"code": 3, "signal": None}


def test_many_starts_at_once_have_a_name_and_a_pane_each(world: World) -> None:
    words = command("new", "--harness", "generic", "--", "cat")
    made = [
        subprocess.Popen(words, env=world.env, cwd=world.project, stdout=subprocess.PIPE) for _ in range(4)
    ]
    assert [each.communicate() and each.returncode for each in made] == [0] * 4
    found = world.json("list")
    assert {row["name"] for row in found} == {"proj-generic", *(f"proj-generic-{n}" for n in (2, 3, 4))}
    assert {row["state"] for row in found} == {"running"}
    assert len(panes(world)) == 4
    assert tmux(world, "list-sessions").returncode == 0
