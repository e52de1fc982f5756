"""What an installed program says of itself, asked once and remembered until its file changes."""

import json
import os
import re
import selectors
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from hqt.harnesses.base import Program
from hqt.sandbox.files import untrusted
from hqt.sandbox.files.links import leads_through
from hqt.values import frozen

_LIMIT_S = 10.0
_VERSION_MAX = 100
_TEXT_MAX = 1 << 18
_VERSION = ("--version",)
_NUMBER = re.compile(r"\d")
_LISTED = re.compile(r"^\s*(-\w,?\s+)?--help\b", re.MULTILINE)
_ENV = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")  # HOME: the shims of version managers need it


@frozen
class Help:
    """What a program printed when it was asked for help; empty where it was not or did not answer."""

    text: str = ""

    @property
    def is_one(self) -> bool:
        """Whether it lists options: one that does not name --help as such tells nothing of the others."""
        return _LISTED.search(self.text) is not None

    def has(self, words: Iterable[str]) -> frozenset[str]:
        """Those of `words` that stand in it."""
        return frozenset(filter(self._has, words))

    def lacks(self, flags: Iterable[str]) -> frozenset[str]:
        """Those of `flags` that it does not list; none where that is not known."""
        return frozenset(flag for flag in flags if not self._has(flag)) if self.is_one else frozenset()

    def _has(self, word: str) -> bool:
        return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", self.text) is not None


def holder(program: Program, folders: Iterable[Path]) -> Path | None:
    """The one of `folders`, real paths, where whoever writes there could make it another program."""
    paths = (program.path, program.real, *program.shown)
    return next((folder for folder in folders if any(_is_made_in(folder, path) for path in paths)), None)


def help_of(
    program: Program,
    *,
    question: Sequence[str] = ("--help",),
    cache: Path,
    env: Mapping[str, str],
    projects: Sequence[Path],
    patient: bool = False,
) -> Help:
    """Its help; `patient`: also of one that took too long when it was asked before.

    A program that `projects` hold is not asked: an agent could have put it there, and this runs
    it outside every jail.
    """
    if not question or holder(program, projects) is not None:
        return Help()
    return Help(_remembered(program, question, cache, env, projects, patient=patient))


def version(program: Program, *, cache: Path, env: Mapping[str, str], projects: Sequence[Path]) -> str | None:
    """The line of its --version that holds a number, else the first, on whichever stream it prints it.

    None where it can't be asked, as in `help_of`, or says nothing.
    """
    if holder(program, projects) is not None:
        return None
    lines = _remembered(program, _VERSION, cache, env, projects, patient=True).strip().splitlines()
    line = next((each for each in lines if _NUMBER.search(each)), lines[0] if lines else "")
    return "".join(sign for sign in line if sign.isprintable())[:_VERSION_MAX] or None


def _is_made_in(folder: Path, path: Path) -> bool:
    return path.is_relative_to(folder) or leads_through(path, folder)


def _remembered(
    program: Program,
    question: Sequence[str],
    cache: Path,
    env: Mapping[str, str],
    projects: Sequence[Path],
    *,
    patient: bool,
) -> str:
    try:
        found = program.real.stat()
    except OSError:
        return ""
    mark = [found.st_mtime_ns, found.st_size]
    answers = _read(cache)
    key = " ".join((str(program.real), *question))
    match answers.get(key):
        case {"mark": known, "text": str(text)} if known == mark and (text or not patient):
            return text
    try:
        answer = _ask(program, question, _environment(env, projects))
    except subprocess.TimeoutExpired:
        answer = ""  # remembered as well, or each start would wait as long again
    if answer is None:
        return ""
    _write(cache, {**answers, key: {"mark": mark, "text": answer}})
    return answer


def _environment(env: Mapping[str, str], projects: Sequence[Path]) -> dict[str, str]:
    """Little of `env`; a program that is a script must find none of its own programs there."""
    kept = {name: env[name] for name in _ENV if name in env}
    entries = [entry for entry in env.get("PATH", "").split(":") if entry.startswith("/")]
    kept["PATH"] = ":".join(entry for entry in entries if not untrusted.lies_in(Path(entry), projects))
    return kept


def _ask(program: Program, question: Sequence[str], env: Mapping[str, str]) -> str | None:
    """What `PROGRAM QUESTION…` prints, on standard error if nowhere else; None where it fails.

    Raises TimeoutExpired.
    """
    try:
        asked = subprocess.Popen(
            [program.path, *question],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,  # opencode and pi print their help there
            cwd="/",  # nothing of a project is read
            env=env,
            start_new_session=True,
        )
    except OSError:
        return None
    with asked:
        try:
            said, complained = _beginnings(asked, time.monotonic() + _LIMIT_S)
        except subprocess.TimeoutExpired:
            # the group: a shim's own child would hold the pipes open
            os.killpg(asked.pid, signal.SIGKILL)
            raise
    if tuple(question) == _VERSION:
        said += b"\n" + complained  # pi says it on standard error, others warn on either
    text = (said if said.strip() else complained).decode(errors="replace")
    return text if asked.returncode == 0 else None


def _beginnings(asked: subprocess.Popen[bytes], end: float) -> tuple[bytes, bytes]:
    """How its two outputs begin, once it has ended; the rest, of any length, is read and dropped.

    Raises TimeoutExpired.
    """
    assert asked.stdout is not None  # noqa: S101 - both are pipes
    assert asked.stderr is not None  # noqa: S101
    said: dict[int, bytes] = {asked.stdout.fileno(): b"", asked.stderr.fileno(): b""}
    with selectors.DefaultSelector() as pipes:
        for pipe in said:
            pipes.register(pipe, selectors.EVENT_READ)
        while pipes.get_map():
            ready = pipes.select(max(end - time.monotonic(), 0))
            if time.monotonic() >= end:
                raise subprocess.TimeoutExpired(asked.args, _LIMIT_S)
            for key, _ in ready:
                block = os.read(key.fd, 1 << 16)
                said[key.fd] += block[: _TEXT_MAX - len(said[key.fd])]
                if not block:
                    pipes.unregister(key.fd)
    asked.wait(max(end - time.monotonic(), 0))
    return said[asked.stdout.fileno()], said[asked.stderr.fileno()]


def _read(cache: Path) -> dict[str, object]:
    try:
        found = json.loads(cache.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(cache: Path, answers: Mapping[str, object]) -> None:
    half = cache.with_name(f"{cache.name}.{os.getpid()}")
    with suppress(OSError):  # without a memory it is asked again
        cache.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        half.write_text(json.dumps(answers))
        half.chmod(0o600)
        half.replace(cache)
