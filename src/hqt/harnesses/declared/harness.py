"""A harness of the user's own, as config.toml declares it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import ClassVar

from hqt.config.harness import DeclaredHarness
from hqt.errors import HarnessError
from hqt.harnesses import transcripts
from hqt.harnesses.base import Bind, HarnessConfigurator, SpawnConfig, new_uuid, unless_given
from hqt.sandbox.files import untrusted
from hqt.status.rules import rule

_ID, _PROMPT = "{id}", "{prompt}"
_FORM = re.compile("[A-Za-z0-9_-]+")  # of an id: it becomes a part of a path


class Declared(HarnessConfigurator):
    """What all of them share; `kind` makes the class of one."""

    said: ClassVar[DeclaredHarness]
    is_declared: ClassVar = True

    def mint(self, again: str | None = None) -> str | None:
        if not self.said.new:
            return None
        # without a transcript to look for nobody knows whether the id was used
        unused = again is not None and self.said.transcript is not None and not self.has_conversation(again)
        return again if unused else new_uuid()

    def has_conversation(self, conversation: str) -> bool:
        pattern = self.said.transcript
        known = _FORM.fullmatch(conversation) and self.said.resume
        return bool(known) and (pattern is None or self._is_there(pattern, conversation))

    def build_spawn_config(
        self,
        *,
        args: Sequence[str] = (),
        prompt: str | None = None,
        conversation: str | None = None,
        sandboxed: bool = False,
    ) -> SpawnConfig:
        """A fresh start. Raises HarnessError for a prompt that can't be handed over as one."""
        new = self.said.new
        named = _filled(new, _ID, conversation) if conversation and not self._is_chosen(args) else ()
        return self._config(named, args, self._prompt(prompt) if prompt else (), sandboxed=sandboxed)

    def build_resume_config(
        self, conversation: str, *, args: Sequence[str] = (), sandboxed: bool = False
    ) -> SpawnConfig | None:
        if self._is_chosen(args) or not self.has_conversation(conversation):
            return None
        return self._config(_filled(self.said.resume, _ID, conversation), args, (), sandboxed=sandboxed)

    def sandbox_binds(self) -> list[Bind]:
        return list(self._binds())

    def _binds(self) -> Iterator[Bind]:
        for text in self.said.rw:
            path = expanded(text, self.place.home)
            if text.endswith("/"):
                yield Bind(path, writable=True, create="dir")
            else:
                yield Bind(path, writable=True, optional=True)
        for text in self.said.ro:
            yield Bind(expanded(text, self.place.home), optional=True)

    def _config(
        self, named: Sequence[str], args: Sequence[str], prompt: Sequence[str], *, sandboxed: bool
    ) -> SpawnConfig:
        skips = unless_given(self.said.skip, args) if sandboxed else []
        return SpawnConfig(
            command=(self.word(sandboxed=sandboxed), *self.said.command[1:], *skips, *named, *args, *prompt),
            env_pass=tuple(self.sandbox_env) if sandboxed else (),
        )

    def _prompt(self, prompt: str) -> tuple[str, ...]:
        words = self.said.prompt
        if not words:
            raise HarnessError(
                f"{self.label} takes no prompt from hqt: say harness.{self.name}.prompt in config.toml"
            )
        alone = words.index(_PROMPT) if _PROMPT in words else None
        if prompt.startswith("-") and alone is not None and "--" not in words[:alone]:
            raise HarnessError(
                f"{self.label} could take a prompt that begins with - for an option: begin it with a word"
            )
        return _filled(words, _PROMPT, prompt)

    def _is_chosen(self, args: Sequence[str]) -> bool:
        """Whether the user's own words say which conversation it is."""
        choices = set(_flags((*self.said.new, *self.said.resume)))
        return not choices.isdisjoint(_flags(args))

    def _is_there(self, pattern: str, conversation: str) -> bool:
        found: Iterable[Path] = (Path("/"),)
        for part in expanded(pattern.replace(_ID, conversation), self.place.home).parts[1:]:
            found = _matching(found, part)
        return any(map(untrusted.exists, found))


def kind(said: DeclaredHarness, home: Path) -> type[HarnessConfigurator]:
    """The class of one declared harness."""

    class Kind(Declared):
        name = said.name
        label = said.label
        executable = str(expanded(said.command[0], home)) if "/" in said.command[0] else said.command[0]
        sandbox_skip_permission_flags: ClassVar = list(said.skip)
        sandbox_env: ClassVar = list(said.env)
        flags: ClassVar = list(
            dict.fromkeys(_flags((*said.command[1:], *said.skip, *said.new, *said.resume, *said.prompt)))
        )
        help: ClassVar = list(said.help)
        screen_rules: ClassVar = tuple(rule(sign.means, sign.pattern) for sign in said.screen)

    Kind.said = said
    return Kind


def expanded(text: str, home: Path) -> Path:
    """The path of a declaration."""
    return home / text[2:] if text.startswith("~/") else Path(text)


def _filled(words: Sequence[str], blank: str, value: str) -> tuple[str, ...]:
    return tuple(word.replace(blank, value) for word in words)


def _flags(words: Iterable[str]) -> Iterator[str]:
    return (word.partition("=")[0] for word in words if word.startswith("-") and word not in ("-", "--"))


def _matching(folders: Iterable[Path], part: str) -> Iterator[Path]:
    for folder in folders:
        if "*" not in part:
            yield folder / part
            continue
        for each in (*transcripts.folders(folder), *transcripts.files(folder)):
            if fnmatchcase(each.name, part):
                yield each
