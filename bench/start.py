"""How long starts take, each beside what it is measured against, in one run: `make bench`."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from hqt import launch as launcher
from hqt.backends.base import Size, SpawnRequest
from hqt.backends.spec import spec_text
from hqt.paths import Places, places
from hqt.sandbox import SandboxPolicy, availability
from hqt.start import plan, survey
from hqt.start.caller import Caller
from hqt.start.prepare import prepare
from hqt.start.request import Launch

_HQT = str(Path(sys.executable).with_name("hqt"))
_ROUNDS = 30
_TIMES_MAX = 5.0  # sandbox exec against bare bwrap and a bare Python
_OVER_MS_MAX = 40.0  # a session's jail against an open session


@dataclass(frozen=True, slots=True)
class Ground:
    """A home and a repository of the bench's own."""

    root: Path
    project: Path
    env: dict[str, str]
    places: Places


@contextmanager
def _ground() -> Iterator[Ground]:
    with tempfile.TemporaryDirectory(prefix="hqt-bench-") as made:
        root = Path(made)
        home, project = root / "home", root / "home/proj"
        for folder in (home, root / "run"):
            folder.mkdir(mode=0o700)
        env = {
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "XDG_RUNTIME_DIR": str(root / "run"),
        }
        _repository(project, env)
        yield Ground(root, project, env, places(env, os.geteuid()))


def _repository(folder: Path, env: dict[str, str]) -> None:
    """As large as a usual project: 2000 tracked files."""
    for number in range(2000):
        path = folder / f"src/{number % 40}/{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{number}\n")
    git = ("git", "-c", "user.name=Bench", "-c", "user.email=bench@example.invalid")
    for step in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-q", "-m", "Begin")):
        subprocess.run([*git, *step], cwd=folder, env=env, check=True)


def main() -> int:
    with _ground() as ground:
        os.environ.clear()
        os.environ.update(ground.env)
        jailed, open_ = _request(ground, SandboxPolicy(net=False)), _request(ground, None)
        measured = _measure(
            {
                "python -c pass": lambda: _run([sys.executable, "-c", "pass"], ground),
                "bwrap, the same argv": lambda: _bare(jailed, ground),
                # the command as people have it
                "hqt sandbox exec": lambda: _run([_HQT, *"sandbox exec --no-net -- true".split()], ground),
                "open session": lambda: _launched(open_, ground),
                "jailed session": lambda: _launched(jailed, ground),
            }
        )
    return _told(measured)


def _request(ground: Ground, policy: SandboxPolicy | None) -> SpawnRequest:
    """A session's start that tells when its program began."""
    caller = Caller(ground.env, os.geteuid(), 0o022)
    command = ("date", "+%s%N")
    launch = Launch("generic", ground.project, policy, args=command, key="0000000a")
    found = availability() if policy else None
    surveys = survey.survey(launch, ground.places, caller, found, terminal=False)
    with prepare(plan.plan(launch, surveys), Size(80, 24), ground.places, "bench") as request:
        return replace(request, status=ground.root / "status")


def _measure(trials: dict[str, Callable[[], float]]) -> dict[str, list[float]]:
    """Milliseconds of each trial, all in turn so that what else the machine does meets all alike."""
    found: dict[str, list[float]] = {name: [] for name in trials}
    for number in range(_ROUNDS + 2):
        for name, trial in trials.items():
            took = trial()
            if number >= 2:  # the first ones fill caches
                found[name].append(took)
    return found


def _run(argv: list[str], ground: Ground, pass_fds: tuple[int, ...] = ()) -> float:
    began = time.perf_counter_ns()
    subprocess.run(
        argv, cwd=ground.project, env=ground.env, stdin=subprocess.DEVNULL, check=True, pass_fds=pass_fds
    )
    return (time.perf_counter_ns() - began) / 1e6


def _bare(request: SpawnRequest, ground: Ground) -> float:
    assert request.seal is not None  # noqa: S101 - it is a jail's
    files = [os.memfd_create("filter"), os.memfd_create("status")]
    try:
        os.write(files[0], request.seal.filter)
        os.lseek(files[0], 0, os.SEEK_SET)
        argv = [*request.argv[: request.argv.index("--default-signal=INT") + 1], "true"]
        argv[argv.index("--seccomp") + 1] = str(files[0])
        argv[argv.index("--json-status-fd") + 1] = str(files[1])
        return _run(argv, ground, tuple(files))
    finally:
        for file in files:
            os.close(file)


def _launched(request: SpawnRequest, ground: Ground) -> float:
    """From the launcher's start to the program's."""
    spec = ground.root / "spec"
    spec.write_text(spec_text(request))
    spec.chmod(0o600)
    argv = [sys.executable, "-I", "-S", launcher.__file__, str(spec)]
    began = time.time_ns()
    done = subprocess.run(argv, env=ground.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
    return (int(done.stdout) - began) / 1e6


def _told(measured: dict[str, list[float]]) -> int:
    middle = {name: statistics.median(times) for name, times in measured.items()}
    for name, taken in measured.items():
        print(f"{name:22} {middle[name]:7.1f} ms   ({min(taken):.1f} to {max(taken):.1f})")
    bare = middle["python -c pass"] + middle["bwrap, the same argv"]
    times = middle["hqt sandbox exec"] / bare
    over = middle["jailed session"] - middle["open session"]
    print(f"sandbox exec: {times:.1f} times bwrap and Python together (at most {_TIMES_MAX:.0f})")
    print(f"a jail costs a session {over:.1f} ms (at most {_OVER_MS_MAX:.0f})")
    return 0 if times <= _TIMES_MAX and over <= _OVER_MS_MAX else 1


if __name__ == "__main__":
    sys.exit(main())
