"""The launcher's seal, on real jails: what was judged is what is shown, and what lies outside stays apart."""

import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hqt import launch as launcher
from hqt import sandbox
from hqt.backends.base import Seal, Size, SpawnRequest
from hqt.backends.spec import spec_text
from hqt.launch import CANNOT_LAUNCH, PROCESSES_MAX, landlock_version
from hqt.sandbox import SandboxPolicy
from hqt.start import plan as planning
from hqt.start import survey
from hqt.start.caller import Caller
from hqt.start.prepare import prepare
from hqt.start.request import Launch
from hqt.values import replace
from tests.sandbox.jailed import furnish, on_host
from tests.world import World, needs_bwrap, needs_tmux

pytestmark = [pytest.mark.real, needs_bwrap]

needs_scopes = pytest.mark.skipif(
    "CI" not in os.environ and landlock_version() < 6, reason="Landlock scopes begin with Linux 6.12"
)


class Start:
    """A jail's start, held between the survey and the exec."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self.world = world
        for name, value in world.env.items():
            monkeypatch.setenv(name, value)

    def request(self, *command: str, net: bool = False) -> SpawnRequest:
        policy, caller = SandboxPolicy(net=net), Caller(self.world.env, os.geteuid(), 0o022)
        launch = Launch("generic", self.world.project, policy, command=command)
        places, available = self.world.places, sandbox.availability()
        surveys = survey.survey(launch, places, caller, available, terminal=False)
        plan = planning.plan(launch, surveys)
        with prepare(plan, Size(80, 24), places, "a-test") as request:
            return replace(request, status=self.world.root / "status")

    def run(self, request: SpawnRequest) -> "subprocess.CompletedProcess[str]":
        spec = self.world.root / "spec"
        spec.write_text(spec_text(request))
        spec.chmod(0o600)
        return subprocess.run(
            [sys.executable, "-I", "-S", launcher.__file__, str(spec)],
            env=self.world.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=20,
        )


@pytest.fixture
def start(world: World, monkeypatch: pytest.MonkeyPatch) -> Start:
    furnish(world)
    return Start(world, monkeypatch)


def _to_a_link(world: World, path: Path) -> None:
    secret = world.home / ".ssh"
    secret.mkdir(exist_ok=True)
    (secret / "id").write_text("KEY\n")
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    path.symlink_to(os.path.relpath(secret, path.parent))


def _to_another(world: World, path: Path) -> None:
    path.rename(path.with_name("before"))
    path.mkdir()


@pytest.mark.parametrize("swap", [_to_a_link, _to_another])
@pytest.mark.parametrize(
    "name", [".", ".git", ".git/hooks", ".git/worktrees/wt", ".claude", ".claude/hooks", ".vscode", "wt/.git"]
)
def test_what_was_swapped_between_survey_and_exec_is_not_shown(
    name: str, swap: Callable[[World, Path], None], start: Start
) -> None:
    world = start.world
    on_host(world, "mkdir -p .claude/hooks .vscode; git worktree add -q wt")
    request = start.request("cat", f"{name}/id", ".git/worktrees/wt/id")
    swap(world, (world.project / name).resolve())
    done = start.run(replace(request, cwd=world.home))
    assert (done.returncode, done.stdout) == (CANNOT_LAUNCH, "")
    assert done.stderr.startswith(f"hqt: {world.project}")
    assert len(done.stderr.splitlines()) == 1


def test_a_cache_that_was_swapped_for_a_link_is_not_shown(start: Start) -> None:
    request = start.request("ls", "-A", ".cache")
    assert request.seal is not None
    cache = next(
        source.path for source in request.seal.sources if source.path.parts[-2:] == ("cache", "cache")
    )
    cache.mkdir(parents=True, exist_ok=True)
    _to_a_link(start.world, cache)
    done = start.run(request)
    assert (done.returncode, done.stdout) == (CANNOT_LAUNCH, "")


def test_a_link_that_got_the_inode_of_what_was_judged_is_refused(start: Start) -> None:
    request = start.request("true")
    link = start.world.home / "link"
    link.symlink_to(".ssh")
    found = link.lstat()
    assert request.seal is not None
    same = replace(request.seal.sources[0], path=link, device=found.st_dev, inode=found.st_ino)
    done = start.run(replace(request, seal=replace(request.seal, sources=(same,))))
    assert (done.returncode, done.stdout, done.stderr) == (
        CANNOT_LAUNCH,
        "",
        f"hqt: {link} was replaced while the jail was prepared: look at it, then start again\n",
    )


def test_every_path_of_project_git_and_cache_that_argv_shows_is_checked(start: Start) -> None:
    on_host(
        start.world, "mkdir -p .claude/hooks .vscode; git worktree add -q ../other; git worktree add -q wt"
    )
    request = start.request("true")
    assert request.seal is not None
    checked = {str(source.path) for source in request.seal.sources}
    binds = [
        request.argv[place + 1] for place, word in enumerate(request.argv) if word in ("--bind", "--ro-bind")
    ]
    own = [
        path for path in binds if path.startswith((str(start.world.project), str(start.world.places.data)))
    ]
    assert own
    assert set(own) - checked == set()


@needs_tmux
def test_a_project_swapped_for_a_link_before_a_resume_starts_nothing(world: World) -> None:
    furnish(world)
    world.json("new", "-s", "--harness", "generic", "--name", "one", "--", "sleep", "600")
    assert world.hqt("stop", "one").returncode == 0
    _to_a_link(world, world.project)
    done = world.hqt("resume", "one", cwd=world.home)
    assert done.returncode != 0
    assert f"{world.project} leads to {world.home}/.ssh now" in done.stderr
    assert world.json("list")[0]["state"] == "stopped"


_CONNECT = "import socket, sys; socket.socket(socket.AF_UNIX).connect('\\0' + sys.argv[1]); print('REACHED')"
_SIGNAL = "import os, sys; os.kill(int(sys.argv[1]), 0); print('REACHED')"


@needs_scopes
@pytest.mark.parametrize(("scopes", "said"), [(True, ""), (False, "REACHED\n")])
def test_abstract_sockets_of_the_host_are_closed_with_a_network_on(
    scopes: bool, said: str, start: Start
) -> None:
    name = f"hqt-test-{os.getpid()}-{scopes}"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"\0{name}")
        listener.listen()
        request = start.request("python3", "-c", _CONNECT, name, net=True)
        done = start.run(replace(request, seal=_scoped(request, scopes=scopes)))
    assert done.stdout == said, done


@needs_scopes
def test_abstract_sockets_within_a_jail_still_work(start: Start) -> None:
    script = (
        "import socket; a = socket.socket(socket.AF_UNIX); a.bind('\\0own'); a.listen();"
        "socket.socket(socket.AF_UNIX).connect('\\0own'); print('REACHED')"
    )
    assert start.run(start.request("python3", "-c", script, net=True)).stdout == "REACHED\n"


@needs_scopes
@pytest.mark.parametrize(("scopes", "code"), [(True, 1), (False, 0)])
def test_a_scoped_process_can_not_signal_the_host(scopes: bool, code: int, start: Start) -> None:
    # without a jail around it, whose process namespace would hide the host's processes
    request = replace(start.request("true"), argv=("python3", "-c", _SIGNAL, str(os.getpid())))
    done = start.run(replace(request, seal=_scoped(request, scopes=scopes)))
    assert done.returncode == code, done


@needs_scopes
def test_a_jail_is_still_ended_from_outside(start: Start) -> None:
    request = start.request(
        "sh", "-c", "trap 'echo TERM; exit 7' TERM; echo READY; while :; do sleep 0.1; done"
    )
    spec = start.world.root / "spec"
    spec.write_text(spec_text(request))
    spec.chmod(0o600)
    argv = [sys.executable, "-I", "-S", launcher.__file__, str(spec)]
    with subprocess.Popen(argv, env=start.world.env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "READY\n"
        process.send_signal(signal.SIGKILL)
        assert process.stdout.read() == ""


def test_a_jail_leaves_no_core_and_bounds_its_processes(start: Start) -> None:
    script = "import resource as r; print(r.getrlimit(r.RLIMIT_CORE), r.getrlimit(r.RLIMIT_NPROC)[0])"
    done = start.run(start.request("python3", "-c", script))
    _, _, processes = done.stdout.rpartition(" ")
    assert done.stdout.startswith("(0, 0) ")
    hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    most = PROCESSES_MAX + 5000
    assert PROCESSES_MAX <= int(processes) <= most or int(processes) == hard


def _scoped(request: SpawnRequest, *, scopes: bool) -> Seal:
    assert request.seal is not None
    return replace(request.seal, scopes=scopes)
