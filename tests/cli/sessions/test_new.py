"""`hqt new`: started, seen alive and shown; or refused with nothing left behind."""

import json
import re
import shutil
from pathlib import Path

import pytest

from hqt.harnesses import registry
from tests.cli.steps import (
    KEYS,
    NOTHING,
    agent_pid,
    becomes,
    key,
    new,
    panes,
    refused,
    screen,
    shown,
    shows,
    tmux,
    traces,
)
from tests.world import World, needs_bwrap, needs_tmux, wait_until

pytestmark = [pytest.mark.real, needs_tmux]


def test_a_session_is_printed_and_its_object_is_complete(world: World) -> None:
    done = world.hqt("new", "--harness", "generic", "--name", "x", "--", "cat")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 x: running\n", "")
    found = world.json("new", "--harness", "generic", "--", "cat")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", found.pop("created_at"))
    assert found == {
        "id": 2,
        "name": "proj-generic",
        "project": str(world.project),
        "cwd": str(world.project),
        "harness": "generic",
        "state": "running",
        "since": found["since"],
        "unseen": False,
        "reason": None,
        "muted": False,
        "exit": None,
        "sandbox": None,
        "conversation": None,
        "note": None,
    }
    assert set(shown(world, 2)) == KEYS


@needs_bwrap
@pytest.mark.parametrize(
    ("options", "policy"),
    [
        (["-s"], {"fs": "rw", "net": True}),
        (["--sandbox", "--fs", "ro", "--no-net"], {"fs": "ro", "net": False}),
        (["-s", "--net", "--fs", "rw"], {"fs": "rw", "net": True}),
    ],
)
def test_the_jail_is_as_asked(world: World, options: list[str], policy: dict[str, object]) -> None:
    script = "touch made 2>/dev/null && echo wrote; ls /proc/net/dev >/dev/null; "
    script += "grep -c : /proc/net/dev | sed 's/^/links /'; exec cat"
    found = new(world, script, *options)
    assert found["sandbox"] == policy
    assert shows(world, 1, "links")
    said = screen(world, 1)
    assert ("wrote" in said, (world.project / "made").exists()) == ((policy["fs"] == "rw"),) * 2
    assert ("links 1" in said.splitlines()) is not policy["net"] or policy["net"]


def test_the_name_counts_on_and_the_folder_may_be_named_in_any_way(world: World) -> None:
    link = world.home / "link"
    link.symlink_to(world.project)
    names = []
    for given in (".", "../proj", "~/link", str(world.project)):
        done = world.hqt("new", given, "--harness", "generic", "--json", "--", "cat")
        found = json.loads(done.stdout)
        names.append(found["name"])
        assert (found["project"], found["cwd"]) == (str(world.project),) * 2
    assert names == ["proj-generic", "proj-generic-2", "proj-generic-3", "proj-generic-4"]


def test_without_a_command_generic_is_the_login_shell(world: World) -> None:
    world.json("new", "--harness", "generic")
    comm = Path(f"/proc/{agent_pid(world, 1)}/comm").read_text().strip()
    assert comm in ("sh", "dash", "bash", "zsh", "fish")


def test_the_only_agent_that_is_installed_is_taken(world: World) -> None:
    said = refused(world.hqt("new"), 2)
    names = ", ".join(registry.NAMES)
    assert said == (
        f"no agent is installed. Choose an agent with --harness: {names}"
        " (or set `harness` under [new] in config.toml): see `hqt new --help`"
    )
    world.tool("claude", "exec cat")
    assert world.json("new")["harness"] == "claude"
    world.tool("codex", "exec cat")
    said = refused(world.hqt("new"), 2)
    assert said.startswith("Choose an agent with --harness: claude, codex (or set ")


def _configure(world: World, text: str) -> None:
    world.places.config_file.parent.mkdir(parents=True, exist_ok=True)
    world.places.config_file.write_text(text)


def test_the_harness_of_the_config_is_taken_where_none_is_named(world: World) -> None:
    _configure(world, '[new]\nharness = "generic"\n')
    world.tool("claude", "exec cat")
    world.tool("codex", "exec cat")
    assert world.json("new")["harness"] == "generic"
    assert world.json("new", "--harness", "codex")["harness"] == "codex"
    _configure(world, '[new]\nharness = "nano"\n')
    assert refused(world.hqt("new"), 1).startswith("there is no harness 'nano': it is one of ")


@needs_bwrap
def test_a_jail_that_the_config_asks_for_is_had_unless_it_is_refused_by_name(world: World) -> None:
    _configure(world, "[new]\nsandbox = true\n")
    assert new(world, "exec cat")["sandbox"] == {"fs": "rw", "net": True}
    assert new(world, "exec cat", "--fs", "ro")["sandbox"] == {"fs": "ro", "net": True}
    assert new(world, "exec cat", "--no-sandbox")["sandbox"] is None
    said = refused(world.hqt("new", "--no-sandbox", "--no-net", "--harness", "generic", "--", "cat"), 2)
    assert said == "--fs and --net/--no-net need --sandbox: see `hqt new --help`"


def test_a_jail_that_the_config_asks_for_is_never_left_out(world: World) -> None:
    _configure(world, "[new]\nsandbox = true\n")
    world.tool("bwrap", "echo 'bwrap: no' >&2; exit 1")
    said = refused(world.hqt("new", "--harness", "generic", "--", "touch", "ran"), 4)
    assert said.startswith("a jail can't be made here: ")
    assert traces(world) == NOTHING
    assert not (world.project / "ran").exists()


def test_arguments_arrive_as_they_are_even_where_they_end_in_a_semicolon(world: World) -> None:
    """A40: a word that ends in ; would be tmux's own separator."""
    words = ["hello;", "kill-server", ";", "\\;", "", "a b", "é'\"$(id)`id`#{pid}", "-x", "--"]
    script = 'for each in "$@"; do printf "<%s>\\n" "$each"; done; exec cat'
    world.json("new", "--harness", "generic", "--", "sh", "-c", script, "sh", *words)
    wanted = [f"<{word}>" for word in words]
    assert wait_until(lambda: screen(world, 1).splitlines() == wanted)


def test_a_session_gets_the_variables_of_its_own_shell(world: World) -> None:
    """A41: tmux would give it those of the shell that started the server."""
    script = 'echo "k=$KEY"; exec cat'
    for value in ("a", "b"):
        env = {**world.env, "KEY": value}
        world.hqt("new", "--harness", "generic", "--", "sh", "-c", script, env=env)
    assert [screen(world, session).strip() for session in (1, 2)] == ["k=a", "k=b"]


@needs_bwrap
def test_a_jail_gets_only_the_variables_that_are_named(world: World) -> None:
    env = {**world.env, "KEY": "named", "OTHER": "not"}
    script = 'echo "k=$KEY o=$OTHER s=$HQT_SANDBOX"; exec cat'
    done = world.hqt("new", "-s", "--env", "KEY", "--harness", "generic", "--", "sh", "-c", script, env=env)
    assert done.returncode == 0, done
    assert screen(world, 1) == "k=named o= s=1\n"
    for part in ("cmdline", "environ"):
        assert b"named" not in Path(f"/proc/{agent_pid(world, 1)}/{part}").read_bytes() or part == "environ"


def test_a_session_has_the_size_of_a_common_terminal(world: World) -> None:
    """A44: tmux's own default is 80x24; the last row of 120x40 is for the line inside."""
    new(world, "stty size; exec cat")
    assert screen(world, 1) == "39 120\n"


@pytest.mark.parametrize("jail", [[], pytest.param(["-s"], marks=needs_bwrap)])
def test_a_prompt_of_20_kb_starts(world: World, jail: list[str]) -> None:
    """A47: tmux takes 16 KB of command at most."""
    world.tool("claude", 'for last; do :; done; printf "%s" "$last" | wc -c; exec cat')
    prompt = "do x; " * 3500
    assert world.hqt("new", *jail, "--harness", "claude", "--prompt", prompt).returncode == 0
    assert screen(world, 1).split() == [str(len(prompt))]


def test_a_prompt_over_100_kb_is_refused_before_anything_is_made(world: World) -> None:
    world.tool("claude", "exec cat")
    said = refused(world.hqt("new", "--harness", "claude", "--prompt", "é" * 51_201), 1)
    assert said == "the prompt has 102402 bytes and 102400 are the most: put it into a file of the project"
    assert traces(world) == NOTHING
    assert world.json("new", "--harness", "claude", "--prompt", "é" * 51_200)["state"] == "running"


_REFUSED = [
    ("--harness nano", 1, "nano"),
    ("--harness claude", 1, "'claude' is not on PATH"),
    ("--harness generic --name 7 -- cat", 1, "the name 7 can't be used: numbers are ids: add a letter"),
    ("--harness generic --name taken -- cat", 1, "the name taken is taken: choose another"),
    ("--harness generic -- no-such-program", 1, "'no-such-program' is not on PATH"),
    ("--harness generic -- ./no-such-program", 1, "'./no-such-program' is not a program"),
    ("--harness generic --env NOT_SET -- cat", 1, "the variable NOT_SET is not set in this shell"),
    ("--harness generic --prompt hi -- cat", 1, "a plain command takes no prompt"),
    ("--harness generic -a -- cat", 1, "--attach needs a terminal"),
    ("no/such/folder --harness generic -- cat", 1, "no/such/folder can't be used (No such file"),
    ("README --harness generic -- cat", 1, "README is not a folder: choose the folder it lies in"),
    ("-s no/such/folder --harness generic -- cat", 4, "no/such/folder can't be used (No such file"),
    ("-s / --harness generic -- cat", 4, "can't be jailed: it is shared by everything on this machine"),
    ("-s ~ --harness generic -- cat", 4, "can't be jailed: it is your home folder or holds it"),
    ("-s ~/.ssh --harness generic -- cat", 4, "can't be jailed: it lies in"),
    ("-s --env XDG_RUNTIME_DIR --harness generic -- cat", 4, "leads out of the jail and never enters it"),
]


def _files(world: World) -> list[Path]:
    """All below HOME but hqt's own."""
    hqt = (world.places.data.parent, world.places.state.parent)
    return sorted(each for each in world.home.rglob("*") if not any(each.is_relative_to(own) for own in hqt))


@needs_bwrap
def test_what_is_refused_leaves_nothing(world: World) -> None:
    (world.home / ".ssh").mkdir()
    world.json("new", "--harness", "generic", "--name", "taken", "--", "cat")
    before, files = traces(world), _files(world)
    for words, code, sentence in _REFUSED:
        assert sentence in refused(world.hqt("new", *words.split()), code), words
        assert traces(world) == before, words
        assert _files(world) == files, words


@pytest.mark.parametrize(
    ("says", "sentence"),
    [
        ("setting up uid map: Permission denied", "install the AppArmor profile for bwrap"),
        ("No permissions to create new namespace", "user namespaces are switched off"),
    ],
)
def test_a_bwrap_that_fails_is_quoted_and_nothing_starts_bare(world: World, says: str, sentence: str) -> None:
    """A01: on PATH and yet not usable."""
    world.tool(
        "bwrap", f"case $1 in --version) echo bubblewrap 0.8.0;; *) echo 'bwrap: {says}' >&2; exit 1;; esac"
    )
    said = refused(world.hqt("new", "-s", "--harness", "generic", "--", "touch", "ran"), 4)
    assert says in said
    assert sentence in said
    assert traces(world) == NOTHING
    assert not (world.project / "ran").exists()


def test_without_bwrap_there_is_no_jail(world: World) -> None:
    tools = world.home / ".local/bin"
    for name in ("tmux", "sh", "cat", "python3"):
        found = shutil.which(name)
        assert found is not None
        (tools / name).symlink_to(found)
    env = {**world.env, "PATH": str(tools)}
    said = refused(world.hqt("new", "-s", "--harness", "generic", "--", "cat", env=env), 4)
    assert said.startswith("a jail can't be made here: bubblewrap (bwrap) is not on PATH: install bubblewrap")
    assert traces(world) == NOTHING


_ENDINGS = [
    ("echo not logged in; exit 3", {"code": 3, "signal": None}, "exited (3)"),
    ("echo not logged in; exit 0", {"code": 0, "signal": None}, "exited (0)"),
    ("echo not logged in; exec no-such-program", {"code": 127, "signal": None}, "exited (127)"),
    ("echo not logged in; kill -KILL $$", {"code": None, "signal": 9}, "exited (KILL)"),
]


@pytest.mark.parametrize(("script", "end", "words"), _ENDINGS)
@pytest.mark.parametrize("jail", [[], pytest.param(["-s"], marks=needs_bwrap)])
def test_an_agent_that_ends_at_once_is_shown_with_its_last_lines(
    world: World, jail: list[str], script: str, end: dict[str, int | None], words: str
) -> None:
    """A49: a start that nobody sees fail."""
    world.tool("claude", script)
    done = world.hqt("new", *jail, "--harness", "claude", "--name", "x")
    assert (done.returncode, done.stdout) == (1, f"1 x: {words}\n")
    notes = [line for line in done.stderr.splitlines() if not line.startswith("hqt: note: ")]
    word = words.removeprefix("exited ")
    assert notes[:2] == [f"hqt: session 1 x exited {word}, its last lines: `hqt show 1`", "  | not logged in"]
    found = shown(world, 1)
    assert (found["state"], found["exit"]) == ("exited", end)
    assert "  | not logged in\n" in world.hqt("show", "1").stdout
    assert screen(world, 1).startswith("not logged in\n")


def test_a_program_that_ends_later_is_exited_too(world: World) -> None:
    new(world, "read -r x; echo bye; exit 5")
    tmux(world, "send-keys", "-t", f"=hqt-{key(world, 1)}:", "Enter")
    assert becomes(world, 1, "exited")
    assert shown(world, 1)["exit"] == {"code": 5, "signal": None}
    assert "  | bye\n" in world.hqt("show", "1").stdout


def test_a_program_that_only_the_shell_knows_is_named(world: World) -> None:
    """A50: an alias or a function is no program."""
    (world.home / ".bashrc").write_text("alias claude=cat; codex() { cat; }\n")
    for name in ("claude", "codex"):
        said = refused(world.hqt("new", "--harness", name), 1)
        assert said.startswith(f"'{name}' is not on PATH: install it")
    assert traces(world) == NOTHING


def test_the_program_is_found_on_the_callers_path_not_the_servers(world: World) -> None:
    """A50: the server keeps the PATH of whoever started it."""
    new(world, "exec cat")
    other = world.home / "other/bin"
    other.mkdir(parents=True)
    world.tool("claude", "echo found; exec cat").rename(other / "claude")
    env = {**world.env, "PATH": f"{other}:{world.env['PATH']}"}
    done = world.hqt("new", "--harness", "claude", env=env)
    assert (done.returncode, done.stdout) == (0, "2 proj-claude: running\n")
    assert screen(world, 2) == "found\n"


@pytest.mark.parametrize("shell", ["stub", "/usr/sbin/nologin", None])
def test_the_users_shell_is_never_asked(world: World, shell: str | None) -> None:
    """A48: fish, nu and tcsh do not read what was written for sh."""
    stub = world.tool("stub", 'echo "stub $*" >> "$HOME/asked"; exit 1')
    env = {name: value for name, value in world.env.items() if name != "SHELL"}
    if shell is not None:
        env["SHELL"] = str(stub) if shell == "stub" else shell
    done = world.hqt("new", "--harness", "generic", "--", "sh", "-c", "echo 'a'\\''b'; exec cat", env=env)
    assert done.returncode == 0, done
    assert screen(world, 1) == "a'b\n"
    assert not (world.home / "asked").exists()


_CONF = """
set -g base-index 1
setw -g pane-base-index 1
set -g destroy-unattached on
set -g default-command 'exit 1'
set -g default-shell /bin/false
set -g remain-on-exit off
set -s exit-empty on
set -g status on
set -g prefix C-a
set -g history-limit 10
set-hook -g session-created 'kill-session'
"""


def test_the_users_own_tmux_settings_change_nothing(world: World) -> None:
    """A38 and A43: base-index 1, destroy-unattached on, hooks."""
    for place in (".tmux.conf", ".config/tmux/tmux.conf"):
        file = world.home / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_CONF)
    new(world, "echo here; exec cat")
    assert screen(world, 1) == "here\n"
    assert shown(world, 1)["state"] == "running"
    assert world.hqt("stop", "1").stdout == "1 proj-generic: stopped (TERM)\n"


def test_history_holds_more_than_a_screen_from_the_start(world: World) -> None:
    """A72: the limit counts when the pane is made."""
    new(world, "seq 10000; exec cat")
    assert shows(world, 1, "10000")
    said = world.hqt("capture", "1", "--lines", "4000").stdout.splitlines()
    assert (len(said), said[0], said[-1]) == (4000, "6001", "10000")
    assert len(world.hqt("capture", "1").stdout.splitlines()) <= 40


def test_a_split_of_the_window_does_not_hide_the_agent(world: World) -> None:
    """A39: the user's own pane is active, the agent's is looked at."""
    new(world, "echo the agent; exec cat")
    tmux(world, "split-window", "-t", f"=hqt-{key(world, 1)}:", "echo not it; exec cat")
    assert screen(world, 1) == "the agent\n"
    assert shown(world, 1)["state"] == "running"
    assert world.hqt("resume", "1").stdout == "1 proj-generic: running\n"
    assert panes(world) == [f"hqt-{key(world, 1)}"]
    world.hqt("stop", "1")
    assert panes(world) == []


_ODD = ["my project", "a_b", ".hid", "ünï 日本", "-lead", "new\nline 'q\"", "#(touch PWN)", "x;"]


@pytest.mark.parametrize(
    ("jail", "names"),
    [([], ["new\nline 'q\""]), pytest.param(["-s"], _ODD, marks=needs_bwrap)],
)
def test_a_folder_of_any_name_works(world: World, jail: list[str], names: list[str]) -> None:
    """A10: started, listed, stopped and resumed where it is."""
    for name in names:
        folder = world.home / name
        folder.mkdir()
        options = (*jail, "--harness", "generic", str(folder))
        done = world.hqt("new", *options, "--", "sh", "-c", "pwd > here; exec cat")
        assert done.returncode == 0, done
        assert (folder / "here").read_text() == f"{folder}\n"
    ids = [str(number + 1) for number in range(len(names))]
    assert world.hqt("stop", *ids).returncode == 0
    assert all(world.hqt("resume", each).returncode == 0 for each in ids)
    found = json.loads(world.hqt("list", "--json").stdout)
    folders = [str(world.home / name) for name in names]
    assert [(each["project"], each["state"]) for each in found] == [(each, "running") for each in folders]
    assert len(world.hqt("list").stdout.splitlines()) == len(names) + 1
    assert {each.name for name in names for each in (world.home / name).iterdir()} == {"here"}
    assert not (world.project / "PWN").exists()
