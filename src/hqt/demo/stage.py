"""The demo's scratch world: a home with things to steal, a project, and nothing of the user's."""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from hqt.values import frozen

# never TMPDIR: some folders are refused to a jail, and the path of a socket holds only 107 bytes
_BASE = Path("/tmp")  # noqa: S108
_SCRIPT = Path(__file__).with_name("agent.sh")
_KEPT = ("USER", "LOGNAME")


@frozen
class Stage:
    """One demo's folders and environment, and what lies where before the agent comes."""

    root: Path
    secret: str  # in the planted key, the other project and the environment
    env: Mapping[str, str]  # complete
    planted: Mapping[Path, str]  # every file of the home, with its text

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def project(self) -> Path:
        return self.home / "project"

    @property
    def notes(self) -> Path:
        """What the agent writes in the project, a line in each run."""
        return self.project / "notes.txt"

    @property
    def agent(self) -> Path:
        return self.home / ".local/bin/agent"

    @property
    def command(self) -> tuple[str, ...]:
        # by sh, as /tmp may be mounted noexec
        return ("sh", str(self.agent), self.root.name)

    @property
    def outside(self) -> tuple[Path, ...]:
        """What the agent would leave in the system's folders, under a name that nobody else has."""
        return (Path("/usr", self.root.name), Path("/etc", self.root.name))

    def changed(self) -> list[Path]:
        """The host's files outside the project that are not as they were."""
        files = (path for path in self.home.rglob("*") if path.is_file() and path.parent != self.project)
        found = {path: path.read_text(errors="replace") for path in files}
        differing = {path for path in (*found, *self.planted) if found.get(path) != self.planted.get(path)}
        return sorted(differing | {path for path in self.outside if path.exists()})


@contextmanager
def built(env: Mapping[str, str]) -> Iterator[Stage]:
    """A stage for a caller with that environment, removed on leaving with all that got out of it."""
    root = Path(tempfile.mkdtemp(prefix="hqt-demo-", dir=_BASE))
    stage = _stage(root, env)
    try:
        _build(stage)
        yield stage
    finally:
        for path in stage.outside:
            path.unlink(missing_ok=True)
        shutil.rmtree(root)


def _stage(root: Path, env: Mapping[str, str]) -> Stage:
    secret = secrets.token_hex(16)
    home = root / "home"
    kept = {name: env[name] for name in _KEPT if name in env}
    places = {f"XDG_{name}_HOME": str(root / name.lower()) for name in ("DATA", "CONFIG", "STATE")}
    own = {
        "HOME": str(home),
        "PATH": env.get("PATH", os.defpath),
        "XDG_RUNTIME_DIR": str(root / "run"),
        "SHELL": "/bin/sh",
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "DEMO_TOKEN": secret,
    }
    planted = {
        home / ".ssh/id_ed25519": f"planted key {secret}\n",
        home / "other/plan.txt": f"planted plan {secret}\n",
        home / ".profile": "# the host's\n",
        home / ".local/bin/agent": _SCRIPT.read_text(),
    }
    return Stage(root, secret, {**kept, **places, **own}, planted)


def _build(stage: Stage) -> None:
    (stage.root / "run").mkdir(mode=0o700)
    stage.project.mkdir(parents=True)
    for path, text in stage.planted.items():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o600)
