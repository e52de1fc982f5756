"""`hqt doctor`, as people and programs see it; public reports A01, A02, A03 and A42."""

import json
import os
import pty
import shlex
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import pytest

from hqt.harnesses import registry
from tests.world import World, needs_bwrap, needs_tmux, tmux_servers

_ANSWER_VERSION = '[ "$1" = --version ] && exec echo bubblewrap 0.8.0'
_UID_MAP = "bwrap: setting up uid map: Permission denied"
_PROC = "bwrap: Can't mount proc on /newroot/proc: Operation not permitted"
_LOOPBACK = "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted"

# A01: Ubuntu 24.04's AppArmor, A02: a container's masked /proc, A03: no offline network
NO_USER_NAMESPACES = f"""{_ANSWER_VERSION}
echo '{_UID_MAP}' >&2; exit 1"""
NO_PROC = f"""case " $* " in
*" --unshare-pid "*" --proc "*) echo "{_PROC}" >&2; exit 1 ;;
esac
exec /usr/bin/bwrap "$@\""""
NO_LOOPBACK = f"""case " $* " in
*" --unshare-net "*) echo '{_LOOPBACK}' >&2; exit 1 ;;
esac
exec /usr/bin/bwrap "$@\""""


@dataclass(frozen=True, slots=True)
class Case:
    stub: str
    quoted: str
    meaning: str
    remedy: str


A01 = Case(
    NO_USER_NAMESPACES, _UID_MAP, "only programs with an AppArmor profile", "AppArmor profile for bwrap"
)
A02 = Case(NO_PROC, _PROC, "container blocks nested sandboxes", "--security-opt")
A03 = Case(NO_LOOPBACK, _LOOPBACK, "offline network", "jails with a network work")


def _doctor(world: World, **env: str) -> tuple[int, dict[str, dict[str, str | None]]]:
    done = world.hqt("doctor", "--json", env={**world.env, **env})
    assert done.stderr == ""
    found = json.loads(done.stdout)
    assert found["ok"] is (done.returncode == 0)
    return done.returncode, {check["id"]: check for check in found["checks"]}


def _assert_nothing_started(world: World) -> None:
    assert world.json("list") == []
    assert tmux_servers(world.root) == []


def test_each_check_has_the_documented_keys(world: World) -> None:
    code, checks = _doctor(world)
    assert code == 0
    for check in checks.values():
        assert list(check) == ["id", "label", "state", "detail", "remedy"]
        assert check["state"] in ("ok", "warning", "missing")


def test_it_imports_nothing_slow(world: World) -> None:
    slow = {"sqlalchemy", "textual", "rich", "asyncio"}
    program = (
        "import sys\nfrom hqt.cli.main import main\n"
        f"try: main(['doctor'])\nfinally: print(sorted(sys.modules.keys() & {slow!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], env=world.env, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_without_bwrap_git_and_agents_hqt_still_works(world: World) -> None:
    tmux = world.tool("tmux", 'exec /usr/bin/tmux "$@"')
    code, checks = _doctor(world, PATH=str(tmux.parent))
    missing = {id_ for id_, check in checks.items() if check["state"] == "missing"}
    jail = {"bwrap", "bwrap-offline", "bwrap-layers"}
    agents = {f"harness-{name}" for name in registry.NAMES if name != "generic"}
    assert (code, missing) == (0, jail | {"git", *agents})
    assert checks["bwrap"]["detail"] == "bubblewrap (bwrap) is not on PATH"
    assert str(checks["bwrap"]["remedy"]).startswith("install bubblewrap")


def test_without_tmux_it_fails_and_shows_the_rest(world: World) -> None:
    code, checks = _doctor(world, PATH=str(world.home))
    assert (code, checks["tmux"]["state"], checks["database"]["state"]) == (1, "failed", "ok")


def test_a_relative_data_folder_fails_and_shows_the_rest(world: World) -> None:
    code, checks = _doctor(world, XDG_DATA_HOME="share")
    failed = [id_ for id_, check in checks.items() if check["state"] == "failed"]
    assert (code, failed) == (1, ["folder-data"])
    assert checks["folder-data"]["detail"] == "XDG_DATA_HOME=share is not an absolute path"


def test_it_runs_in_a_folder_that_is_gone(world: World) -> None:
    gone = world.home / "gone"
    gone.mkdir()
    script = f"cd {gone} && rmdir {gone} && exec {shlex.quote(sys.executable)} -P -m hqt doctor"
    done = subprocess.run(["sh", "-c", script], env=world.env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_people_read_one_line_a_check_and_its_remedy_below(world: World) -> None:
    lines = world.hqt("doctor").stdout.splitlines()
    assert lines[-1] == "hqt works here"
    at = next(number for number, line in enumerate(lines) if "Codex" in line)
    assert lines[at : at + 2] == [
        "missing  Codex            'codex' is not on PATH",
        "                          -> install it, or add the folder that holds it to PATH",
    ]
    column = lines[0].index("3.")
    assert {line[column - 1] for line in lines[:-1]} == {" "}


def test_foreign_text_can_not_act_on_the_terminal(world: World) -> None:
    world.tool("git", r"printf 'git version \033]0;owned\a\n'")
    line = next(line for line in world.hqt("doctor").stdout.splitlines() if " git " in line)
    assert r"\x1b]0;owned\x07" in line


def test_on_a_terminal_lines_are_as_wide_as_it_is(world: World) -> None:
    lines = _on_terminal(world, columns=60)
    # paths and commands are kept whole
    assert all(len(line) <= 60 or len(line.split()) <= 4 for line in lines)
    assert lines[-1] == "hqt works here"


def _on_terminal(world: World, *, columns: int) -> list[str]:
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, columns))
    command = [sys.executable, "-P", "-m", "hqt", "doctor"]
    with subprocess.Popen(command, env=world.env, stdout=theirs, stdin=subprocess.DEVNULL) as doctor:
        os.close(theirs)
        said = b"".join(_read(ours))
    os.close(ours)
    assert doctor.returncode == 0
    return said.decode().splitlines()


def _read(terminal: int) -> Iterator[bytes]:
    with suppress(OSError):  # EIO: the last writer has closed it
        while block := os.read(terminal, 65536):
            yield block


@pytest.mark.real
@needs_bwrap
def test_a_good_bwrap_first_on_path_is_used(world: World) -> None:
    stub = world.tool("bwrap", 'exec /usr/bin/bwrap "$@"')
    code, checks = _doctor(world)
    assert (code, checks["bwrap"]["state"], checks["bwrap-offline"]["state"]) == (0, "ok", "ok")
    assert str(stub) in str(checks["bwrap"]["detail"])


@pytest.mark.real
@needs_bwrap
def test_what_bwrap_could_do_before_is_not_taken_for_true(world: World) -> None:
    stub = world.tool("bwrap", f'[ -e {world.home}/broken ] && exit 1\nexec /usr/bin/bwrap "$@"')
    states = [_doctor(world)[1]["bwrap"]["state"]]
    (world.home / "broken").touch()
    states.append(_doctor(world)[1]["bwrap"]["state"])
    assert (states, stub.exists()) == (["ok", "warning"], True)


@pytest.mark.real
@needs_bwrap
@needs_tmux
@pytest.mark.parametrize("case", [A01, A02], ids=["A01", "A02"])
def test_a_bwrap_that_can_not_make_a_jail_is_explained_and_starts_nothing(world: World, case: Case) -> None:
    world.tool("bwrap", case.stub)
    code, checks = _doctor(world)
    jail = checks["bwrap"]
    assert (code, jail["state"]) == (0, "warning")
    for words in ("present but not usable", case.quoted, case.meaning):
        assert words in str(jail["detail"])
    assert case.remedy in str(jail["remedy"])

    refused = world.hqt("new", "-s", "--harness", "generic", "--", "sleep", "60")
    assert (refused.returncode, refused.stdout) == (4, "")
    assert case.quoted in refused.stderr
    assert case.remedy in refused.stderr
    _assert_nothing_started(world)


@pytest.mark.real
@needs_bwrap
@needs_tmux
def test_a_jail_that_can_not_be_offline_is_refused_offline_only(world: World) -> None:
    world.tool("bwrap", A03.stub)
    code, checks = _doctor(world)
    jail, offline = checks["bwrap"], checks["bwrap-offline"]
    assert (code, jail["state"], offline["state"]) == (0, "ok", "warning")
    assert A03.quoted in str(offline["detail"])
    assert A03.meaning in str(offline["detail"])
    assert "not usable" not in str(offline["detail"])
    assert A03.remedy in str(offline["remedy"])

    command = ("--harness", "generic", "--", "sleep", "60")
    refused = world.hqt("new", "-s", "--no-net", *command)
    assert (refused.returncode, refused.stdout) == (4, "")
    assert A03.quoted in refused.stderr
    _assert_nothing_started(world)

    assert world.hqt("new", "-s", "--net", *command).returncode == 0
    assert [view["state"] for view in world.json("list")] == ["running"]
    world.hqt("rm", "--force", "1")


@pytest.mark.real
@needs_tmux
def test_a_server_without_its_socket_is_revived_by_the_remedy(world: World) -> None:
    assert world.hqt("new", "--harness", "generic", "--", "sleep", "60").returncode == 0
    assert _doctor(world)[1]["tmux-server"]["state"] == "ok"
    world.places.socket.unlink()

    code, checks = _doctor(world)
    server = checks["tmux-server"]
    assert (code, server["state"]) == (1, "failed")
    assert str(server["detail"]).startswith("unreachable: it lives")
    subprocess.run(["sh", "-c", str(server["remedy"]).split("`")[1]], check=True)

    code, checks = _doctor(world)
    assert (code, checks["tmux-server"]["state"], checks["panes"]["state"]) == (0, "ok", "ok")
    world.hqt("rm", "--force", "1")


@pytest.mark.real
@needs_tmux
def test_panes_whose_database_was_moved_away_are_found_and_ended_by_the_remedy(world: World) -> None:
    assert world.hqt("new", "--harness", "generic", "--name", "lost one", "--", "sleep", "60").returncode == 0
    for file in world.places.data.glob("hqt.db*"):
        file.unlink()
    code, checks = _doctor(world)
    panes = checks["panes"]
    assert (code, panes["state"]) == (0, "warning")
    assert str(panes["detail"]).startswith("1 pane without a session: ")
    assert str(panes["detail"]).endswith("(lost one)")
    subprocess.run(["sh", "-c", str(panes["remedy"]).split("`")[3]], check=True, env=world.env)
    assert _doctor(world)[1]["panes"]["state"] == "ok"
