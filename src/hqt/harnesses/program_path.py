"""Where a program is, and every path that a jail must show so that it starts."""

import os
import pwd
from collections.abc import Iterator
from pathlib import Path

from hqt.errors import HarnessError
from hqt.harnesses.base import Program
from hqt.values import frozen

# every jail shows these (hqt.sandbox.host)
_SYSTEM = (
    *"/usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix /gnu /snap /etc/alternatives".split(),
    "/home/linuxbrew/.linuxbrew",
)
_NEVER_WHOLE = (
    ".local .local/share .local/state .config .cache .ssh .gnupg .aws .azure .kube .docker .claude .codex "
    ".kiro .kiro/settings .gemini .qwen .pi .pi/agent .opencode .copilot .agents .config/opencode "
    ".local/share/opencode .local/share/kiro-cli"
).split()
_HOPS_MAX = 40  # as the kernel's own limit (path_resolution(7))
_INTERPRETERS_MAX = 4
_LINE_MAX = 256  # of a `#!` line, BINPRM_BUF_SIZE in Linux


def find(executable: str, path_value: str, cwd: Path, home: Path) -> Program:
    """The program that `executable` names, and what it needs.

    A word with a slash is taken from `cwd`; any other is looked up on `path_value`, whose relative
    entries are left out: they would be another program in each project.

    Raises HarnessError where there is none.
    """
    search = _Search(path_value, cwd, home)
    path = search.which(executable)
    if path is None:
        raise HarnessError(
            f"{executable!r} is not a program: correct its path"
            if "/" in executable
            else f"{executable!r} is not on PATH: install it, or add the folder that holds it to PATH"
        )
    real = path.resolve()
    wanted = dict.fromkeys(search.needs(path, _INTERPRETERS_MAX))
    return Program(
        path=path,
        real=real,
        shown=tuple(each for each in wanted if not _is_system(each)),
        script=bool(_interpreter(real)),
    )


def login_shell(uid: int) -> str:
    """The shell of the passwd database; empty where it knows no such user, as in a container."""
    try:
        return pwd.getpwuid(uid).pw_shell
    except KeyError:
        return ""


@frozen
class _Search:
    path_value: str
    cwd: Path
    home: Path

    def which(self, executable: str) -> Path | None:
        if "/" in executable:
            places = [self.cwd]
        else:
            places = [Path(entry) for entry in self.path_value.split(":") if entry.startswith("/")]
        named = (Path(os.path.normpath(place / executable)) for place in places if executable)
        return next((path for path in named if _is_program(path)), None)

    def needs(self, path: Path, depth: int) -> Iterator[Path]:
        """The hops of its links, the trees around them, and the same of its interpreter."""
        hops = [path, *_hops(path)]
        yield from hops
        for tree in (*map(_venv, hops), _packages(hops[-1]), _prefix(hops[-1])):
            if tree is not None and self._may_be_shown(tree):
                yield tree
        for word in _interpreter(hops[-1]) if depth else ():
            found = self.which(word)
            if found is not None:
                yield from self.needs(found, depth - 1)

    def _may_be_shown(self, folder: Path) -> bool:
        homes = (self.home, self.home.resolve())
        whole = (*homes, *(home / name for home in homes for name in _NEVER_WHOLE))
        return folder not in whole and not any(folder in home.parents for home in homes)


def _is_program(path: Path) -> bool:
    try:
        return path.is_file() and os.access(path, os.X_OK)
    except OSError:  # links in a circle, a name that is too long
        return False


def _is_system(path: Path) -> bool:
    return any(path.is_relative_to(top) for top in _SYSTEM)


def _hops(path: Path) -> Iterator[Path]:
    """Where the links of `path` lead, one by one, by their real folders; the file itself last."""
    for _ in range(_HOPS_MAX):
        path = path.parent.resolve() / path.name
        yield path
        if not path.is_symlink():
            return
        path = path.parent / path.readlink()


def _packages(real: Path) -> Path | None:
    """npm's tree: the outermost node_modules, as a package finds its dependencies upwards."""
    return next((folder for folder in reversed(real.parents) if folder.name == "node_modules"), None)


def _venv(hop: Path) -> Path | None:
    root = hop.parent.parent
    return root if hop.parent.name == "bin" and (root / "pyvenv.cfg").is_file() else None


def _prefix(real: Path) -> Path | None:
    """What a Python of the user's own needs beside it: its library lies in `../lib`."""
    root = real.parent.parent
    is_python = real.name.startswith("python") and real.parent.name == "bin" and not _is_system(real)
    return root if is_python and any(root.glob("lib/python3*")) else None


def _interpreter(real: Path) -> tuple[str, ...]:
    """The programs of a `#!` line: the interpreter and, where that is env, what env looks up."""
    try:
        with real.open("rb") as file:
            start = file.read(_LINE_MAX)
    except OSError:  # a program may be executable and unreadable
        return ()
    if not start.startswith(b"#!"):
        return ()
    words = os.fsdecode(start[2:].partition(b"\n")[0]).split()
    if not words or Path(words[0]).name != "env":
        return tuple(words[:1])
    rest = (word.removeprefix("-S") for word in words[1:])
    looked_up = (word for word in rest if word and not word.startswith("-") and "=" not in word)
    return (words[0], *list(looked_up)[:1])
