"""What doctor says of the user's own file for tmux; nothing of it is run."""

from pathlib import Path

from hqt.doctor.check import Check
from hqt.doctor.facts import Facts
from hqt.doctor.tmux_config import tmux_config
from hqt.sandbox import SandboxPolicy
from hqt.values import replace
from tests.doctor.scenes import look
from tests.sessions.sample import row
from tests.world import World, needs_tmux, processes, wait_until


def check(world: World, text: str | None = None, scene: Facts | None = None) -> Check:
    """Doctor's word where config.toml names a file of the user's that holds `text`."""
    world.places.config.mkdir(parents=True)
    world.places.config_file.write_text('[tmux]\nconfig = "inside.conf"\n')
    if text is not None:
        (world.places.config / "inside.conf").write_text(text)
    return tmux_config(scene or look(world))


def words(found: Check) -> tuple[str, str, str | None]:
    return found.state, found.detail, found.remedy


def test_without_one_the_defaults_hold(world: World) -> None:
    assert words(tmux_config(look(world))) == ("ok", "none of yours: the defaults hold", None)


@needs_tmux
def test_a_good_one_is_ok_and_not_run(world: World) -> None:
    found = check(world, f"run-shell 'touch {world.root}/ran'\nset -g mode-keys vi\n")
    assert words(found) == ("ok", f"{world.places.config}/inside.conf, yours", None)
    assert not (world.root / "ran").exists()
    assert wait_until(lambda: processes(world.root) == {})  # the server that read it ends by itself


@needs_tmux
def test_a_line_that_tmux_cannot_read_is_named(world: World) -> None:
    path = world.places.config / "inside.conf"
    assert words(check(world, "set -g mode-keys vi\nno-such-command\n")) == (
        "warning",
        f"tmux can't read all of {path}: {path}:2: unknown command: no-such-command",
        "correct that line",
    )


def test_a_missing_one_keeps_sessions_from_starting(world: World) -> None:
    assert words(check(world)) == (
        "failed",
        f"tmux.config = {world.places.config}/inside.conf can't be read (No such file or directory)",
        "correct config.toml",
    )


def test_one_that_a_jailed_agent_could_have_written_is_refused(world: World) -> None:
    jailed = row(project=str(world.places.config), sandbox_json=SandboxPolicy().to_json())
    scene = replace(look(world), sessions=[jailed], tmux=Path("/usr/bin/tmux"))
    assert words(check(world, "", scene)) == (
        "failed",
        f"tmux.config = {world.places.config}/inside.conf lies in a project of a jailed session",
        "move it out of there",
    )


def test_what_cannot_be_looked_at_is_said(world: World) -> None:
    scene = look(world)
    said = "not looked at: tmux, a folder or the database can't be used"
    assert words(tmux_config(replace(scene, tmux=None))) == ("warning", said, None)
    world.places.config.mkdir(parents=True)
    world.places.config_file.write_text("x = 1")
    assert words(tmux_config(scene)) == ("warning", "not looked at: config.toml can't be read", None)
