"""What git says of a folder, asked so that nothing of the folder's is run."""

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from hqt.errors import JailError
from hqt.sandbox.files import untrusted
from hqt.values import frozen

_LIMIT_S = 3
# neither hooks nor monitors nor pagers of the project run; a bare repository's index is read like another
_SAFE = "core.fsmonitor=false core.hooksPath=/dev/null core.pager=cat".split()
# commands that git runs without asking; each may be a script of the project
_COMMANDS = (
    "core.fsmonitor core.sshcommand core.editor core.pager core.askpass core.alternaterefscommand "
    "sequence.editor gpg.program gpg.ssh.program gpg.ssh.defaultkeycommand diff.external credential.helper "
    "interactive.difffilter uploadpack.packobjectshook"
).split()
_COMMAND_ENDINGS = (".clean", ".smudge", ".process", ".textconv", ".command", ".driver", ".helper", ".cmd")
_NEVER_TRACKED = frozenset(("", ".", "..", ".git"))  # of each part of a name (git, verify_path)
_LINK = re.compile(rb"(?:\A|\0)160000 [0-9a-f]+ [0-9]\t([^\0]+)")


@frozen
class Setting:
    """One value and the file that it was read from."""

    origin: Path | None  # absolute; None: the command line or the environment
    key: str  # lower case but for the middle of three parts, as git prints it
    value: str


@frozen
class Named:
    """A path that a setting makes git read or run; absolute, not followed."""

    path: Path
    what: str  # "folder", "file", or "word" of a command: it may be a path or not


@frozen
class Asker:
    """The git of this user, found outside of the project and asked on the project's behalf."""

    program: Path | None
    env: Mapping[str, str]

    @classmethod
    def of(cls, env: Mapping[str, str], project: Path) -> "Asker":
        # the caller's own GIT_* would lead git elsewhere
        kept = {name: value for name, value in env.items() if not name.startswith("GIT_")}
        return cls(untrusted.program("git", env, project), kept)

    def ask(self, folder: Path, *words: str) -> bytes | None:
        """git's answer; None where it has none, or there is no git.

        Raises JailError where it does not answer in time: a FIFO may lie where a file should.
        """
        if self.program is None:
            return None
        safe = [word for setting in _SAFE for word in ("-c", setting)]
        try:
            done = subprocess.run(
                [self.program, *safe, "-C", folder, *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**self.env, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"},
                timeout=_LIMIT_S,
                check=False,
            )
        except OSError:
            return None
        except subprocess.TimeoutExpired as error:
            raise JailError(
                f"git does not answer in {folder}: look whether a pipe or device lies where git wants a file"
            ) from error
        return done.stdout if done.returncode == 0 else None

    def settings(self, folder: Path | None) -> tuple[Setting, ...]:
        """All settings that hold in the repository `folder`, last wins, includes followed; None: only the
        user's own. JailError where they can't be read: what git would run is not known then."""
        listed = ("config", "--null", "--list", "--show-origin", "--includes")
        if folder is None:
            return _settings(Path("/"), self.ask(Path("/"), *listed, "--global"))
        answer = self.ask(folder, *listed)
        if answer is None and self.program is not None:
            raise JailError(
                f"git can't read its configuration in {folder}: `git -C {folder} config --list` says why"
            )
        return _settings(folder, answer)

    def dormant(self, found: tuple[Setting, ...], project: Path, home: Path) -> tuple[Setting, ...]:
        """Settings of the project's files that are included on a condition which does not hold now."""
        read = {setting.origin for setting in found}
        more: list[Setting] = []
        for named in named_files(found, project, home):
            if named.what == "file" and named.path not in read and untrusted.read(named.path, 0) is not None:
                words = ("config", "--null", "--list", "--show-origin", "--includes", "--file")
                more += _settings(Path("/"), self.ask(Path("/"), *words, str(named.path)))
        return tuple(more)

    def index(self, folder: Path) -> bytes | None:
        """The index of the repository in `folder`, as `ls-files --stage -z` lists it."""
        return self.ask(folder, "-c", "core.bare=false", "ls-files", "--stage", "-z")

    def index_if_any(self, folder: Path) -> bytes:
        """The same, empty where git can't or does not answer."""
        try:
            return self.index(folder) or b""
        except JailError:
            return b""


def links(index: bytes) -> tuple[str, ...]:
    """The folders of an index that are repositories of their own: git status looks into each.

    Names that git itself would not take, as of an index made by hand, are left out.
    """
    found = dict.fromkeys(os.fsdecode(name) for name in _LINK.findall(index))
    return tuple(name for name in found if _NEVER_TRACKED.isdisjoint(name.lower().split("/")))


def tracked(index: bytes, below: Iterable[str]) -> frozenset[str]:
    """The files of an index whose first part is one of `below`."""
    tops = {os.fsencode(name) for name in below}
    names = (entry.partition(b"\t")[2] for entry in index.split(b"\0"))
    return frozenset(os.fsdecode(name) for name in names if name.partition(b"/")[0] in tops)


def last(found: tuple[Setting, ...], key: str) -> str | None:
    return next((setting.value for setting in reversed(found) if setting.key == key), None)


def is_true(value: str | None) -> bool:
    """Whether git takes the value for a yes (git-config(1), Values); a key alone is one."""
    return value is not None and value.lower() in ("", "true", "yes", "on", "1")


def named_files(found: Iterable[Setting], project: Path, home: Path) -> Iterator[Named]:
    """Every path that these settings make git read or run."""
    for setting in found:
        key = setting.key
        if key == "core.hookspath":
            yield Named(_placed(setting.value, project, home), "folder")
        elif key == "include.path" or (key.startswith("includeif.") and key.endswith(".path")):
            base = setting.origin.parent if setting.origin else project
            yield Named(_placed(setting.value, base, home), "file")
        elif key in _COMMANDS or key.endswith(_COMMAND_ENDINGS):
            yield from _words(setting.value, project, home)


def _words(command: str, project: Path, home: Path) -> Iterator[Named]:
    words = re.split(r"[\s\"';|&()<>]+", command.lstrip("!"))
    for place, word in enumerate(words):
        if word and not word.startswith("-"):
            is_program = place == 0 and "/" in word
            yield Named(_placed(word, project, home), "file" if is_program else "word")


def _settings(folder: Path, answer: bytes | None) -> tuple[Setting, ...]:
    words = os.fsdecode(answer or b"").split("\0")
    return tuple(_setting(folder, *pair) for pair in zip(words[::2], words[1::2], strict=False))


def _setting(folder: Path, origin: str, said: str) -> Setting:
    kind, _, name = origin.partition(":")
    key, _, value = said.partition("\n")
    return Setting(Path(os.path.normpath(folder / name)) if kind == "file" else None, key, value)


def _placed(value: str, base: Path, home: Path) -> Path:
    path = home / value[2:] if value.startswith("~/") else base / value
    return Path(os.path.normpath(path))
