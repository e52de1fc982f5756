"""A harness is asked for its version and the flags that hqt uses."""

import pytest

from hqt.doctor import harnesses
from hqt.doctor.check import Check
from hqt.harnesses.claude.harness import Claude
from hqt.harnesses.codex.harness import Codex
from tests.doctor.scenes import look
from tests.world import World

KNOWS = f"""case $1 in
--version) echo '2.1.0 (Claude Code)' ;;
--help) echo '--help {" ".join(Claude.flags)}' ;;
esac"""


def _claude(world: World, **env: str) -> Check:
    return harnesses.check("claude", look(world, **env), world.project)


def test_a_harness_that_is_not_there_is_missing(world: World) -> None:
    remedy = "install it, or add the folder that holds it to PATH"
    assert _claude(world) == Check(
        "harness-claude", "Claude Code", "missing", "'claude' is not on PATH", remedy
    )


def test_a_harness_that_knows_the_flags_is_ok(world: World) -> None:
    claude = world.tool("claude", KNOWS)
    assert _claude(world) == Check("harness-claude", "Claude Code", "ok", f"2.1.0 (Claude Code), {claude}")


def test_a_flag_that_it_does_not_know_is_named(world: World) -> None:
    claude = world.tool("claude", KNOWS.replace("--resume", "--continue"))
    detail = f"2.1.0 (Claude Code), {claude}: `claude --help` does not name --resume"
    refused = f"{detail}: a session that needs it is refused"
    assert _claude(world) == Check("harness-claude", "Claude Code", "warning", refused, "update Claude Code")


def test_what_lists_no_options_is_not_verified(world: World) -> None:
    claude = world.tool("claude", "echo 2.1.0")
    detail = f"2.1.0, {claude}: `claude --help` lists no options, so that its flags are not verified"
    assert _claude(world) == Check("harness-claude", "Claude Code", "warning", detail)


def test_several_flags_that_it_does_not_know_are_named(world: World) -> None:
    claude = world.tool("claude", "echo --help")
    detail = f"--help, {claude}: `claude --help` does not name {', '.join(Claude.flags)}: "
    check = _claude(world)
    assert (check.state, check.detail) == ("warning", f"{detail}sessions that need them are refused")


def test_a_flag_that_is_looked_for_before_each_use_may_lack(world: World) -> None:
    listed = [flag for flag in Codex.flags if flag not in Codex.probes]
    world.tool("codex", f"echo --help {' '.join(listed)}")
    assert harnesses.check("codex", look(world), world.project).state == "ok"


def test_a_harness_that_an_agent_could_have_put_there_is_not_run(world: World) -> None:
    planted = world.project / "claude"
    planted.write_text(f"#!/bin/sh\ntouch {world.home}/ran\n")
    planted.chmod(0o755)
    check = _claude(world, PATH=f"{world.project}:{world.env['PATH']}")
    detail = f"{planted}: not asked, as an agent could have put it into {world.project}"
    assert (check.state, check.detail) == ("warning", detail)
    assert not (world.home / "ran").exists()


@pytest.mark.parametrize("folder", ["home", "root"])
def test_from_the_home_or_above_it_a_harness_is_asked(world: World, folder: str) -> None:
    world.tool("claude", KNOWS)
    assert harnesses.check("claude", look(world), getattr(world, folder)).state == "ok"


def test_without_a_state_folder_a_harness_is_only_found(world: World) -> None:
    claude = world.tool("claude", f"touch {world.home}/ran")
    check = _claude(world, XDG_STATE_HOME="relative")
    detail = f"{claude}: not asked, as there is no folder to remember the answer in"
    assert (check.state, check.detail) == ("ok", detail)
    assert not (world.home / "ran").exists()


def test_the_plain_command_is_the_login_shell(world: World) -> None:
    check = harnesses.check("generic", look(world), world.project)
    assert check == Check("harness-generic", "Command", "ok", "/bin/sh, unless another is given")
