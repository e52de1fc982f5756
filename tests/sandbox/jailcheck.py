"""Run probes of the jail: each a command in `hqt sandbox exec` and what must, and must not, come of it."""

import fcntl
import os
import pty
import select
import signal
import socket
import struct
import subprocess
import termios
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

PROBES = Path(__file__).with_name("probes.toml")

REFUSED = 125
_LIMIT_S = 20.0
_KILL_AFTER_S = 1.5  # the command inside runs by then
_CHUNK = 1 << 16

# an open folder on the home: what a shell may hand down, and a way around every mount
_WITH_HOME_OPEN = ("sh", "-c", 'exec 9<"$HOME"; exec "$@"', "sh")
# a shell that reads the same terminal after the jail, as the one a jail was started from does
_WITH_SHELL_BEHIND = ("sh", "-c", '"$@"; read -r got; echo "SHELLGOT:$got"', "sh")

Terminal = Literal["plain", "ctrlc", "resize", "inject"]


@dataclass(frozen=True, slots=True)
class Probe:
    """One line of the promise: what is tried inside and how its failing is seen."""

    id: str
    kind: str
    why: str = ""
    setup: str = ""  # sh on the host, before
    env: Mapping[str, str] = field(default_factory=dict)  # more host variables
    fs: str = "rw"
    net: bool = False
    harness: str = "generic"
    folder: str = "~/proj"
    script: str = ""  # sh inside
    command: Sequence[str] = ()  # or this, as it stands
    refused: bool = False  # before anything runs; otherwise the command must have been started
    exit: int | Literal["nonzero"] | None = None
    has: Sequence[str] = ()  # in what it says on both streams
    has_not: Sequence[str] = ()
    after: str = ""  # sh on the host; 0 = as it must be
    tty: Terminal | None = None
    kill: bool = False  # SIGKILL for the outermost process
    stdin: str = ""


@dataclass(frozen=True, slots=True)
class Ground:
    """What the probes are run on: a home full of fake secrets, and what listens around it."""

    home: Path
    outside: Path  # a folder of the host outside the home
    env: Mapping[str, str]
    hqt: Sequence[str]  # the command line that starts hqt
    pid: int  # a live process of the host
    port: int  # a live listener on the host's loopback
    name: str  # of a live abstract socket

    def filled(self, text: str) -> str:
        """`text` with what differs from machine to machine put in for @OUTSIDE, @PID, @PORT, @NAME, @HOME."""
        for word, value in (
            ("@OUTSIDE", self.outside),
            ("@PID", self.pid),
            ("@PORT", self.port),
            ("@NAME", self.name),
            ("@HOME", self.home),
        ):
            text = text.replace(word, str(value))
        return text


@dataclass(frozen=True, slots=True)
class Result:
    """How one probe went; `why` says what was not as promised."""

    ok: bool
    why: str = ""


def load(file: Path = PROBES) -> list[Probe]:
    """The probes of `file`, each with its table's name as id."""
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return [Probe(id=name, **fields) for name, fields in tables.items()]


@contextmanager
def ground(home: Path, outside: Path, env: Mapping[str, str], hqt: Sequence[str]) -> Iterator[Ground]:
    """Furnish the empty `home` and `outside`, and listen until the probes are done."""
    _furnish(home)
    outside.mkdir()
    (outside / "host_secret").write_text("FAKE-TMP-SECRET\n")
    name = f"hqt-probe-{os.getpid()}"
    with ExitStack() as stack:
        loopback = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        for address in (f"\0{name}", str(outside / "agent.sock")):
            listener = stack.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(address)
            listener.listen()
        yield Ground(
            home=home,
            outside=outside,
            env={**env, **_leaks(outside)},
            hqt=hqt,
            pid=os.getpid(),
            port=loopback.getsockname()[1],
            name=name,
        )


def run(probe: Probe, on: Ground) -> Result:
    """Try it once; the ground is as the probe leaves it."""
    env = {**on.env, **{name: on.filled(value) for name, value in probe.env.items()}}
    setup = _on_host(probe.setup, on)
    if setup.returncode:
        return Result(ok=False, why=f"its setup failed: {setup.stderr}")
    code, said = _in_terminal(probe, on, env) if probe.tty else _plainly(probe, on, env)
    wrong = [*_wrong(probe, code, said)]
    if probe.after and (after := _on_host(probe.after, on)).returncode:
        wrong.append(f"afterwards: {probe.after} gave {after.returncode}")
    return Result(ok=not wrong, why="; ".join([*wrong, f"exit {code}, said {said!r}"]) if wrong else "")


def _furnish(home: Path) -> None:
    for name, content in {
        ".ssh/id_rsa": "FAKE-SSH-KEY",
        ".aws/credentials": "FAKE-AWS",
        ".netrc": "FAKE-NETRC",
        ".npmrc": "FAKE-NPMRC",
        ".claude/settings.json": "{}",
        ".claude/.credentials.json": "FAKE-CRED",
        ".claude.json": '{"oauth":"FAKE"}',
        ".codex/auth.json": "FAKE-CODEX",
        ".kiro/settings/cli.json": "{}",
        ".local/share/hqt/hqt.db": "FAKEDB",
        ".local/bin/fakeharness": "#!/bin/sh\n",
        ".gitconfig": "[user]\n\tname = t\n\temail = t@e.x\n",
    }.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content + "\n")
        path.chmod(0o755 if "bin" in path.parts else 0o600)
    (home / ".local/share/hqt").chmod(0o700)


def _leaks(outside: Path) -> dict[str, str]:
    """Variables of a developer's shell that must not enter."""
    return {
        "ANTHROPIC_API_KEY": "sk-LEAK-ANT",
        "OPENAI_API_KEY": "sk-LEAK-OAI",
        "GH_TOKEN": "ghp_LEAK",
        "AWS_SECRET_ACCESS_KEY": "CANARY-AWS",
        "MY_SECRET": "CANARY-GEN",
        "SSH_AUTH_SOCK": str(outside / "agent.sock"),
        "DBUS_SESSION_BUS_ADDRESS": f"unix:path={outside}/agent.sock",
        "TMUX": f"{outside}/agent.sock,1,0",
        "DISPLAY": ":0",
    }


def _on_host(script: str, on: Ground) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", on.filled(script)],
        env=on.env,
        cwd=on.home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_LIMIT_S,
        check=False,
    )


def _argv(probe: Probe, on: Ground) -> list[str]:
    folder = on.filled(probe.folder.replace("~", "@HOME"))
    inside = probe.command or ("sh", "-c", on.filled(probe.script))
    shell = _WITH_SHELL_BEHIND if probe.tty == "inject" else ()
    net = "--net" if probe.net else "--no-net"
    jail = ("sandbox", "exec", "--fs", probe.fs, net, "--harness", probe.harness, "-C", folder)
    return [*_WITH_HOME_OPEN, *shell, *on.hqt, *jail, "--", *inside]


def _plainly(probe: Probe, on: Ground, env: Mapping[str, str]) -> tuple[int, str]:
    with subprocess.Popen(
        _argv(probe, on),
        env=env,
        cwd=on.home,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    ) as process:
        if probe.kill:
            time.sleep(_KILL_AFTER_S)
            process.kill()
        try:
            said, _ = process.communicate(probe.stdin, timeout=_LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return process.returncode, said


def _in_terminal(probe: Probe, on: Ground, env: Mapping[str, str]) -> tuple[int, str]:
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(on.home)
        os.execvpe("sh", _argv(probe, on), dict(env))  # noqa: S606
    with suppress(OSError):
        _resize(terminal, 100)
    said = _talk(terminal, probe.tty)
    os.kill(pid, signal.SIGKILL)  # reaped below: where it ended by itself nothing happens
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(terminal)
    return code, said


def _talk(terminal: int, tty: Terminal | None) -> str:
    """Answer READY as the probe wants and collect all that is said until the end."""
    said, answered, end = b"", tty == "plain", time.monotonic() + _LIMIT_S
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], 0.5)
        if not ready:
            continue
        try:
            chunk = os.read(terminal, _CHUNK)
        except OSError:  # EIO: nobody has the other side open any more (pty(7))
            break
        said += chunk
        if not answered and b"READY" in said:
            answered = True
            _answer(terminal, tty)
    return said.decode(errors="replace").replace("\r\n", "\n")


def _answer(terminal: int, tty: Terminal | None) -> None:
    if tty == "ctrlc":
        os.write(terminal, b"\x03")
    elif tty == "resize":
        _resize(terminal, 77)
    elif tty == "inject":
        time.sleep(1)  # whatever was injected is in the queue before this line
        os.write(terminal, b"typed\n")


def _resize(terminal: int, columns: int) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))


def _wrong(probe: Probe, code: int, said: str) -> Iterator[str]:
    if (code == REFUSED) != probe.refused:
        yield "it was not refused" if probe.refused else "no jail was made"
    if probe.exit == "nonzero" and code == 0:
        yield "it succeeded"
    if isinstance(probe.exit, int) and code != probe.exit:
        yield f"it did not end with {probe.exit}"
    for words in probe.has:
        if words not in said:
            yield f"{words!r} is missing"
    for words in probe.has_not:
        if words in said:
            yield f"{words!r} is there"
