"""`hqt sandbox exec`: exactly a session's jail around one command, or one sentence and 125."""

import json
import os
import shutil
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from hqt.errors import JailError
from hqt.start.caller import Caller
from hqt.start.request import Launch
from hqt.start.run_once import execute
from tests.world import World, needs_bwrap

UID = os.geteuid()
HQT = (sys.executable, "-P", "-m", "hqt")
# what an ordinary user or root finds in a home that an agent was never used in
_NAMES = ["my project", "a_b", ".hid", "ünï 日本", "-lead", "q'\"\nq", "b\udcffd"]

real = [pytest.mark.real, needs_bwrap]


def jailed(world: World, *words: str, env: dict[str, str] | None = None, cwd: Path | None = None) -> str:
    """What a command says in an offline jail; it must succeed, and hqt say nothing."""
    done = world.hqt("sandbox", "exec", "--no-net", *words, env={**world.env, **(env or {})}, cwd=cwd)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


def refused(world: World, *words: str, env: dict[str, str] | None = None) -> str:
    """Why a command is not run; what it would have written must not be there."""
    done = world.hqt("sandbox", "exec", *words, "--", "touch", "ran", env={**world.env, **(env or {})})
    assert (done.returncode, done.stdout) == (125, ""), done
    assert done.stderr.startswith("hqt: ")
    assert done.stderr.count("\n") == 1
    assert not list(world.root.rglob("ran"))
    return done.stderr.removeprefix("hqt: ").rstrip("\n")


def test_without_a_policy_there_is_nothing_to_execute(world: World) -> None:
    launch = Launch("generic", world.project, None, command=("true",))
    with pytest.raises(JailError, match="a jail was not asked for"):
        execute(launch, world.places, Caller(world.env, UID, 0o022))


def test_without_bwrap_nothing_is_run(world: World) -> None:
    assert refused(world, env={"PATH": "/nonexistent"}) == (
        "a jail can't be made here: bubblewrap (bwrap) is not on PATH: "
        "install bubblewrap with your package manager (apt, dnf, pacman, zypper, apk)"
    )


def test_with_a_bwrap_that_fails_nothing_is_run_and_its_words_are_told(world: World) -> None:
    world.tool("bwrap", "echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1")
    said = refused(world)
    assert said.startswith(
        "a jail can't be made here: bubblewrap is present but not usable "
        "(bwrap: setting up uid map: Permission denied): "
    )
    assert "AppArmor" in said


@pytest.mark.parametrize("words", [("--fs", "rx"), ("--fs", ""), ("--net=maybe",), ("--gpu",)])
def test_a_policy_with_anything_unknown_is_a_usage_error(world: World, words: tuple[str, ...]) -> None:
    done = world.hqt("sandbox", "exec", *words, "--", "touch", "ran")
    assert (done.returncode, done.stdout) == (2, "")
    assert not (world.project / "ran").exists()


class TestFolder:
    """Working directories that are none."""

    pytestmark = real

    @pytest.mark.parametrize("kind", ["file", "fifo", "socket"])
    def test_what_is_no_folder_is_named(
        self, world: World, kind: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = world.home / kind
        monkeypatch.chdir(world.home)
        with socket.socket(socket.AF_UNIX) as listener:
            if kind == "file":
                path.touch()
            elif kind == "fifo":
                os.mkfifo(path)
            else:
                listener.bind(kind)
            assert refused(world, "-C", str(path)) == f"{path} is not a folder: choose the folder it lies in"

    def test_one_that_is_gone_is_named(self, world: World) -> None:
        assert refused(world, "-C", str(world.home / "gone")) == (
            f"the folder {world.home}/gone can't be used (No such file or directory): "
            "choose another or see `hqt move`"
        )

    def test_a_loop_of_links_is_named(self, world: World) -> None:
        loop = world.home / "loop"
        loop.symlink_to(loop)
        assert refused(world, "-C", str(loop)) == (
            f"the folder {loop} can't be used (a loop of links): choose another or see `hqt move`"
        )

    def test_a_name_that_is_too_long_is_told(self, world: World) -> None:
        assert "(File name too long)" in refused(world, "-C", str(world.home / ("x" * 300)))

    @pytest.mark.skipif(UID == 0, reason="root enters every folder")
    def test_one_that_can_not_be_entered_is_named(self, world: World) -> None:
        closed = world.home / "closed"
        closed.mkdir(mode=0)
        assert refused(world, "-C", str(closed)) == (
            f"{closed} can't be read by you: change its mode or choose another folder"
        )

    @pytest.mark.skipif(UID != 0, reason="only root can give a folder away")
    def test_one_of_another_user_is_named_to_root(self, world: World) -> None:
        foreign = world.home / "foreign"
        foreign.mkdir(mode=0o755)
        os.chown(foreign, 65534, 65534)
        assert refused(world, "-C", str(foreign)).startswith(
            f"{foreign} belongs to uid 65534 and can't be written"
        )
        done = world.hqt("sandbox", "exec", "--fs", "ro", "-C", str(foreign), "--", "pwd")
        assert (done.returncode, done.stdout) == (0, f"{foreign}\n")

    def test_the_system_and_hqts_own_are_named(self, world: World) -> None:
        world.places.data.mkdir(parents=True)
        for folder in (
            "/usr/share",
            "/etc",
            "/proc",
            str(world.places.data),
            str(world.home / ".local/share"),
        ):
            assert refused(world, "-C", folder).startswith(f"{folder} can't be jailed: it ")


class TestCommand:
    """Commands that can't be one, and how those end that can."""

    pytestmark = real

    def ran(self, world: World, *command: str) -> tuple[int, str, str]:
        done = world.hqt("sandbox", "exec", "--no-net", "--", *command)
        return done.returncode, done.stdout, done.stderr

    def test_one_with_an_equals_sign_is_named(self, world: World) -> None:
        code, out, said = self.ran(world, "A=B", "true")
        assert (code, out) == (125, "")
        assert said == "hqt: the command 'A=B' holds '=' and can't be run in a jail: give it another name\n"

    def test_one_that_is_an_option_of_env_is_named(self, world: World) -> None:
        code, out, said = self.ran(world, "-S", "true")
        assert (code, out) == (125, "")
        assert (
            said == "hqt: the command '-S' begins with '-' and can't be run in a jail: give it another name\n"
        )

    def test_one_that_is_missing_is_127_and_one_that_can_not_be_run_126(self, world: World) -> None:
        assert self.ran(world, "no-such-command")[0] == 127
        assert self.ran(world, "./README")[0] == 126

    def test_its_exit_status_is_handed_on(self, world: World) -> None:
        for code in (0, 1, 4, 42, 255):
            assert self.ran(world, "sh", "-c", f"exit {code}") == (code, "", "")
        assert self.ran(world, "sh", "-c", "kill -KILL $$")[0] == 137

    def test_its_words_reach_it_as_they_are(self, world: World) -> None:
        words = ("a b", "", "$HOME", "--", "é\udcff", "'\"\n", "--no-net", "-C")
        assert self.ran(world, "printf", "%s|", *words) == (0, "|".join(words) + "|", "")

    def test_a_jail_that_could_not_be_made_after_all_is_125_and_bwrap_is_asked_anew(
        self, world: World
    ) -> None:
        # bwrap works when it is tried; in earnest a mount fails once its child is there
        world.tool(
            "bwrap",
            'case "$*" in *--chdir*) set -- --unshare-user --json-status-fd 3 --ro-bind / / '
            '--ro-bind /etc/passwd /usr/no-such-file true ;; esac; exec /usr/bin/bwrap "$@"',
        )
        code, out, said = self.ran(world, "touch", "ran")
        assert (code, out) == (125, "")
        assert said.splitlines()[-1] == (
            "hqt: the jail could not be made, nothing was started: see the line above"
        )
        assert not (world.project / "ran").exists()
        assert not (world.places.state / "bwrap.json").exists()

    def test_nothing_is_left_of_it_in_the_project(self, world: World) -> None:
        before = sorted(world.project.rglob("*"))
        assert self.ran(world, "true") == (0, "", "")
        assert sorted(world.project.rglob("*")) == before


class TestPublicReports:
    """What users of jails have run into; the names are those of the reports."""

    pytestmark = real

    def test_a05_a_project_by_a_link_is_the_project(self, world: World) -> None:
        link = world.home / "link"
        link.symlink_to(world.project)
        assert jailed(world, "-C", str(link), "--", "sh", "-c", "pwd -P; ls; ls ~/link") == (
            f"{world.project}\nREADME\nREADME\n"
        )

    def test_a06_of_the_temporary_folder_only_the_way_to_the_project_is_seen(self, world: World) -> None:
        (world.root.parent / f"{world.root.name}-neighbour").touch()
        try:
            for fs in ("rw", "ro"):
                script = f"ls; ls -A {world.root.parent} {world.root}"
                assert jailed(world, "--fs", fs, "--", "sh", "-c", script) == (
                    f"README\n{world.root.parent}:\n{world.root.name}\n\n{world.root}:\nhome\n"
                )
        finally:
            (world.root.parent / f"{world.root.name}-neighbour").unlink()

    @pytest.mark.parametrize(
        ("harness", "folder"),
        [("kiro", ".kiro/sessions"), ("codex", ".codex/sessions"), ("claude", ".claude/projects")],
    )
    def test_a07_a_first_start_makes_what_it_keeps(self, world: World, harness: str, folder: str) -> None:
        (world.home / ".gitconfig").symlink_to(world.home / "gone")
        done = world.hqt(
            "sandbox", "exec", "--harness", harness, "--", "sh", "-c", f"echo kept > ~/{folder}/x"
        )
        assert done.returncode == 0, done
        assert (world.home / folder / "x").read_text() == "kept\n"
        assert stat.S_IMODE((world.home / folder).stat().st_mode) == 0o700
        notes = [line for line in done.stderr.splitlines() if "login" in line]
        assert len(notes) == (0 if harness == "kiro" else 1)

    @pytest.mark.parametrize("name", _NAMES)
    def test_a10_a_project_may_have_any_name(self, world: World, name: str) -> None:
        folder = world.home / name
        folder.mkdir()
        script = "pwd; touch made"
        assert jailed(world, "-C", str(folder), "--", "sh", "-c", script) == f"{folder}\n"
        assert (folder / "made").exists()
        assert jailed(world, "--", "pwd", cwd=folder) == f"{folder}\n"

    def test_a14_tools_by_alternatives_are_there(self, world: World) -> None:
        tools = "awk vi editor pager which nc cc java".split()
        path = world.env["PATH"]
        there = [found for tool in tools if (found := shutil.which(tool, path=path))]
        script = "for each; do test -x $(readlink -f $each) || echo missing $each; done"
        assert jailed(world, "--", "sh", "-c", script, "sh", *there) == ""

    def test_a16_the_state_of_claude_is_a_copy_that_can_be_renamed_over(self, world: World) -> None:
        state = world.home / ".claude.json"
        state.write_text('{"hasCompletedOnboarding": true, "n": 0}')
        (world.home / ".claude").mkdir()
        (world.home / ".claude/.credentials.json").write_text("{}")
        replace = (
            "for i in $(seq 100); do mkdir ~/.claude.json.lock || exit 1; echo '{\"jail\": '$i'}' > ~/.n && "
            "mv ~/.n ~/.claude.json && rmdir ~/.claude.json.lock || exit 1; done; cat ~/.claude.json"
        )
        jails = [self.start(world, "claude", replace) for _ in range(2)]
        for number in range(100):  # the open session beside them
            new = state.with_name(".claude.json.new")
            new.write_text(json.dumps({"hasCompletedOnboarding": True, "n": number}))
            new.replace(state)
        for jail in jails:
            assert jail.communicate(timeout=60)[0] == '{"jail": 100}\n'
        assert json.loads(state.read_text()) == {"hasCompletedOnboarding": True, "n": 99}
        found = jailed(world, "--harness", "claude", "--", "cat", str(state))
        assert json.loads(found)["n"] == 99

    def start(self, world: World, harness: str, script: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [*HQT, "sandbox", "exec", "--harness", harness, "--", "sh", "-c", script],
            env=world.env,
            cwd=world.project,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )

    def test_a20_a_folder_of_settings_is_expanded_or_refused(self, world: World) -> None:
        (world.home / "x").mkdir()
        (world.home / "x/.credentials.json").write_text("mine")
        words = ("--harness", "claude")
        script = "echo $CLAUDE_CONFIG_DIR; cat ~/x/.credentials.json"
        assert jailed(world, *words, "--", "sh", "-c", script, env={"CLAUDE_CONFIG_DIR": "~/x"}) == (
            f"{world.home}/x\nmine"
        )
        for value in ("./x", "x", ""):
            said = refused(world, *words, env={"CLAUDE_CONFIG_DIR": value})
            assert said.startswith("CLAUDE_CONFIG_DIR=")
            assert f"{value}" in said
        assert sorted(path.name for path in world.project.iterdir()) == [".git", "README"]

    def test_a24_names_are_resolved_where_resolv_conf_is_a_link_into_run(self, world: World) -> None:
        etc = world.root / "etc"
        script = f"""
        cp -a /etc {etc} 2>/dev/null; mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/resolve &&
        echo 'nameserver 192.0.2.1' > /run/systemd/resolve/stub-resolv.conf &&
        ln -sf ../run/systemd/resolve/stub-resolv.conf {etc}/resolv.conf && mount --bind {etc} /etc &&
        exec "$@"
        """
        apart = ("unshare", "--mount", *(() if UID == 0 else ("--map-root-user",)), "sh", "-c", script, "sh")
        done = subprocess.run(
            [*apart, *HQT, "sandbox", "exec", "--", "cat", "/etc/resolv.conf"],
            env=world.env,
            cwd=world.project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, "nameserver 192.0.2.1\n"), done

    def test_a25_localhost_and_the_user_have_names(self, world: World) -> None:
        script = "getent hosts localhost >/dev/null && id -un && whoami"
        outside = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout
        assert jailed(world, "--", "sh", "-c", script) == outside * 2

    def test_a27_the_ssh_agent_is_neither_reachable_nor_promised(self, world: World) -> None:
        agent = world.root / "agent.sock"
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(agent))
            listener.listen()
            script = f"echo [$SSH_AUTH_SOCK]; test -e {agent} || echo gone"
            assert jailed(world, "--", "sh", "-c", script, env={"SSH_AUTH_SOCK": str(agent)}) == "[]\ngone\n"
        assert "leads out of the jail" in refused(world, "--env", "SSH_AUTH_SOCK")

    def test_a_link_to_a_folder_of_programs_is_followed(self, world: World) -> None:
        programs = world.home / "dotfiles/bin"
        programs.mkdir(parents=True)
        tool = world.home / "opt/tool"
        tool.parent.mkdir()
        tool.write_text("#!/bin/sh\necho ran\n")
        tool.chmod(0o755)
        (programs / "tool").symlink_to(tool)
        (world.home / "bin").symlink_to(programs)
        path = f"{world.home}/bin:{world.env['PATH']}"
        assert jailed(world, "--", "tool", env={"PATH": path}) == "ran\n"
