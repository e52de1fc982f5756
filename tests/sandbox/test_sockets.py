"""A27 and A29: agents for keys, tokens and container engines are not in a jail, nor named to it."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.cli.steps import new, refused, shows
from tests.sandbox.jailed import on_host
from tests.world import World, needs_bwrap, needs_tmux

pytestmark = [pytest.mark.real, needs_bwrap]

# where ssh agents, desktops and container engines listen, below HOME, XDG_RUNTIME_DIR and TMPDIR
_HOME = ".ssh/agent.sock .docker/run/docker.sock .colima/docker.sock .rd/docker.sock .gnupg/S.gpg-agent.ssh"
_RUNTIME = (
    "keyring/ssh openssh_agent docker.sock podman/podman.sock gnupg/S.gpg-agent.ssh bus containerd.sock"
)
_TMP = "ssh-x/agent.1 podman.sock"
_VARIABLES = "SSH_AUTH_SOCK DOCKER_HOST CONTAINER_HOST DBUS_SESSION_BUS_ADDRESS"
_NUMBERS = "SSH_AGENT_PID DOCKER_CONTEXT DOCKER_CONFIG GPG_AGENT_INFO SSH_ASKPASS GIT_ASKPASS"
_TOKENS = "GH_TOKEN GITHUB_TOKEN GITLAB_TOKEN GH_CONFIG_DIR NPM_TOKEN"

# connect to each of the words, as ssh and docker would
_CONNECT = """
import socket, sys
for path in sys.argv[1:]:
    try:
        socket.socket(socket.AF_UNIX).connect(path)
        print("REACHED", path)
    except OSError:
        pass
print("tried", len(sys.argv) - 1)
"""


@pytest.fixture
def listeners(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A listener wherever one may be; their paths."""
    runtime, temporary = (Path(world.env[name]) for name in ("XDG_RUNTIME_DIR", "TMPDIR"))
    places = [(world.home, _HOME), (runtime, _RUNTIME), (temporary, _TMP)]
    with ExitStack() as kept:
        paths = [folder / name for folder, names in places for name in names.split()]
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
            monkeypatch.chdir(path.parent)  # the name of a socket holds 107 bytes
            listener = kept.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(path.name)
            listener.listen()
        yield [str(path) for path in paths]


@pytest.mark.parametrize("net", ["--net", "--no-net"])
def test_no_listener_of_the_host_is_reached(world: World, listeners: list[str], net: str) -> None:
    argv = ["sandbox", "exec", net, "--", "python3", "-c", _CONNECT, *listeners]
    assert world.hqt(*argv).stdout == f"tried {len(listeners)}\n"
    open_run = subprocess.run([sys.executable, "-c", _CONNECT, *listeners], capture_output=True, check=True)
    assert open_run.stdout.count(b"REACHED") == len(listeners)


def test_no_variable_points_to_one(world: World, listeners: list[str]) -> None:
    env = {
        **world.env,
        **dict.fromkeys(_VARIABLES.split(), f"unix://{listeners[0]}"),
        **dict.fromkeys(_NUMBERS.split(), "1"),
        **dict.fromkeys(_TOKENS.split(), "SECRET"),
    }
    assert world.hqt("sandbox", "exec", "--", "env", env=env).stderr == ""
    inside = world.hqt("sandbox", "exec", "--", "env", env=env).stdout
    names = {line.partition("=")[0] for line in inside.splitlines()}
    assert names.isdisjoint((*_VARIABLES.split(), *_NUMBERS.split(), *_TOKENS.split()))
    assert "SECRET" not in inside


@pytest.mark.parametrize(
    "name", ["SSH_AUTH_SOCK", "DOCKER_HOST", "SSH_AGENT_PID", "DBUS_SESSION_BUS_ADDRESS"]
)
def test_none_of_them_enters_by_name(world: World, name: str) -> None:
    env = {**world.env, name: "/somewhere"}
    words = ("--env", name, "--", "touch", "ran")
    assert f"the variable {name} leads out of the jail" in refused(
        world.hqt("sandbox", "exec", *words, env=env), 125
    )
    said = refused(world.hqt("new", "-s", "--harness", "generic", *words, env=env), 4)
    assert f"the variable {name} leads out of the jail" in said
    assert not (world.project / "ran").exists()


def test_stored_tokens_are_hidden(world: World) -> None:
    files = (
        ".config/gh/hosts.yml .git-credentials .config/git/credentials .docker/config.json .netrc .ssh/id_rsa"
    )
    on_host(world, f"for f in {files}; do mkdir -p ~/$(dirname $f); echo SECRET > ~/$f; done")
    left = ".config/git/credentials"  # git's own folder is shown, as SECURITY.md says of its tokens
    hidden = " ".join(f"~/{name}" for name in files.split() if name != left)
    done = world.hqt("sandbox", "exec", "--", "sh", "-c", f"cat {hidden} 2>/dev/null; echo looked")
    assert done.stdout == "looked\n"


def test_the_sockets_of_the_system_are_hidden(world: World) -> None:
    """A user of the group docker is root on the host by such a socket."""
    script = """
    mount -t tmpfs tmpfs /run && mkdir -p /run/podman /run/containerd && python3 -c '
import socket
for path in "/run/docker.sock", "/run/podman/podman.sock", "/run/containerd/containerd.sock":
    socket.socket(socket.AF_UNIX).bind(path)' && test -S /var/run/docker.sock && exec "$@"
    """
    apart = (
        "unshare",
        "--mount",
        *(() if os.geteuid() == 0 else ("--map-root-user",)),
        "sh",
        "-c",
        script,
        "sh",
    )
    look = "find /run/ /var/run/ -type s; ls -A /run; test -e /var/run/docker.sock || echo none"
    env = {**world.env, "DOCKER_HOST": "unix:///run/docker.sock"}
    done = subprocess.run(
        [*apart, sys.executable, "-P", "-m", "hqt", "sandbox", "exec", "--", "sh", "-c", f"{look}; env"],
        env=env,
        cwd=world.project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done
    assert done.stdout.splitlines()[0] == "none"
    assert "docker" not in done.stdout


@needs_tmux
def test_a_session_has_none_of_it_either(world: World, listeners: list[str]) -> None:
    world.env["SSH_AUTH_SOCK"] = listeners[0]
    new(world, f'echo "[$SSH_AUTH_SOCK]"; test -e {listeners[0]} || echo gone; exec cat', "-s")
    assert shows(world, 1, "[]\ngone")
