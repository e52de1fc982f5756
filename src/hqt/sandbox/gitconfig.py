"""What git's configuration says for a folder, asked so that nothing of the folder's is run."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_LIMIT_S = 5
# commands that git runs without asking; each may be a script of the project
_COMMANDS = (
    "core.fsmonitor core.sshcommand core.editor core.pager core.askpass sequence.editor gpg.program "
    "gpg.ssh.program diff.external credential.helper"
).split()
_COMMAND_ENDINGS = (".clean", ".smudge", ".process", ".textconv", ".command", ".driver", ".helper")


@dataclass(frozen=True, slots=True)
class Setting:
    """One value and the file that it was read from."""

    origin: Path | None  # absolute; None: the command line or the environment
    key: str  # lower case but for the middle of three parts, as git prints it
    value: str


def settings(folder: Path, env: Mapping[str, str], *, local: bool) -> tuple[Setting, ...]:
    """All settings, last wins; with `local` those of the repository in `folder`, includes followed.

    Nothing where there is no git, or where it does not answer: a FIFO may lie where a file should.
    """
    scope = [] if local else ["--global"]
    text = ask(folder, ["config", *scope, "--null", "--list", "--show-origin", "--includes"], env)
    words = text.split("\0")
    return tuple(_setting(folder, *pair) for pair in zip(words[::2], words[1::2], strict=False))


def ask(folder: Path, words: list[str], env: Mapping[str, str]) -> str:
    """git's answer, empty where there is none; neither hooks nor monitors nor pagers of the project run."""
    safe = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat"]
    # the caller's own GIT_* would lead git elsewhere
    kept = {name: value for name, value in env.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(
            ["git", *safe, "-C", str(folder), *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=kept | {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"},
            timeout=_LIMIT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return os.fsdecode(done.stdout) if done.returncode == 0 else ""


def last(found: tuple[Setting, ...], key: str) -> str | None:
    return next((setting.value for setting in reversed(found) if setting.key == key), None)


def named_files(found: tuple[Setting, ...], project: Path, home: Path) -> Iterator[Path]:
    """Every file or folder that these settings make git read or run; absolute, not followed."""
    for setting in found:
        key = setting.key
        if key == "core.hookspath":
            yield _placed(setting.value, project, home)
        elif key == "include.path" or (key.startswith("includeif.") and key.endswith(".path")):
            yield _placed(setting.value, setting.origin.parent if setting.origin else project, home)
        elif key in _COMMANDS or key.endswith(_COMMAND_ENDINGS):
            yield from (
                _placed(word, project, home) for word in setting.value.lstrip("!").split() if "/" in word
            )


def submodules(project: Path) -> tuple[str, ...]:
    """The folders that .gitmodules registers, relative to `project` and inside it."""
    if not (project / ".gitmodules").is_file():
        return ()
    words = [
        "config",
        "--file",
        str(project / ".gitmodules"),
        "--no-includes",
        "--null",
        "--get-regexp",
        r"\.path$",
    ]
    entries = ask(Path("/"), words, os.environ).split("\0")
    paths = [os.path.normpath(entry.partition("\n")[2]) for entry in entries if entry]
    return tuple(path for path in paths if path != "." and not path.startswith(("/", "..")))


def _setting(folder: Path, origin: str, said: str) -> Setting:
    kind, _, name = origin.partition(":")
    key, _, value = said.partition("\n")
    return Setting(Path(os.path.normpath(folder / name)) if kind == "file" else None, key, value)


def _placed(value: str, base: Path, home: Path) -> Path:
    path = home / value[2:] if value.startswith("~/") else base / value
    return Path(os.path.normpath(path))
