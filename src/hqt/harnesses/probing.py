"""What an installed program says of itself, asked once and remembered until its file changes."""

import json
import os
import re
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from hqt.harnesses.base import Program

_LIMIT_S = 10.0
_VERSION_MAX = 100
_ENV = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")  # HOME: the shims of version managers need it


def probe(
    program: Program,
    words: Sequence[str],
    *,
    question: Sequence[str] = ("--help",),
    cache: Path,
    env: Mapping[str, str],
    project: Path,
) -> frozenset[str]:
    """Those of `words` that its help has; none where it can't be asked.

    A program that lies in `project` is not asked: an agent could have put it there, and this runs it
    outside every jail.
    """
    if not words or _is_of(program, project):
        return frozenset()
    text = _remembered(program, question, cache, env)
    return frozenset(word for word in words if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text))


def version(program: Program, *, cache: Path, env: Mapping[str, str], project: Path) -> str | None:
    """The first line of its --version; None where it can't be asked, as in `probe`, or says nothing."""
    if _is_of(program, project):
        return None
    lines = _remembered(program, ("--version",), cache, env).strip().splitlines()
    first = "".join(sign for sign in lines[0] if sign.isprintable()) if lines else ""
    return first[:_VERSION_MAX] or None


def _is_of(program: Program, project: Path) -> bool:
    return any(path.is_relative_to(project) for path in (program.path, program.real, *program.shown))


def _remembered(program: Program, question: Sequence[str], cache: Path, env: Mapping[str, str]) -> str:
    try:
        found = program.real.stat()
    except OSError:
        return ""
    mark = [found.st_mtime_ns, found.st_size]
    answers = _read(cache)
    key = " ".join((str(program.real), *question))
    match answers.get(key):
        case {"mark": known, "text": str(text)} if known == mark:
            return text
    answer = _ask(program, question, env)
    if answer is None:
        return ""
    _write(cache, {**answers, key: {"mark": mark, "text": answer}})
    return answer


def _ask(program: Program, question: Sequence[str], env: Mapping[str, str]) -> str | None:
    """What `PROGRAM QUESTION…` prints; None where it fails or takes too long."""
    import subprocess  # here: 4 ms that a start with a remembered answer need not spend

    try:
        asked = subprocess.Popen(
            [program.path, *question],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",  # nothing of a project is read
            env={name: env[name] for name in _ENV if name in env},
            start_new_session=True,
        )
    except OSError:
        return None
    with asked:
        try:
            said, _ = asked.communicate(timeout=_LIMIT_S)
        except subprocess.TimeoutExpired:
            # the group: a shim's own child would hold the pipe open
            os.killpg(asked.pid, signal.SIGKILL)
            return None
    return said.decode(errors="replace") if asked.returncode == 0 else None


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
