"""A machine that scripts/setup believes in: stubs on PATH that write down how they were called."""

import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]

_PYTHON = """#!/bin/sh
case $* in
    *ensurepip*) test -e "$MACHINE/has-venv"; exit ;;
    *'"python%d.%d-venv"'*) echo python3.11-venv; exit ;;
    *version_info*|*'import hqt'|*'pip --version') exit 0 ;;
esac
echo "python $*" >>"$MACHINE/calls"
[ "$2" != venv ] || { mkdir -p .venv/bin; cp "$0" .venv/bin/python; }
"""
_MANAGER = """#!/bin/sh
echo "${0##*/} $*" >>"$MACHINE/calls"
[ ! -e "$MACHINE/offers-nothing" ] || exit 0
for tool in tmux bwrap git node npm; do
    ln -sf /bin/true "$MACHINE/bin/$tool"
done
: >"$MACHINE/has-venv"
"""
_SUDO = """#!/bin/sh
echo "sudo" >>"$MACHINE/calls"
exec "$@"
"""


@dataclass
class Machine:
    """A checkout and the only programs that its set-up finds."""

    root: Path
    checkout: Path = field(init=False)
    python: Path = field(init=False)

    def __post_init__(self) -> None:
        self.checkout = self.root / "checkout"
        (self.checkout / "scripts").mkdir(parents=True)
        for name in ("scripts/setup", "pyproject.toml", "constraints.txt"):
            shutil.copy(REPOSITORY / name, self.checkout / name)
        (self.root / "bin").mkdir()
        for name in ("cat", "cksum", "cp", "dirname", "env", "ln", "mkdir", "rm", "true"):
            self.bring(name)
        self.is_user(0)
        self.python = self.has("python", _PYTHON)
        (self.root / "has-venv").touch()

    def has(self, name: str, script: str) -> Path:
        path = self.root / "bin" / name
        path.write_text(script)
        path.chmod(0o755)
        return path

    def bring(self, name: str) -> None:
        """Show a program of the real machine."""
        found = shutil.which(name)
        assert found is not None
        (self.root / "bin" / name).symlink_to(found)

    def has_tools(self) -> None:
        for name in ("tmux", "bwrap", "git"):
            self.has(name, "#!/bin/sh\n")

    def has_manager(self, name: str) -> None:
        self.has(name, _MANAGER)

    def has_sudo(self) -> None:
        self.has("sudo", _SUDO)

    def is_user(self, uid: int) -> None:
        self.has("id", f"#!/bin/sh\necho {uid}\n")

    def lacks_venv(self) -> None:
        (self.root / "has-venv").unlink()

    def gets_nothing(self) -> None:
        """Let the package manager succeed without installing anything."""
        (self.root / "offers-nothing").touch()

    def set_up(self, *tools: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.checkout / "scripts/setup", *tools],
            env={
                "PATH": str(self.root / "bin"),
                "MACHINE": str(self.root),
                "PYTHON": str(self.python),
                **env,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )

    def calls(self) -> list[str]:
        """What was called since the last look, in order."""
        path = self.root / "calls"
        found = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return found
