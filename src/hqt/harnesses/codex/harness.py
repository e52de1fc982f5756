"""Codex: ids made by codex and found in its rollouts, trust given in memory, never its shared daemon."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from hqt.harnesses import named_commands
from hqt.harnesses.base import (
    BY_REAL_TESTS,
    Bind,
    Elsewhere,
    Evidence,
    Found,
    HarnessConfigurator,
    NamedCommand,
    Place,
    SpawnConfig,
    unless_given,
)
from hqt.harnesses.codex import config as codex_config
from hqt.harnesses.codex import hooks as codex_hooks
from hqt.harnesses.codex import rollouts
from hqt.harnesses.root_folder import Root, root
from hqt.status.rules import rule

_VARIABLE = "CODEX_HOME"
_CONFIG, _HOOKS = "config.toml", "hooks.json"
_LOGIN = "auth.json"
_KEYS = ("OPENAI_API_KEY", "CODEX_API_KEY")
# settings, and what codex runs or obeys: a jail that could write them would rule the next open session
_READ_ONLY = (_CONFIG, *"AGENTS.md AGENTS.override.md hooks.json prompts skills rules hooks agents".split())
# with one of these first, `codex resume ID` would be another command
_SUBCOMMANDS = frozenset(
    "agents exec e review login logout mcp plugin app-server remote-control completion update doctor sandbox "
    "debug apply a resume queue archive delete migrate-rollouts migrate-nfs-db unarchive fork cloud "
    "exec-server features help".split()
)
_OWN_HOOKS = re.compile(r"(?:-c=?|--config=)?hooks[.=]")
# 0.171.0. The last lines are a question's keys, or the place for a prompt below the line that counts seconds
_SCREEN = (
    rule(
        "waiting",
        r"^ +(?:[Pp]ress )?enter (?:to )?(?:continue|confirm|submit)\b",
        lines=2,
        asks=r"Would you like\b[^?]*\?|Trust this folder\?|Hooks need review",
    ),
    rule("waiting", r"^ +(?:tab to .* \| )?enter to submit\b.* \| ", lines=2, asks=r"^ +[^›\s].*\?$"),
    # a menu, which would take a text and its Enter for a choice
    rule("waiting", r"^ +enter (?:select|resume)\b", lines=2),
    # without the dot where `tui.animations` is false, and its title has no spinner then
    rule("working", r"^(?:[•◦] )?[^\s›].* \(\d.* • esc to interrupt\)", lines=8),
    # prompts that wait for its turn to end, above which that line stands
    rule("working", r"^ +\S+ edit last queued message$", lines=8),
    rule("idle", r"^› ", lines=5),
)
# none for rest: users may choose what the title shows
_TITLE = (rule("waiting", r"^\[ [.!] \] Action Required"), rule("working", r"^[\u2801-\u28ff] "))
_CWD_FLAGS = ("-C", "--cd")
_NO_DAEMON = "--no-daemon"


class Codex(HarnessConfigurator):
    name = "codex"
    label = "Codex"
    executable = "codex"
    sandbox_skip_permission_flags: ClassVar = ["--dangerously-bypass-approvals-and-sandbox"]
    sandbox_env: ClassVar = [*_KEYS, "OPENAI_BASE_URL", "OPENAI_ORGANIZATION", "OPENAI_PROJECT"]
    root_env: ClassVar = [_VARIABLE]
    screen_rules: ClassVar = _SCREEN
    title_rules: ClassVar = _TITLE
    forks: ClassVar = True
    reports: ClassVar = True
    flags: ClassVar = [
        *sandbox_skip_permission_flags,
        _NO_DAEMON,
        codex_hooks.BYPASS,
        "--config",
        "--cd",
    ]
    evidence: ClassVar = Evidence(
        source="npm @openai/codex, or its makers' installer",
        version="0.171.0",
        run=(
            *BY_REAL_TESTS,
            "It makes its ids; a rollout is there from the first prompt on.",
            "`codex fork ID` begins a copy at once, under an id of its own, which refers to the first one's"
            " rollout.",
            "Its daemon runs the tools of every session, so none is started: `--no-daemon`.",
            "The question for trust is answered by `-c projects=…`; of the dotted form it takes no notice.",
            "Its hooks tell of prompts, ends and interrupts, its title and its screen of questions.",
            "What a jail wrote to `config.toml` was run by the next session outside, so it is read-only.",
        ),
        unknown=("Whether a login that is renewed in a jail is written into the mounted file.",),
    )
    # older ones refuse it; since 0.17x a daemon outside any jail would run the tools of every session
    probes: ClassVar = [_NO_DAEMON, codex_hooks.BYPASS]

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._root = _root(place.home, place.env)

    @classmethod
    def reads(cls, home: Path, env: Mapping[str, str]) -> list[Path]:
        return [_root(home, env).host / name for name in (_CONFIG, _HOOKS)]

    @classmethod
    def reads_of_project(cls, project: Path) -> list[Path]:
        return [project / ".codex" / _CONFIG]

    @classmethod
    def looks_at(cls, home: Path, env: Mapping[str, str]) -> list[Path]:
        return [_root(home, env).host / _LOGIN]

    def has_conversation(self, conversation: str) -> bool:
        return rollouts.exists(self._sessions, conversation)

    def conversations(self) -> Iterable[Found]:
        return rollouts.of(self._sessions, self.place.cwd)

    def elsewhere(self) -> Iterable[Elsewhere]:
        return rollouts.told(self._sessions, self.place.cwd)

    def find(self, conversation: str) -> Found | None:
        return rollouts.named(self._sessions, conversation, self.place.cwd)

    def build_spawn_config(
        self,
        *,
        args: Sequence[str] = (),
        prompt: str | None = None,
        conversation: str | None = None,
        sandboxed: bool = False,
    ) -> SpawnConfig:
        # before a subcommand such as exec too: --no-daemon is refused after it
        said = ("--", prompt) if prompt else ()
        return self._config(
            (*self._flags(args, sandboxed=sandboxed), *args, *said), args, sandboxed=sandboxed
        )

    def build_resume_config(
        self, conversation: str, *, args: Sequence[str] = (), sandboxed: bool = False
    ) -> SpawnConfig | None:
        return self._again("resume", conversation, args, None, sandboxed=sandboxed)

    def build_fork_config(
        self,
        conversation: str,
        new_id: str | None,
        *,
        args: Sequence[str] = (),
        prompt: str | None = None,
        sandboxed: bool = False,
    ) -> SpawnConfig | None:
        return self._again("fork", conversation, args, prompt, sandboxed=sandboxed)

    def commands(self) -> Iterator[NamedCommand]:
        for file in (self._root.host / _CONFIG, *self.reads_of_project(self.place.cwd)):
            yield from codex_config.commands(file, self.place.texts.get(file, b""))
        hooks = self._root.host / _HOOKS
        yield from named_commands.of_settings(hooks, named_commands.parsed(self.place.texts.get(hooks, b"")))

    def sandbox_binds(self) -> list[Bind]:
        return list(self._binds())

    @property
    def _sessions(self) -> Path:
        return self._root.host / "sessions"

    def _binds(self) -> Iterator[Bind]:
        host, inside = self._root.host, self._root.inside
        yield Bind(self._sessions, writable=True, dst=inside / "sessions", create="dir")
        yield Bind(host / _LOGIN, writable=True, dst=inside / _LOGIN, optional=True)
        for name in _READ_ONLY:
            yield Bind(host / name, dst=inside / name, optional=True)
        packages, program = host / "packages", self.place.program
        if program is not None and packages in program.real.parents:
            # a standalone codex lives there, its tools beside it
            yield Bind(packages, dst=inside / "packages")

    def _again(
        self, how: str, conversation: str, args: Sequence[str], prompt: str | None, *, sandboxed: bool
    ) -> SpawnConfig | None:
        """A start from a conversation that is there: `how` is the subcommand."""
        if (args[:1] and args[0] in _SUBCOMMANDS) or not self.has_conversation(conversation):
            return None
        flags = self._flags(args, sandboxed=sandboxed)
        if not any(arg.split("=", 1)[0] in _CWD_FLAGS for arg in args):
            # else it asks which folder it is to be, where the project has moved
            flags += ["-C", str(self.place.cwd)]
        said = ("--", prompt) if prompt else ()
        return self._config((how, *flags, conversation, *args, *said), args, sandboxed=sandboxed)

    def _flags(self, args: Sequence[str], *, sandboxed: bool) -> list[str]:
        daemon = unless_given([_NO_DAEMON], args) if _NO_DAEMON in self.place.knows else []
        if not sandboxed:
            return [*daemon, *self._hooks(args, sandboxed=False)]
        skips = unless_given(self.sandbox_skip_permission_flags, args)
        # the bypass does not skip the trust dialog, and of the dotted form codex takes no notice
        trust = f'projects={{{toml_string(str(self.place.cwd))}={{trust_level="trusted"}}}}'
        asks_nothing = ("-c", trust, "-c", "check_for_update_on_startup=false")
        return [*daemon, *skips, *asks_nothing, *self._hooks(args, sandboxed=True)]

    def _hooks(self, args: Sequence[str], *, sandboxed: bool) -> list[str]:
        if codex_hooks.BYPASS not in self.place.knows:
            return []
        # in a jail a hook can do no more than the agent. Outside of one the user's trust decides
        bypass = unless_given([codex_hooks.BYPASS], args) if sandboxed else []
        if self.events is None or any(map(_OWN_HOOKS.match, args)):
            return bypass  # of two that are given codex takes the last alone: the user's own
        return [*bypass, *codex_hooks.reporting(), *([] if sandboxed else codex_hooks.trust())]

    def _config(self, words: Sequence[str], args: Sequence[str], *, sandboxed: bool) -> SpawnConfig:
        command = (self.word(sandboxed=sandboxed), *words)
        if not sandboxed:
            return SpawnConfig(command, env_set=self._root.env(sandboxed=False))
        config = codex_config.parsed(self.place.texts.get(self._root.host / _CONFIG, b""))
        return SpawnConfig(
            command=command,
            env_set=self._root.env(sandboxed=True),
            env_pass=(*self.sandbox_env, *config.keys),
            note=self._login_note(config, args),
        )

    def _login_note(self, config: codex_config.Config, args: Sequence[str]) -> str | None:
        logged_in = self._root.host / _LOGIN in self.place.present
        elsewhere = not config.needs_login or "--oss" in args
        if logged_in or elsewhere or any(self.place.env.get(name) for name in (*_KEYS, *config.keys)):
            return None
        return "no login of Codex was found, and one made in the jail ends with it: log in once outside"


def _root(home: Path, env: Mapping[str, str]) -> Root:
    return root(_VARIABLE, ".codex", home, env)


def toml_string(text: str) -> str:
    """`text` as a TOML basic string: JSON's escapes are TOML's, but for DEL, which JSON leaves as it is."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
