"""A world of its own for each test: home, project, environment, sockets; ended and removed afterwards."""

import atexit
import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hqt import paths
from hqt.paths import Places
from hqt.values import replace
from tests import fork_server, surroundings

# a stub of an agent that goes on; one that did not answer for its help would be waited for, 10 s
LIVES = "case $* in *--help*) exit;; esac; exec sleep 600"
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_MAY_FORK = "HQT_TESTS_NEW_PROCESSES" not in os.environ  # set to measure coverage in them
# whoever uses hqt has some of them, in folders of the system as well
_AGENTS = frozenset({"claude", "codex", "gemini", "qwen", "opencode", "pi", "kiro-cli"})
_END_S = 10.0  # what a dead server's panes and its hook's hqt get to end by themselves, on a loaded machine


@dataclass(frozen=True, slots=True)
class World:
    """Everything a test may touch; nothing of it is the caller's."""

    root: Path  # 0755 and short: the path of a unix socket holds 107 bytes
    home: Path
    project: Path  # a git repository on main with one commit, inside home
    env: dict[str, str]  # complete
    places: Places

    def hqt(
        self,
        *args: str,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        input: str | None = None,
        timeout: float = 60,
        process: bool = False,
    ) -> subprocess.CompletedProcess[str]:
        """Run `hqt ARGS` in the project, or in `cwd`; without `input` its stdin is empty.

        `process`: in an interpreter of its own, where that is the subject; otherwise a warm one forks.
        """
        given = self.env if env is None else env
        if not process and _MAY_FORK and fork_server.is_as_warm(given):
            return fork_server.run(args, given, cwd or self.project, input or "", timeout)
        # -P: a module in the project must not shadow one of Python's, as it can't for the command hqt
        return subprocess.run(
            [sys.executable, "-P", "-m", "hqt", *args],
            env=given,
            cwd=cwd or self.project,
            input=input or "",
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            timeout=timeout,
            check=False,
        )

    def json(self, command: str, *args: str) -> Any:  # noqa: ANN401  # JSON: the test asserts its shape
        """What `hqt COMMAND --json ARGS` prints; it must succeed."""
        done = self.hqt(command, "--json", *args)
        assert (done.returncode, done.stderr) == (0, ""), done
        return json.loads(done.stdout)

    def tool(self, name: str, script: str) -> Path:
        """Put an executable first on PATH; a script without `#!` is one for sh."""
        path = self.home / ".local/bin" / name
        path.write_text(script if script.startswith("#!") else f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path


@contextmanager
def new_world() -> Iterator[World]:
    """A world that is ended on leaving; fails where a process of it is still there then."""
    root = Path(tempfile.mkdtemp(prefix="hqt-"))
    try:
        yield _made(root)
    finally:
        left = _ended(root)
        _remove(root)
    assert not left, f"the test left processes behind: {left}"


def _made(root: Path) -> World:
    root.chmod(0o755)
    home, runtime, temporary = root / "home", root / "run", root / "tmp"
    for folder in (home, runtime, temporary):
        folder.mkdir(mode=0o700)
    tools = home / ".local/bin"
    tools.mkdir(parents=True)
    # the links lie where jails show the tools of a home
    system = SYSTEM_PATH
    if _has_agents():
        system = surroundings.without(_AGENTS, SYSTEM_PATH, tools / ".system")
    env = {
        "HOME": str(home),
        "PATH": f"{tools}:{system}",
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "USER": _user(),
        "SHELL": "/bin/sh",  # or programs ask passwd, where it is nologin for the user nobody
        "TMPDIR": str(temporary),  # or a test without XDG_RUNTIME_DIR would meet the caller's hqt
        "XDG_RUNTIME_DIR": str(runtime),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    uid = os.getuid()
    # paths asks this process for its temporary folder, the world's programs have another one
    places = replace(paths.places(env, uid), temporary=temporary / f"hqt-{uid}")
    return World(root, home, _repository(home / "proj"), env, places)


@cache
def _has_agents() -> bool:
    return any(Path(entry, name).exists() for entry in SYSTEM_PATH.split(":") for name in _AGENTS)


def _user() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def _repository(folder: Path) -> Path:
    """A copy of one repository: git takes three processes to make it, and copies its sample hooks."""
    shutil.copytree(_template(), folder)
    return folder


@cache
def _template() -> Path:
    root = Path(tempfile.mkdtemp(prefix="hqt-repository-"))
    atexit.register(shutil.rmtree, root)
    folder = root / "proj"
    folder.mkdir()
    (folder / "README").write_text("a project\n")
    env = {"HOME": str(root), "PATH": SYSTEM_PATH, "LANG": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1"}
    git = ("git", "-c", "user.name=Test", "-c", "user.email=test@example.invalid")
    for step in (
        ("init", "-q", "-b", "main", "--template="),
        ("add", "README"),
        ("commit", "-q", "-m", "Begin"),
    ):
        subprocess.run([*git, *step], cwd=folder, env=env, check=True, stdin=subprocess.DEVNULL)
    (folder / ".git/hooks").mkdir()  # as git's own template has it
    (folder / ".git/info").mkdir()
    (folder / ".git/info/exclude").write_text("# a comment\n")
    return folder


def processes(root: Path) -> dict[int, str]:
    """The live processes whose command line or environment names `root`, by pid, with their command lines."""
    mark, own = os.fsencode(root), str(os.getpid())
    found: dict[int, str] = {}
    for pid in os.listdir("/proc"):  # noqa: PTH208 - paths of thousands of processes are the cost of a world
        if not pid.isdecimal() or pid == own:
            continue
        command = _proc(pid, "cmdline") or _started(pid)
        if command and (mark in command or mark in _proc(pid, "environ")):
            found[int(pid)] = os.fsdecode(command.replace(b"\0", b" "))
    return found


def _started(pid: str) -> bytes:
    """The command line of a process that has just become its program; a thread of the kernel has none."""
    for _ in range(10):
        try:
            os.readlink(f"/proc/{pid}/exe")  # noqa: PTH115 - as above
        except OSError:
            return b""
        command = _proc(pid, "cmdline")
        if command:
            return command
        time.sleep(0.001)
    return b""


def _proc(pid: str, name: str) -> bytes:
    """Empty for a thread of the kernel, for another user's process and for one that has just ended."""
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:  # noqa: PTH123
            return file.read()
    except (PermissionError, FileNotFoundError, ProcessLookupError):
        return b""


def tmux_servers(root: Path) -> list[int]:
    """The pids of the tmux servers whose socket lies in `root`."""
    return [pid for pid in processes(root) if _name(pid) == "tmux: server"]


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().rstrip("\n")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def _ended(root: Path) -> dict[int, str]:
    """End the tmux servers of `root`; what outlives them is returned, and ended too."""
    if not processes(root):
        return {}
    servers = tmux_servers(root)
    for number in (signal.SIGTERM, signal.SIGKILL):
        _signal(servers, number)
        wait_until(lambda: processes(root).keys().isdisjoint(servers), within_s=_END_S)
    wait_until(lambda: not processes(root), within_s=_END_S)
    left = processes(root)
    _signal(left, signal.SIGKILL)
    return left


def _signal(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def wait_until(true: Callable[[], bool], *, within_s: float = 5.0) -> bool:
    """Whether `true` came true in time."""
    end = time.monotonic() + within_s
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def _remove(root: Path) -> None:
    for folder, inner, _ in os.walk(root):
        for name in inner:
            path = Path(folder, name)
            if not path.is_symlink():
                path.chmod(0o700)  # a test may have closed it, and only root can remove from a closed one
    shutil.rmtree(root)


@cache
def _bwrap_works() -> bool:
    trial = ("bwrap", "--unshare-user", "--ro-bind", "/", "/", "true")
    return (
        shutil.which("bwrap") is not None
        and not subprocess.run(trial, capture_output=True, check=False).returncode
    )


# In CI nothing is skipped: a machine without them fails there.
_MAY_SKIP = "CI" not in os.environ
needs_tmux = pytest.mark.skipif(
    _MAY_SKIP and shutil.which("tmux") is None, reason="tmux is not installed: `make test` installs it"
)
needs_bwrap = pytest.mark.skipif(
    _MAY_SKIP and not _bwrap_works(), reason="bwrap is missing or may not make user namespaces here"
)
