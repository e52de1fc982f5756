"""The user's own harnesses in config.toml, `[harness.NAME]`: what each says of itself, judged by its form."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

from hqt.config.table import Table
from hqt.errors import ConfigError
from hqt.values import frozen

Means = Literal["waiting", "working", "idle"]

_NAME = re.compile("[a-z][a-z0-9-]{0,31}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[A-Za-z_][A-Za-z0-9_]{2,}\*")
_ID, _PROMPT = "{id}", "{prompt}"
_KEYS = (
    "label",
    "command",
    "skip",
    "prompt",
    "new",
    "resume",
    "transcript",
    "rw",
    "ro",
    "env",
    "help",
    "screen",
)
_PATTERN_MAX = 200


@frozen
class Sign:
    """What a line at the end of its screen means."""

    means: Means
    pattern: str  # a regular expression, found anywhere in the line


@frozen
class DeclaredHarness:
    """One table; paths are absolute or begin with `~/`."""

    name: str
    label: str
    command: tuple[str, ...]
    skip: tuple[str, ...] = ()  # after the command, in a jail only
    prompt: tuple[str, ...] = ()  # last; one word holds {prompt}. Empty: it takes none
    new: tuple[str, ...] = ()  # of a fresh start; one word holds {id}
    resume: tuple[str, ...] = ()  # likewise, of the way back
    transcript: str | None = None  # what is on disk once {id} can be resumed; may hold `*`
    rw: tuple[str, ...] = ()  # one that ends in `/` is a folder and made where missing
    ro: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    help: tuple[str, ...] = ("--help",)  # empty: its flags are not verified
    screen: tuple[Sign, ...] = ()


def declared(found: Mapping[str, object], file: Path) -> tuple[DeclaredHarness, ...]:
    """The harnesses of the table `harness`; ConfigError names the file, the key and what it may be."""
    return tuple(_harness(name, table, file) for name, table in found.items())


def _harness(name: str, table: object, file: Path) -> DeclaredHarness:
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"{file}: harness.{name} is no name of a harness: use a-z, 0-9 and -, at most 32, a letter first"
        )
    if not isinstance(table, dict):
        raise ConfigError(f"{file}: harness.{name} must be a table: write [harness.{name}]")
    said = Table(file, f"harness.{name}", table)
    said.refuse_unknown(_KEYS)
    new, resume = _with(said, "new", _ID), _with(said, "resume", _ID)
    if bool(new) != bool(resume):
        lacking, there = ("new", "resume") if resume else ("resume", "new")
        raise said.wrong(
            lacking,
            f"is missing beside {there}",
            "hqt resumes only by an id that it gave at the start: give both or neither",
        )
    return DeclaredHarness(
        name=name,
        label=said.text("label", name),
        command=_command(said),
        skip=said.words("skip"),
        prompt=_with(said, "prompt", _PROMPT),
        new=new,
        resume=resume,
        transcript=_transcript(said, is_resumed=bool(resume)),
        rw=_paths(said, "rw"),
        ro=_paths(said, "ro"),
        env=_variables(said),
        help=said.words("help", ("--help",)),
        screen=tuple(map(_sign, said.tables("screen"))),
    )


def _command(said: Table) -> tuple[str, ...]:
    words = said.words("command")
    if not words:
        raise said.wrong("command", "is missing", 'write the program and its first words, such as ["agent"]')
    program = words[0]
    if program.startswith("-") or "=" in program:
        raise said.wrong("command", f"begins with {program!r}", "no jail can run a program of that name")
    if "/" in program and not program.startswith(("/", "~/")):
        raise said.wrong(
            "command",
            f"begins with {program!r}",
            "give a name on PATH or a whole path: it would be another program in each project",
        )
    return words


def _with(said: Table, key: str, blank: str) -> tuple[str, ...]:
    """The words of `key`, of which one has the blank that hqt fills; none where it is not there."""
    words = said.words(key)
    if words and sum(word.count(blank) for word in words) != 1:
        raise said.wrong(
            key, f"must hold {blank} once", f"write it where it goes, such as [{key!r}, {blank!r}]"
        )
    return words


def _transcript(said: Table, *, is_resumed: bool) -> str | None:
    if "transcript" not in said.found:
        return None
    text = said.text("transcript", "")
    if not is_resumed:
        raise said.wrong("transcript", "tells what can be resumed", "give new and resume, or leave it out")
    if text.count(_ID) != 1:
        raise said.wrong("transcript", f"must hold {_ID} once", "write the path that the id is a part of")
    return _path(said, "transcript", text)


def _paths(said: Table, key: str) -> tuple[str, ...]:
    return tuple(_path(said, key, text) for text in said.words(key))


def _path(said: Table, key: str, text: str) -> str:
    if not text.startswith(("/", "~/")) or ".." in text.split("/"):
        raise said.wrong(key, f"has {text!r}", "write a whole path, or one that begins with ~/, without ..")
    return os.path.normpath(text) + ("/" if text.endswith("/") else "")


def _variables(said: Table) -> tuple[str, ...]:
    names = said.words("env")
    for name in names:
        if not _VARIABLE.fullmatch(name):
            raise said.wrong(
                "env",
                f"has {name!r}",
                "write names of variables, or the first three letters and more with a *",
            )
    return names


def _sign(said: Table) -> Sign:
    said.refuse_unknown(("means", "pattern"))
    means, pattern = said.text("means", "nothing"), said.text("pattern", "^")
    known = get_args(Means)
    if means not in known:
        raise said.wrong("means", f"= {means!r} is no state", f"use {', '.join(known)}")
    if "pattern" not in said.found or len(pattern) > _PATTERN_MAX:
        raise said.wrong("pattern", "is missing or too long", f"write one of at most {_PATTERN_MAX} signs")
    try:
        re.compile(pattern)
    except re.error as error:
        raise said.wrong(
            "pattern", f"= {pattern!r} is no regular expression ({error})", "correct it"
        ) from error
    return Sign(means, pattern)  # type: ignore[arg-type]  # one of Means, as just judged
