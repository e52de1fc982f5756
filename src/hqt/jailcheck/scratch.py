"""What probes are tried on: a scratch home full of fake secrets for each, and listeners around them."""

import itertools
import os
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from hqt.backends.processes import Held, descendants
from hqt.errors import ServiceError
from hqt.start.caller import Caller
from hqt.values import field, frozen

# never TMPDIR: some folders are refused to a jail, and the path of a socket holds only 107 bytes
_BASE, _OUTSIDE_BASE = Path("/tmp"), Path("/var/tmp")  # noqa: S108
_KEPT = ("USER", "LOGNAME")
_GONE_S = 5.0
_LIMIT_S = 20.0  # of one call of tmux


@frozen
class Scratch:
    """Where one probe is tried, and how hqt is called there."""

    home: Path
    runtime: Path
    outside: Path  # a folder of the host outside the home
    env: Mapping[str, str]  # complete
    hqt: Sequence[str]
    pid: int  # a live process of the host
    port: int  # a live listener on the host's loopback
    name: str  # of a live abstract socket
    terminal: str  # a live one of the host

    def filled(self, text: str) -> str:
        """`text` with what differs from ground to ground put in for the words with an @."""
        for word, value in (
            ("@OUTSIDE", str(self.outside)),
            ("@RUNTIME", str(self.runtime)),
            ("@PID", str(self.pid)),
            ("@PORT", str(self.port)),
            ("@NAME", self.name),
            ("@PTS", self.terminal),
            ("@HOME", str(self.home)),
            ("@PATH", self.env["PATH"]),
            ("@HQT", shlex.join(self.hqt)),
        ):
            text = text.replace(word, value)
        return text


@frozen
class ScratchHomes:
    """Makes grounds, each a copy of one home; the listeners are the same for all."""

    root: Path
    first: Scratch
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    @contextmanager
    def fresh(self) -> Iterator[Scratch]:
        """A ground of its own, ended and removed on leaving."""
        root = self.root / str(next(self.numbers))
        root.mkdir(mode=0o700)
        try:
            shutil.copytree(self.first.home, root / "home", symlinks=True)
            yield _moved(self.first, root)
        finally:
            _end_server(root / "run/hqt")
            _remove(root)


@contextmanager
def scratch_homes(caller: Caller, hqt: Sequence[str]) -> Iterator[ScratchHomes]:
    """Build a home and listen, until the probes are done; nothing of it stays.

    `caller` says where programs are found; `hqt`: the command line of hqt.
    """
    with ExitStack() as stack:
        root = stack.enter_context(_folder(_BASE))
        outside = stack.enter_context(_folder(_OUTSIDE_BASE if os.access(_OUTSIDE_BASE, os.W_OK) else _BASE))
        (outside / "host_secret").write_text("FAKE-TMP-SECRET\n")
        name = f"hqt-check-{root.name}"
        loopback = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        for address in (f"\0{name}", str(outside / "agent.sock")):
            listener = stack.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(address)
            listener.listen()
        first = Scratch(
            home=root / "0/home",
            runtime=root / "0/run",
            outside=outside,
            env=_environment(caller, outside),
            hqt=hqt,
            pid=os.getpid(),
            port=loopback.getsockname()[1],
            name=name,
            terminal=stack.enter_context(_terminal()),
        )
        first = _moved(first, root / "0")
        _furnish(first)
        yield ScratchHomes(root, first)


def _moved(ground: Scratch, root: Path) -> Scratch:
    """The same around another home."""
    home, runtime = root / "home", root / "run"
    runtime.mkdir(mode=0o700, parents=True)
    places = {"HOME": str(home), "XDG_RUNTIME_DIR": str(runtime)}
    path = ground.env["PATH"].removeprefix(f"{ground.home}/.local/bin:")
    return Scratch(
        home=home,
        runtime=runtime,
        outside=ground.outside,
        env={**ground.env, **places, "PATH": f"{home}/.local/bin:{path}"},
        hqt=ground.hqt,
        pid=ground.pid,
        port=ground.port,
        name=ground.name,
        terminal=ground.terminal,
    )


def _environment(caller: Caller, outside: Path) -> dict[str, str]:
    """A developer's shell, with all that must not enter a jail."""
    return {
        **{name: caller.env[name] for name in _KEPT if name in caller.env},
        "PATH": _path(caller),
        "SHELL": "/bin/sh",
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "PYTHONDONTWRITEBYTECODE": "1",
        "ANTHROPIC_API_KEY": "sk-LEAK-ANT",
        "OPENAI_API_KEY": "sk-LEAK-OAI",
        "GH_TOKEN": "ghp_LEAK",
        "AWS_SECRET_ACCESS_KEY": "CANARY-AWS",
        "MY_SECRET": "CANARY-GEN",
        "SSH_AUTH_SOCK": str(outside / "agent.sock"),
        "DBUS_SESSION_BUS_ADDRESS": f"unix:path={outside}/agent.sock",
        "DISPLAY": ":0",
    }


def _path(caller: Caller) -> str:
    """The caller's PATH without their home, which is not the scratch home: but for what hqt itself needs."""
    path = caller.env.get("PATH", os.defpath)
    homes = {Path(caller.env["HOME"]), caller.account_home}
    given = [Path(entry) for entry in path.split(":") if entry.startswith("/")]
    system = [entry for entry in given if homes.isdisjoint((entry, *entry.parents))]
    needed = [shutil.which(name, path=path) for name in ("bwrap", "tmux", "git")]
    folders = dict.fromkeys((*system, *(Path(found).parent for found in needed if found)))
    return ":".join(map(str, folders))


def _furnish(ground: Scratch) -> None:
    for name, content in {
        ".ssh/id_rsa": "FAKE-SSH-KEY",
        ".aws/credentials": "FAKE-AWS",
        ".netrc": "FAKE-NETRC",
        ".npmrc": "FAKE-NPMRC",
        ".bash_history": "FAKE-HISTORY",
        ".claude/settings.json": "{}",
        ".claude/.credentials.json": "FAKE-CRED",
        ".claude.json": '{"oauth":"FAKE"}',
        ".codex/auth.json": "FAKE-CODEX",
        ".kiro/settings/cli.json": "{}",
        ".local/share/hqt/hqt.db": "FAKEDB",
        ".local/bin/fakeharness": "#!/bin/sh",
        ".gitconfig": "[user]\n\tname = t\n\temail = t@e.x",
        "proj/README": "a project",
    }.items():
        path = ground.home / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_text(content + "\n")
        path.chmod(0o755 if "bin" in path.parts else 0o600)
    if shutil.which("git", path=ground.env["PATH"]) is not None:
        _repository(ground)


def _repository(ground: Scratch) -> None:
    """A repository on main with one commit and no hooks."""
    for step in (
        "init -q --template=",
        "symbolic-ref HEAD refs/heads/main",
        "add README",
        "commit -qm Begin",
    ):
        subprocess.run(
            ["git", *step.split()],
            cwd=ground.home / "proj",
            env=dict(ground.env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
        )
    (ground.home / "proj/.git/hooks").mkdir()


@contextmanager
def _folder(base: Path) -> Iterator[Path]:
    try:
        folder = Path(tempfile.mkdtemp(prefix="hqt-check-", dir=base))
    except OSError as error:
        raise ServiceError(
            f"no scratch folder can be made in {base} ({error.strerror}): make room or access there"
        ) from error
    try:
        yield folder
    finally:
        _remove(folder)


@contextmanager
def _terminal() -> Iterator[str]:
    ours, theirs = os.openpty()
    try:
        yield os.ttyname(theirs)
    finally:
        os.close(theirs)
        os.close(ours)


def _end_server(runtime: Path) -> None:
    """End the tmux server of a probe, its agents and what it runs in the background itself."""
    for path in runtime.glob("tmux-*"):
        tmux = ["tmux", "-S", str(path)]
        asked = subprocess.run(
            [*tmux, "display-message", "-p", "#{pid}"], capture_output=True, timeout=_LIMIT_S, check=False
        )
        pid = asked.stdout.strip()
        if not pid.isdigit():
            continue
        with Held() as held:
            held.add(descendants(int(pid)))
            subprocess.run([*tmux, "kill-server"], capture_output=True, timeout=_LIMIT_S, check=False)
            if not held.wait(_GONE_S):
                held.send(signal.SIGKILL)
                held.wait(_GONE_S)


def _remove(folder: Path) -> None:
    """Remove it whatever is in it: folders that were closed, paths that are too long for one name."""
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        subprocess.run(["chmod", "-R", "u+rwX", str(folder)], capture_output=True, check=False)
        subprocess.run(["rm", "-rf", str(folder)], capture_output=True, check=False)
