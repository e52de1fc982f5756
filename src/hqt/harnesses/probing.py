"""What an installed program says of itself, asked once and remembered until its file changes."""

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from hqt.harnesses.base import Program

_LIMIT_S = 10.0
_VERSION_MAX = 100
_TEXT_MAX = 1 << 18
_LISTED = re.compile(r"^\s*(-\w,?\s+)?--help\b", re.MULTILINE)
_ENV = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")  # HOME: the shims of version managers need it


@dataclass(frozen=True, slots=True)
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


def help_of(
    program: Program,
    *,
    question: Sequence[str] = ("--help",),
    cache: Path,
    env: Mapping[str, str],
    project: Path,
    patient: bool = False,
) -> Help:
    """Its help; `patient`: also of one that took too long when it was asked before.

    A program that lies in `project` is not asked: an agent could have put it there, and this runs it
    outside every jail.
    """
    if not question or _is_of(program, project):
        return Help()
    return Help(_remembered(program, question, cache, env, patient=patient))


def version(program: Program, *, cache: Path, env: Mapping[str, str], project: Path) -> str | None:
    """The first line of its --version; None where it can't be asked, as in `help_of`, or says nothing."""
    if _is_of(program, project):
        return None
    lines = _remembered(program, ("--version",), cache, env, patient=True).strip().splitlines()
    first = "".join(sign for sign in lines[0] if sign.isprintable()) if lines else ""
    return first[:_VERSION_MAX] or None


def _is_of(program: Program, project: Path) -> bool:
    return any(path.is_relative_to(project) for path in (program.path, program.real, *program.shown))


def _remembered(
    program: Program, question: Sequence[str], cache: Path, env: Mapping[str, str], *, patient: bool
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
        answer = _ask(program, question, env)
    except subprocess.TimeoutExpired:
        answer = ""  # remembered as well, or each start would wait as long again
    if answer is None:
        return ""
    _write(cache, {**answers, key: {"mark": mark, "text": answer}})
    return answer


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
            env={name: env[name] for name in _ENV if name in env},
            start_new_session=True,
        )
    except OSError:
        return None
    with asked:
        try:
            said, complained = asked.communicate(timeout=_LIMIT_S)
        except subprocess.TimeoutExpired:
            # the group: a shim's own child would hold the pipes open
            os.killpg(asked.pid, signal.SIGKILL)
            raise
    text = (said if said.strip() else complained)[:_TEXT_MAX].decode(errors="replace")
    return text if asked.returncode == 0 else None


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
