"""What `program.find` names is enough: programs of every layout start in a real jail."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hqt.harnesses import program_path
from hqt.sandbox import SandboxPolicy, availability, host, project
from hqt.sandbox.argv import Fds, compose
from hqt.sandbox.files.private import Private
from tests.world import World, needs_bwrap

SAYS = "echo started"


def put(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    path.chmod(0o755)
    return path


def npm(prefix: Path) -> Path:
    """A package that reads a file beside its real path, run by a node of the same prefix."""
    package = prefix / "lib/node_modules/@x/agent"
    put(package / "words", "started")
    put(package / "bin/agent.js", '#!/usr/bin/env node\ncat "$(dirname "$0")/../words"\n')
    put(prefix / "bin/node", '#!/bin/sh\nexec /bin/sh "$@"\n')
    (prefix / "bin/agent").symlink_to("../lib/node_modules/@x/agent/bin/agent.js")
    return prefix / "bin"


def nvm(root: Path, home: Path) -> Path:
    return npm(home / ".nvm/versions/node/v22")


def npm_in_an_unknown_folder(root: Path, home: Path) -> Path:
    return npm(home / "my tools")


def npm_outside_home(root: Path, home: Path) -> Path:
    return npm(root / "npm")


def native(root: Path, home: Path) -> Path:
    put(home / ".local/share/claude/versions/2.1.0", f"#!/bin/sh\n{SAYS}\n")
    (home / ".local/bin/agent").symlink_to(home / ".local/share/claude/versions/2.1.0")
    return home / ".local/bin"


def a_link_to_an_unknown_folder(root: Path, home: Path) -> Path:
    real = put(home / "src/agent/run", f"#!/bin/sh\n{SAYS}\n")
    (home / ".local/bin/agent").symlink_to(real)
    return home / ".local/bin"


def venv(root: Path, home: Path) -> Path:
    root = home / "envs/agent"
    put(root / "pyvenv.cfg", "")
    put(root / "bin/python", '#!/bin/sh\nexec /bin/sh "$@"\n')
    put(root / "lib/words", "started")
    real = put(root / "bin/agent", f'#!{root}/bin/python\ncat "$(dirname "$0")/../lib/words"\n')
    (home / ".local/bin/agent").symlink_to(real)
    return home / ".local/bin"


@needs_bwrap
@pytest.mark.real
@pytest.mark.parametrize(
    "layout", [nvm, npm_in_an_unknown_folder, npm_outside_home, native, a_link_to_an_unknown_folder, venv]
)
def test_a_program_starts_in_a_jail(
    world: World, layout: Callable[[Path, Path], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = layout(world.root, world.home)
    env = {**world.env, "PATH": f"{folder}:{world.env['PATH']}"}
    monkeypatch.setattr(os, "environ", env)  # what is found of bwrap is remembered in this world
    found = program_path.find("agent", env["PATH"], world.project, world.home)
    done = subprocess.run(
        jailed(world, env, found.shown, str(found.inside)),
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.strip(), done.stderr) == ("started", "")


def jailed(world: World, env: dict[str, str], shown: tuple[Path, ...], word: str) -> list[str]:
    jail = availability()
    assert jail.bwrap is not None
    policy, private = SandboxPolicy(net=True), Private.of(world.home, world.places.own())
    here = project.survey(world.project, policy, private)
    machine = host.survey(
        jail.bwrap, jail.features, env, os.getuid(), policy, private, here.path, shown, terminal=False
    )
    return compose([word], here, policy, (), (), machine, Fds())
