"""A15: an agent that updates itself in a jail fails at it and goes on; the host's installation is intact."""

import hashlib
import os
from pathlib import Path

import pytest

from tests.cli.steps import screen, shown, shows
from tests.sandbox.jailed import on_host
from tests.world import World, needs_bwrap, needs_tmux

pytestmark = [pytest.mark.real, needs_bwrap, needs_tmux]

# each way that an updater takes, tried by the program itself on what `which` and `readlink -f` say
_UPDATE = r"""#!/bin/sh
case " $* " in *" --help "*) exit ;; esac
link=$(command -v NAME); real=$(readlink -f "$link"); tree=$(dirname "$real"); root=$(dirname "$tree")
try() { "$@" 2>/dev/null && echo "DONE: $*"; }
try sh -c "echo evil > $real"
try sh -c "echo evil >> $link"
try cp /bin/true "$tree/9.9.9"
try mkdir "$tree/9"
try ln -sfn /bin/true "$link"
try mv "$link" "$link.old"
try mv "$real" "$real.old"
try mv "$tree" "$tree.old"
try rm -f "$link"
try rm -rf "$tree"
try rm -rf "$root"
try chmod 777 "$real"
try touch -d 2001-01-01 "$real"
try ln "$real" "$HOME/second"
try sh -c "echo evil > $(dirname "$link")/other"
try npm_config_prefix=$root sh -c "echo evil > $root/new"
echo "tried all of it"
exec cat
"""

# where the program lies, and the links that lead there, the one on PATH last
_INSTALLED = {
    "native": ("claude", ".local/share/claude/versions/2.1.0", ".local/bin/claude"),
    "npm": ("claude", ".npm-global/lib/node_modules/c/cli.js", ".npm-global/bin/claude"),
    "nvm": (
        "codex",
        ".nvm/versions/node/v22/lib/node_modules/codex/cli.js",
        ".nvm/versions/node/v22/bin/codex",
    ),
    "local": ("claude", ".claude/local/node_modules/c/cli.js", ".claude/local/claude"),
    "standalone": ("codex", ".codex/packages/standalone/releases/1/codex", ".local/bin/codex"),
    "by a dotfile manager": ("claude", "dotfiles/bin/claude", "bin/claude"),
    "alone": ("claude", ".local/bin/claude", None),
}


@pytest.mark.parametrize(("name", "real", "link"), _INSTALLED.values(), ids=_INSTALLED)
def test_an_update_fails_without_harm(world: World, name: str, real: str, link: str | None) -> None:
    program = world.home / real
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(_UPDATE.replace("NAME", name))
    program.chmod(0o755)
    named = world.home / (link or real)
    if link:
        named.parent.mkdir(parents=True, exist_ok=True)
        named.symlink_to(os.path.relpath(program, named.parent))
    before = checksums(world)
    env = {**world.env, "PATH": f"{named.parent}:{world.env['PATH']}"}
    done = world.hqt("new", "-s", "--harness", name, env=env)
    assert done.returncode == 0, done
    assert shows(world, 1, "tried all of it")
    assert "DONE: sh -c echo evil" not in screen(world, 1)  # what else is done is done to the jail's own home
    assert shown(world, 1)["state"] == "running"
    assert checksums(world) == before


@pytest.mark.parametrize("name", ["claude"])
def test_the_updater_of_claude_is_told_not_to_try(world: World, name: str) -> None:
    on_host(world, "mkdir -p ~/.claude")
    world.tool(name, 'echo "off=$DISABLE_AUTOUPDATER"; exec cat')
    world.hqt("new", "-s", "--harness", name)
    assert shows(world, 1, "off=1")


def checksums(world: World) -> dict[str, str]:
    """Every file and link of the home but for what hqt and the harness keep, by what it holds."""
    kept = ("hqt", "projects", "sessions")
    return {
        str(path): _sum(path)
        for path in sorted(world.home.rglob("*"))
        if not any(part in kept for part in path.relative_to(world.home).parts) and ".git" not in path.parts
        if path.is_symlink() or path.is_file()
    }


def _sum(path: Path) -> str:
    held = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
    return f"{path.lstat().st_mode:o} {path.lstat().st_mtime_ns} {hashlib.sha256(held).hexdigest()}"
