"""Kiro: `kiro-cli chat`; from its documentation and its users' reports, not run here."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from hqt.harnesses import named_commands, transcripts
from hqt.harnesses.base import (
    Bind,
    Evidence,
    Found,
    HarnessConfigurator,
    NamedCommand,
    Place,
    SpawnConfig,
    unless_given,
)
from hqt.harnesses.root_folder import Root, root
from hqt.status.rules import rule

_VARIABLE = "KIRO_HOME"
_SERVERS = "settings/mcp.json"
_READ_ONLY = "agents settings steering hooks".split()
# the login and older chats: data.sqlite3 with its -wal and -shm. A login made in a jail is kept, so no note
_STORE = Path(".local/share/kiro-cli")
_CLOUD_LOGIN = Path(".aws/sso/cache")
_NAME = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.json")
_HEAD_MAX = 1 << 22  # the state of a long conversation is in the same file
# from reports: since 2.0 --trust-all-tools asks whether that is meant, its default being "No, exit"; and
# what it asks before it uses a tool that is not trusted
_SCREEN = (
    rule("waiting", r"\bNo, exit\b"),
    rule("waiting", r"Allow this action\?.*\[y/n/t\]"),
)


class Kiro(HarnessConfigurator):
    name = "kiro"
    label = "Kiro"
    executable = "kiro-cli"
    sandbox_skip_permission_flags: ClassVar = ["--trust-all-tools"]
    sandbox_env: ClassVar = ["KIRO_API_KEY", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"]
    root_env: ClassVar = [_VARIABLE]
    flags: ClassVar = [*sandbox_skip_permission_flags, "--resume-id"]
    evidence: ClassVar = Evidence(
        source="its makers' installer, which could not be had where hqt is made",
        read=(
            "The terminal program is `kiro-cli`; `kiro` starts the editor and refuses the flag.",
            "`chat --trust-all-tools` skips prompts, and since 2.0 asks once whether that is meant, with no"
            " as its default: attach and answer.",
            "`--resume-id` takes the ids of existing conversations, since 2.2.",
            "Conversations lie in `~/.kiro/sessions`, the login and older chats in"
            " `~/.local/share/kiro-cli`.",
        ),
        unknown=(
            "Nothing of it was run: neither the start, the jail, nor the way back.",
            "Whether what lies in `~/.local/share/kiro-cli` can rule a later session outside.",
        ),
    )
    help: ClassVar = ["chat", "--help"]
    screen_rules: ClassVar = _SCREEN

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._root = _root(place.home, place.env)

    @classmethod
    def reads(cls, home: Path, env: Mapping[str, str]) -> list[Path]:
        return [_root(home, env).host / _SERVERS]

    def commands(self) -> Iterator[NamedCommand]:
        file = self._root.host / _SERVERS
        yield from named_commands.of_settings(file, named_commands.parsed(self.place.texts.get(file, b"")))

    def has_conversation(self, conversation: str) -> bool:
        return any(match[1] == conversation for _, match in self._states())

    def conversations(self) -> Iterable[Found]:
        for path, match in self._states():
            born = _born(transcripts.head(path, _HEAD_MAX), self.place.cwd)
            if born is not None:
                yield Found(conversation=match[1], born=born, path=path)

    def build_spawn_config(
        self,
        *,
        args: Sequence[str] = (),
        prompt: str | None = None,
        conversation: str | None = None,
        sandboxed: bool = False,
    ) -> SpawnConfig:
        said = ("--", prompt) if prompt else ()
        return self._config((*self._skips(args, sandboxed=sandboxed), *args, *said), sandboxed=sandboxed)

    def build_resume_config(
        self, conversation: str, *, args: Sequence[str] = (), sandboxed: bool = False
    ) -> SpawnConfig | None:
        if not self.has_conversation(conversation):
            return None
        skips = self._skips(args, sandboxed=sandboxed)
        return self._config((*skips, "--resume-id", conversation, *args), sandboxed=sandboxed)

    def sandbox_binds(self) -> list[Bind]:
        return list(self._binds())

    def _binds(self) -> Iterator[Bind]:
        host, inside, home = self._root.host, self._root.inside, self.place.home
        yield Bind(host / "sessions", writable=True, dst=inside / "sessions", create="dir")
        yield Bind(home / _STORE, writable=True, create="dir")
        yield Bind(home / _CLOUD_LOGIN, writable=True, optional=True)
        for name in _READ_ONLY:
            yield Bind(host / name, dst=inside / name, optional=True)

    def _skips(self, args: Sequence[str], *, sandboxed: bool) -> list[str]:
        return unless_given(self.sandbox_skip_permission_flags, args) if sandboxed else []

    def _config(self, words: Sequence[str], *, sandboxed: bool) -> SpawnConfig:
        return SpawnConfig(
            command=(self.word(sandboxed=sandboxed), "chat", *words),
            env_set=self._root.env(sandboxed=sandboxed),
            env_pass=tuple(self.sandbox_env) if sandboxed else (),
        )

    def _states(self) -> Iterator[tuple[Path, re.Match[str]]]:
        for path in transcripts.files(self._root.host / "sessions/cli"):
            if match := _NAME.fullmatch(path.name):
                yield path, match


def _root(home: Path, env: Mapping[str, str]) -> Root:
    return root(_VARIABLE, ".kiro", home, env)


def _born(state: bytes, cwd: Path) -> float | None:
    """When it began, if it was in `cwd`."""
    try:
        found = json.loads(state)
        return datetime.fromisoformat(found["created_at"]).timestamp() if found["cwd"] == str(cwd) else None
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
        return None
