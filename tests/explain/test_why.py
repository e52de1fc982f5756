"""Why tells of a path what the jail does with it."""

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

from hqt.explain.why import Answer, why
from hqt.sandbox import SandboxPolicy
from tests.jailcheck.scene import foreseen
from tests.world import World, needs_bwrap

RW, RO = SandboxPolicy(net=False), SandboxPolicy(fs="ro", net=False)


def ask(world: World, path: Path, policy: SandboxPolicy = RW, harness: str = "generic") -> Answer:
    return why(foreseen(world, policy=policy, harness=harness), path)


def test_a_file_of_the_project_is_seen_and_written(world: World) -> None:
    path = world.project / "README"
    assert ask(world, path) == Answer(path, True, True, True, "project", "it is a part of the project")


def test_a_reading_jail_names_the_option_that_lets_it_be_written(world: World) -> None:
    found = ask(world, world.project / "README", RO)
    assert (found.visible, found.writable, found.rule) == (True, False, "project")
    assert found.why.endswith("it is read-only in this jail")
    assert found.advice == "to let it be written, start with --fs rw"


def test_what_is_not_yet_in_the_project_will_be_seen(world: World) -> None:
    found = ask(world, world.project / "new")
    assert (found.exists, found.visible, found.writable, found.rule) == (False, True, True, "project")


def test_a_file_that_programs_outside_obey_is_compared_or_kept(world: World) -> None:
    kept = world.project / ".mcp.json"
    kept.write_text("{}")
    found = ask(world, kept)
    assert (found.visible, found.writable, found.rule) == (True, False, "guard")
    assert found.advice == "to change it, do so outside of the jail"
    assert "compares it when the session ends" in ask(world, world.project / ".envrc").why


def test_git_keeps_what_leads_it(world: World) -> None:
    assert ask(world, world.project / ".git/config").rule == "guard"
    assert ask(world, world.project / ".git/HEAD").rule == "git"


def test_the_home_is_empty_and_a_key_is_used_from_outside(world: World) -> None:
    found = ask(world, world.home / ".ssh/id_rsa")
    assert (found.exists, found.visible, found.writable, found.rule) == (False, False, False, "home")
    assert found.advice is not None
    assert "needs no keys" in found.advice


def test_what_should_be_seen_is_to_be_put_into_the_project(world: World) -> None:
    (world.home / "notes").write_text("x")
    found = ask(world, world.home / "notes")
    assert (found.exists, found.visible, found.rule) == (True, False, "home")
    assert found.advice is not None
    assert f"put it or a copy of it into the project {world.project}" in found.advice


def test_hqts_own_is_never_shown(world: World) -> None:
    found = ask(world, world.places.database)
    assert (found.visible, found.rule) == (False, "hqt")


def test_the_projects_cache_stands_in_for_the_machines(world: World) -> None:
    (world.home / ".cache").mkdir()
    (world.home / ".cache/pip").write_text("x")
    assert ask(world, world.home / ".cache").visible
    found = ask(world, world.home / ".cache/pip")
    assert (found.exists, found.visible, found.writable, found.rule) == (True, False, False, "cache")


def test_a_login_is_told_as_the_harnesss(world: World) -> None:
    login = world.home / ".codex/auth.json"
    login.parent.mkdir()
    login.write_text("{}")
    assert ask(world, login, harness="codex") == Answer(
        login, True, True, True, "harness", "Codex logs in with it"
    )
    assert not ask(world, login, harness="claude").visible


def test_another_name_of_a_seen_file_leads_to_the_one_inside(world: World) -> None:
    (world.home / "name").symlink_to(world.project)
    found = ask(world, world.home / "name/README")
    assert (found.visible, found.also) == (False, world.project / "README")
    assert found.advice == f"to use it inside, name it {world.project / 'README'}"


def test_a_link_in_the_project_shows_nothing_of_what_it_leads_to(world: World) -> None:
    (world.home / "secret").write_text("x")
    (world.project / "link").symlink_to(world.home / "secret")
    found = ask(world, world.project / "link")
    assert (found.exists, found.visible, found.rule) == (True, False, "home")


def test_a_folder_above_what_is_shown_is_not_called_hidden(world: World) -> None:
    assert ask(world, Path("/etc")).rule == "jail"
    assert "but for what this jail shows" in ask(world, world.home).why


def test_an_open_session_keeps_nothing_back(world: World) -> None:
    found = why(foreseen(world, policy=None), world.home)
    assert (found.visible, found.writable, found.rule) == (True, True, "open")


@dataclass(frozen=True, slots=True)
class _Seen:
    visible: bool
    writable: bool


@pytest.mark.real
@needs_bwrap
@pytest.mark.parametrize("policy", [RW, RO], ids=["rw", "ro"])
def test_every_answer_is_what_the_jail_really_does(world: World, policy: SandboxPolicy) -> None:
    paths = _varied(world)
    options = ["--harness", "claude", "--fs", policy.fs, "--no-net"]
    words = " ".join(shlex.quote(str(path)) for path in paths)
    script = f'for path in {words}; do test -e "$path"; a=$?; test -w "$path"; echo "$a$?"; done'
    done = world.hqt("sandbox", "exec", *options, "--", "sh", "-c", script)
    assert done.returncode in (0, 1), done
    really = [_Seen(line[0] == "0", line[1] == "0") for line in done.stdout.split()]
    start = foreseen(world, policy=policy, harness="claude")
    answers = [why(start, path) for path in paths]
    told = [_Seen(each.visible and each.exists, each.writable and each.exists) for each in answers]
    assert dict(zip(paths, told, strict=True)) == dict(zip(paths, really, strict=True))


def _varied(world: World) -> list[Path]:
    home, project = world.home, world.project
    _furnish(home, project)
    below_home = """
        . .ssh .ssh/id_rsa .claude .claude/settings.json .claude/.credentials.json .claude/projects
        .claude/projects/x .claude/other .claude.json .codex/auth.json .local .local/bin .local/bin/tool
        .local/share .local/share/hqt .cache .cache/pip .npm go go/pkg .config .config/git .gitconfig
        linked linked/README secret no/such/path
    """.split()
    below_project = """
        . README new sub sub/file sub/../README README/x .git .git/HEAD .git/hooks .git/config .git/index
        .git/commondir .git/info .mcp.json .envrc .vscode to-secret to-readme to-nowhere to-itself
        to-tmp read-only shut shut/x no-such/../README
    """.split()
    machine = f"""
        / /etc /etc/passwd /etc/shadow /etc/ssl /etc/resolv.conf /etc/default /usr/bin/env /bin/sh /lib
        /var /var/run /var/lib /run /tmp /tmp/x /var/tmp /home /root /mnt /srv /opt /dev /dev/null /dev/shm
        /dev/sda /dev/stdin/x /proc /proc/1 /proc/{os.getpid()} /proc/meminfo /sys /boot {world.root}
        {world.root}/run {"/etc/" + "n" * 300}
    """.split()
    return [
        *(home / name for name in below_home),
        *(project / name for name in below_project),
        *map(Path, machine),
    ]


def _furnish(home: Path, project: Path) -> None:
    for folder in (".ssh", ".claude/projects", ".codex", ".cache/pip", ".config/git"):
        (home / folder).mkdir(parents=True)
    for name in (".ssh/id_rsa", ".claude/settings.json", ".claude/.credentials.json", ".codex/auth.json",
                 ".gitconfig", "secret", ".claude/other"):  # fmt: skip
        (home / name).write_text("")
    tool = home / ".local/bin/tool"
    tool.write_text("#!/bin/sh\n")
    (home / "linked").symlink_to(project)
    for folder in ("sub", "shut"):
        (project / folder).mkdir()
    for name in ("sub/file", "shut/x", ".mcp.json", ".envrc", "read-only"):
        (project / name).write_text("")
    (project / "read-only").chmod(0o444)
    (project / "shut").chmod(0)
    (project / "to-secret").symlink_to(home / "secret")
    (project / "to-readme").symlink_to("README")
    (project / "to-nowhere").symlink_to("nowhere")
    (project / "to-itself").symlink_to("to-itself")
    (project / "to-tmp").symlink_to("/tmp")
