"""Claude Code: ids given by hqt, a private copy of its .claude.json, one child of its folder at a time."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from hqt.harnesses.base import (
    BY_REAL_TESTS,
    Bind,
    Copy,
    Elsewhere,
    Evidence,
    Found,
    HarnessConfigurator,
    NamedCommand,
    Place,
    SpawnConfig,
    new_uuid,
    unless_given,
)
from hqt.harnesses.claude import named_commands, running_agents, state_file, transcripts
from hqt.harnesses.claude import settings as claude_settings
from hqt.harnesses.root_folder import Root, root
from hqt.status.detect import Sign
from hqt.status.rules import rule

_VARIABLE = "CLAUDE_CONFIG_DIR"
_LOGIN = ".credentials.json"
_STATE = ".claude.json"
_SETTINGS = "settings.json"
# settings, and what claude runs or obeys: a jail that could write them would rule the next open session
_READ_ONLY = (
    _SETTINGS,
    *"settings.local.json CLAUDE.md agents commands skills hooks plugins output-styles rules".split(),
)
_CLOUDS = {
    "CLAUDE_CODE_USE_BEDROCK": ("AWS_*",),
    "CLAUDE_CODE_USE_VERTEX": ("GOOGLE_*", "GCLOUD_*", "CLOUD_ML_REGION", "VERTEX_REGION_*"),
}
_KEYS = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_USE_FOUNDRY",
    *_CLOUDS,
)
# with one of these the user says which conversation it is; claude refuses --session-id beside them
_CHOICES = frozenset("-c --continue -r --resume --session-id --from-pr --teleport".split())
# no CLAUDE_CODE_*: most of those identify an outer session (its socket, port, token, entry point)
_ENV = (
    "ANTHROPIC_* "
    "CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_VERTEX CLAUDE_CODE_USE_FOUNDRY "
    "CLAUDE_CODE_SKIP_BEDROCK_AUTH CLAUDE_CODE_SKIP_VERTEX_AUTH CLAUDE_CODE_SKIP_FOUNDRY_AUTH "
    "CLAUDE_CODE_EFFORT_LEVEL CLAUDE_CODE_MAX_OUTPUT_TOKENS CLAUDE_CODE_SUBAGENT_MODEL "
    "CLAUDE_CODE_AUTO_COMPACT_WINDOW CLAUDE_CODE_API_KEY_HELPER_TTL_MS CLAUDE_CODE_EXTRA_BODY "
    "CLAUDE_CODE_DISABLE_* CLAUDE_CODE_ENABLE_* CLAUDE_CODE_EXPERIMENTAL_* CLAUDE_CODE_NO_FLICKER "
    "CLAUDE_CODE_SHELL CLAUDE_CODE_SYNTAX_HIGHLIGHT CLAUDE_CODE_SCROLL_SPEED "
    "CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS CLAUDE_AUTOCOMPACT_PCT_OVERRIDE CLAUDE_AX_SCREEN_READER "
    "API_TIMEOUT_MS BASH_DEFAULT_TIMEOUT_MS BASH_MAX_TIMEOUT_MS BASH_MAX_OUTPUT_LENGTH "
    "MAX_THINKING_TOKENS MAX_MCP_OUTPUT_TOKENS MCP_TIMEOUT MCP_TOOL_TIMEOUT "
    "DISABLE_TELEMETRY DISABLE_ERROR_REPORTING DISABLE_COST_WARNINGS DISABLE_AUTO_COMPACT "
    "DISABLE_COMPACT DISABLE_INTERLEAVED_THINKING DISABLE_PROMPT_CACHING DISABLE_PROMPT_CACHING_*"
).split()

# 2.1.197. The last two lines are a question's keys, or the prompt's lower edge and what it says below: no
# line of the conversation is ever there
_SCREEN = (
    rule(
        "waiting",
        r"^ {1,3}(?:Esc to cancel|Enter to (?:confirm|select|continue))\b",
        lines=2,
        asks=r"(?:Do you want\b|Would you like\b|Quick safety check:)[^?]*\??",
    ),
    # its own questions stand at the edge, as nothing else does that is not drawn
    rule("waiting", r"^Enter to select · ", lines=2, asks=r"^(?!Enter to )[^\s❯●⎿─-╿←☐☒✔].*"),
    rule("waiting", r"^ ctrl\+g to edit in .*\.md$", lines=2, asks=r"Would you like\b[^?]*\??"),  # a plan
    rule("working", r"^ {1,3}(?:.* · )?esc to interrupt\b", lines=2),
    rule("idle", r"^─{20,}", lines=3),
)
# the same at rest and while it asks
_TITLE = (rule("working", r"^[\u2801-\u28ff] "), rule("idle", r"^✳ "))


class Claude(HarnessConfigurator):
    name = "claude"
    label = "Claude Code"
    executable = "claude"
    sandbox_skip_permission_flags: ClassVar = ["--dangerously-skip-permissions"]
    sandbox_env: ClassVar = _ENV
    outer_env: ClassVar = (
        "CLAUDECODE CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SSE_PORT CLAUDE_CODE_SESSION_ID"
    ).split()
    root_env: ClassVar = [_VARIABLE]
    reports: ClassVar = True
    screen_rules: ClassVar = _SCREEN
    title_rules: ClassVar = _TITLE
    forks: ClassVar = True
    flags: ClassVar = [
        "--session-id",
        "--resume",
        "--fork-session",
        "--settings",
        *sandbox_skip_permission_flags,
    ]
    evidence: ClassVar = Evidence(
        source="npm @anthropic-ai/claude-code, or its makers' installer",
        version="2.1.197",
        run=(
            *BY_REAL_TESTS,
            "It takes the id that hqt gives, and refuses one under which anything lies; without a message"
            " there is nothing to resume.",
            "Its questions for trust, for skipped permissions and for an API key are answered without a"
            " change"
            " of the user's files.",
            "`--resume ID --fork-session --session-id NEW` begins a copy, which is written with its first"
            " message only: one that ends before is made once more.",
            "Two conversations of one pid share its registry, so each jail has a registry of its own.",
            "That registry says at once whether it works, asks or rests, also after Esc, which no hook"
            " tells.",
            "Its view of agents lets a daemon go on with the conversation, out of the pane, so it is off.",
            "What a jail wrote to `settings.json` was run by the next session outside, so it is read-only.",
        ),
        read=("It refuses to skip permissions as root, unless `IS_SANDBOX=1` is set.",),
        unknown=("Whether a login that is renewed in a jail is written into the mounted file.",),
    )

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._root = root(_VARIABLE, ".claude", place.home, place.env)

    @classmethod
    def reads(cls, home: Path, env: Mapping[str, str]) -> list[Path]:
        found = root(_VARIABLE, ".claude", home, env)
        return [_state_file(found, found.host), found.host / _SETTINGS]

    @classmethod
    def reads_of_project(cls, project: Path) -> list[Path]:
        return named_commands.of_project(project)

    @classmethod
    def looks_at(cls, home: Path, env: Mapping[str, str]) -> list[Path]:
        found = root(_VARIABLE, ".claude", home, env)
        return [_state_file(found, found.host), found.host / _LOGIN]

    def mint(self, again: str | None = None) -> str:
        # a start killed before its first message leaves a file: claude neither resumes it nor takes its id
        return again if again and not any(self._transcripts(again)) else new_uuid()

    def has_conversation(self, conversation: str) -> bool:
        return any(map(transcripts.is_resumable, self._transcripts(conversation)))

    def find(self, conversation: str) -> Found | None:
        if not transcripts.is_id(conversation):  # a jail may report what it likes
            return None
        return transcripts.named(self._projects, conversation, self.place.cwd)

    def elsewhere(self) -> Iterator[Elsewhere]:
        return transcripts.of(self._projects, self.place.cwd)

    def holder(self, conversation: str, now: float) -> int | None:
        # each jail has a registry of its own
        return running_agents.holder(self._shared_registry, conversation, now)

    def moved(self, conversation: str, old: Path, new: Path) -> None:
        transcripts.follow(self._projects, conversation, old, new)

    def build_spawn_config(
        self,
        *,
        args: Sequence[str] = (),
        prompt: str | None = None,
        conversation: str | None = None,
        sandboxed: bool = False,
    ) -> SpawnConfig:
        named = ("--session-id", conversation) if conversation and not _is_chosen(args) else ()
        return self._config(
            (*named, *self._flags(args, sandboxed=sandboxed), *args, *_said(prompt)), sandboxed=sandboxed
        )

    def build_resume_config(
        self, conversation: str, *, args: Sequence[str] = (), sandboxed: bool = False
    ) -> SpawnConfig | None:
        if _is_chosen(args) or not self.has_conversation(conversation):
            return None
        words = ("--resume", conversation, *self._flags(args, sandboxed=sandboxed), *args)
        return self._config(words, sandboxed=sandboxed)

    def mint_fork(self) -> str:
        return new_uuid()

    def build_fork_config(
        self,
        conversation: str,
        new_id: str | None,
        *,
        args: Sequence[str] = (),
        prompt: str | None = None,
        sandboxed: bool = False,
    ) -> SpawnConfig | None:
        if new_id is None or _is_chosen(args) or not self.has_conversation(conversation):
            return None
        # the id alone it refuses beside --resume, and without it makes one of its own
        copied = ("--resume", conversation, "--fork-session", "--session-id", new_id)
        return self._config(
            (*copied, *self._flags(args, sandboxed=sandboxed), *args, *_said(prompt)), sandboxed=sandboxed
        )

    def commands(self) -> Iterator[NamedCommand]:
        state = _state_file(self._root, self._root.host)
        text = self.place.texts.get(state, b"")
        if b'"mcpServers"' in text:
            yield from named_commands.of_state(state, state_file.parsed(text) or {}, self.place.cwd)
        for file in (self._root.host / _SETTINGS, *self.reads_of_project(self.place.cwd)):
            yield from named_commands.commands(file, self.place.texts.get(file, b""))

    def sandbox_binds(self) -> list[Bind]:
        return list(self._binds())

    def _binds(self) -> Iterator[Bind]:
        host, inside = self._root.host, self._root.inside
        yield Bind(self._projects, writable=True, dst=inside / "projects", create="dir")
        yield Bind(host / _LOGIN, writable=True, dst=inside / _LOGIN, optional=True)
        for name in _READ_ONLY:
            yield Bind(host / name, dst=inside / name, optional=True)
        if self._own_registry is not None:
            # it is named by pid, which is 2 in every jail
            yield Bind(self._own_registry, writable=True, dst=inside / "sessions", create="dir")

    @property
    def told_in(self) -> tuple[Path, ...]:
        registry = self._own_registry if self.place.jailed else self._shared_registry
        return super().told_in if registry is None else (*super().told_in, registry)

    def registry(self, pid: int, now: float) -> Sign | None:
        if self.place.jailed:
            return None if self._own_registry is None else running_agents.alone(self._own_registry, pid, now)
        return running_agents.of_pid(self._shared_registry, pid, now)

    @property
    def _shared_registry(self) -> Path:
        return self._root.host / "sessions"

    @property
    def _own_registry(self) -> Path | None:
        return self.place.session / "claude-sessions" if self.place.session else None

    @property
    def _projects(self) -> Path:
        return self._root.host / "projects"

    def _transcripts(self, conversation: str) -> Iterator[Path]:
        return transcripts.found(self._projects, conversation)

    def _flags(self, args: Sequence[str], *, sandboxed: bool) -> list[str]:
        flags = unless_given(self.sandbox_skip_permission_flags, args) if sandboxed else []
        reports = self.events is not None and "--settings" not in self.place.lacks
        settings = claude_settings.text(bypass=sandboxed, reports=reports)
        # of two --settings claude takes the last alone: the user's own stand, without hqt's
        if settings and not any(arg.split("=", 1)[0] == "--settings" for arg in args):
            flags += ["--settings", settings]
        return flags

    def _config(self, words: Sequence[str], *, sandboxed: bool) -> SpawnConfig:
        command = (self.word(sandboxed=sandboxed), *words)
        if not sandboxed:
            return SpawnConfig(command, env_set=self._root.env(sandboxed=False))
        state, unreadable = self._state()
        notes = [note for note in (unreadable, self._login_note(state)) if note]
        answered = state_file.answered(state, self.place.env.get("ANTHROPIC_API_KEY", ""))
        return SpawnConfig(
            command=command,
            env_set=self._jail_env(),
            env_pass=(*self.sandbox_env, *self._clouds()),
            copies=(Copy(_state_file(self._root, self._root.inside), answered),),
            note="; ".join(notes) or None,
        )

    def _jail_env(self) -> dict[str, str]:
        env = {"CLAUDE_CODE_SANDBOXED": "1", "DISABLE_AUTOUPDATER": "1"}
        if self.place.uid == 0:
            # without it claude refuses to skip permissions as root
            env["IS_SANDBOX"] = "1"
        return env | self._root.env(sandboxed=True)

    def _clouds(self) -> Iterator[str]:
        for switch, names in _CLOUDS.items():
            if self.place.env.get(switch):
                yield from names

    def _state(self) -> tuple[Mapping[str, object], str | None]:
        """What the user's .claude.json holds, and a note where it is there but can't be used."""
        path = _state_file(self._root, self._root.host)
        text = self.place.texts.get(path)
        if text is None and path not in self.place.present:
            return {}, None
        state = state_file.parsed(text or b"")
        return (
            (state, None)
            if state is not None
            else ({}, f"{path} holds no JSON object: the jail starts without it")
        )

    def _login_note(self, state: Mapping[str, object]) -> str | None:
        helper = b'"apiKeyHelper"' in self.place.texts.get(self._root.host / _SETTINGS, b"")
        logged_in = self._root.host / _LOGIN in self.place.present or "primaryApiKey" in state
        if logged_in or helper or any(self.place.env.get(name) for name in _KEYS):
            return None
        return "no login of Claude Code was found, and one made in the jail ends with it: log in once outside"


def _state_file(found: Root, folder: Path) -> Path:
    """Where .claude.json is: in the folder that the variable names, else beside the usual one."""
    return folder / _STATE if found.given is not None else folder.parent / _STATE


def _is_chosen(args: Sequence[str]) -> bool:
    return any(arg.split("=", 1)[0] in _CHOICES for arg in args)


def _said(prompt: str | None) -> tuple[str, ...]:
    # after `--` nothing is an option, nor the value of one that takes many such as --add-dir
    return ("--", _no_subcommand(prompt)) if prompt else ()


def _no_subcommand(prompt: str) -> str:
    # `claude -- update` updates claude (2.1.197): a lone word must not be the name of a subcommand
    return prompt + " " if re.fullmatch("[a-z][a-z0-9-]*", prompt) else prompt
