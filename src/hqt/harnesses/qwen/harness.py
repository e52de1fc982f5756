"""Qwen Code: ids given by hqt; of its folder a jail writes the login and its own project's chats alone."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from hqt.harnesses import named_commands
from hqt.harnesses.base import (
    BY_REAL_TESTS,
    Bind,
    Copy,
    Evidence,
    Found,
    HarnessConfigurator,
    NamedCommand,
    Place,
    SpawnConfig,
    new_uuid,
    unless_given,
)
from hqt.harnesses.gemini.settings import names, parsed
from hqt.harnesses.qwen import chats as qwen_chats
from hqt.harnesses.qwen import settings as qwen_settings
from hqt.harnesses.root_folder import Root, root
from hqt.status.rules import rule

_HOME, _RUNTIME = "QWEN_HOME", "QWEN_RUNTIME_DIR"
_LOGIN, _SETTINGS, _ENV_FILE, _TRUSTED = "oauth_creds.json", "settings.json", ".env", "trustedFolders.json"
# settings, and what qwen runs or obeys: a jail that could write them would rule the next open session
_READ_ONLY = (
    _SETTINGS,
    _ENV_FILE,
    *"QWEN.md AGENTS.md memory.md output-language.md".split(),
    *"agents commands extensions hooks locales rules skills".split(),
)
_ENV = (
    "DASHSCOPE_API_KEY BAILIAN_CODING_PLAN_API_KEY BAILIAN_TOKEN_PLAN_API_KEY OPENROUTER_API_KEY "
    "QWEN_DEFAULT_AUTH_TYPE QWEN_CODE_LANG QWEN_CODE_MAX_OUTPUT_TOKENS QWEN_CODE_MAX_TOOL_CONCURRENCY "
    "QWEN_CODE_API_TIMEOUT_MS QWEN_CODE_TOOL_CALL_STYLE QWEN_DISABLED_SLASH_COMMANDS QWEN_DISABLE_AUTO_TITLE"
).split()
# no container inside, which `tools.sandbox` of the user's settings would ask for; and no second process
# of itself, whose parent takes no notice of SIGTERM (0.15.10)
_JAILED = {"QWEN_SANDBOX": "false", "QWEN_CODE_NO_RELAUNCH": "true"}
_YOLO = "--yolo"
# with one of these the user says which conversation it is; qwen refuses --session-id beside them
_CHOICES = frozenset("-c --continue -r --resume --session-id".split())
_MODES = frozenset("-y --approval-mode".split())  # qwen refuses --yolo beside the second
_SUBCOMMANDS = frozenset(
    "mcp extensions extension auth hooks hook channel review".split()
)  # as the first word
# 0.15.10. The line that counts the seconds, above the place for a prompt; else that place; where none is,
# a choice in a box. What the conversation says stands above all of them
_SCREEN = (
    rule("working", r"^(?:  [\u2801-\u28ff] .*|  \(\d+.*)· esc to cancel\)", lines=5),
    rule("idle", r"^─{20,}", lines=3),
    rule("waiting", r"^\W*› \d+\. ", asks=r"\w[^│?]*\?(?=\s*│\s*$)"),
    rule("waiting", r"^\W*Select Authentication Method\b", asks="Select Authentication Method"),
)


class Qwen(HarnessConfigurator):
    name = "qwen"
    label = "Qwen Code"
    executable = "qwen"
    sandbox_skip_permission_flags: ClassVar = [_YOLO]
    sandbox_env: ClassVar = _ENV
    outer_env: ClassVar = (
        "QWEN_CODE QWEN_CODE_NO_RELAUNCH QWEN_CODE_ENTRYPOINT "
        "QWEN_CODE_IDE_SERVER_PORT QWEN_CODE_IDE_WORKSPACE_PATH"
    ).split()
    root_env: ClassVar = [_HOME, _RUNTIME]
    flags: ClassVar = [_YOLO, "--session-id", "--resume", "--prompt-interactive"]
    screen_rules: ClassVar = _SCREEN
    evidence: ClassVar = Evidence(
        source="npm @qwen-code/qwen-code",
        version="0.15.10",
        run=(
            *BY_REAL_TESTS,
            "It takes the id that hqt gives, and makes its file with the first message.",
            "It resumes only what was held in this folder by its own word: a moved project gets a copy.",
            "A jail's folder is trusted by a `trustedFolders.json` of its own.",
            "Any prompt is taken as it is; of one between two quotes it would take these off.",
        ),
        read=(
            "A login with an account is kept in a file that it renames over: one that is renewed in a jail"
            " ends with it.",
            "`advanced.runtimeOutputDir` of its settings leads conversations elsewhere: a jail keeps them in"
            " its folder, and of a session without one they are not found.",
        ),
        unknown=("A login with an account: only keys were tried.",),
    )

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._root = root(_HOME, ".qwen", place.home, place.env)
        self._runtime = _runtime(place.home, place.env)

    @classmethod
    def reads(cls, home: Path, env: Mapping[str, str]) -> list[Path]:
        found = root(_HOME, ".qwen", home, env)
        return [found.host / name for name in (_SETTINGS, _ENV_FILE)]

    @classmethod
    def reads_of_project(cls, project: Path) -> list[Path]:
        return [project / ".qwen" / _SETTINGS]

    @classmethod
    def looks_at(cls, home: Path, env: Mapping[str, str]) -> list[Path]:
        return [root(_HOME, ".qwen", home, env).host / _LOGIN]

    def mint(self, again: str | None = None) -> str:
        return again if again and qwen_chats.named(self._chats, again) is None else new_uuid()

    def has_conversation(self, conversation: str) -> bool:
        path = qwen_chats.named(self._chats, conversation)
        return path is not None and qwen_chats.found(path, self.place.cwd) is not None

    def conversations(self) -> Iterable[Found]:
        return qwen_chats.of(self._chats, self.place.cwd)

    def moved(self, conversation: str, old: Path, new: Path) -> None:
        source = qwen_chats.named(self._runtime.host / _chats_of(old), conversation)
        if source is not None:
            qwen_chats.follow(source, self._runtime.host / _chats_of(new), new)

    def build_spawn_config(
        self,
        *,
        args: Sequence[str] = (),
        prompt: str | None = None,
        conversation: str | None = None,
        sandboxed: bool = False,
    ) -> SpawnConfig:
        # as one word: the value of an option may begin with a dash only so
        said = (f"--prompt-interactive={_unquoted(prompt)}",) if prompt else ()
        if _is_subcommand(args):
            return self._config((*args, *said), args, sandboxed=sandboxed)
        named = ("--session-id", conversation) if conversation and not _is_chosen(args) else ()
        # before the user's words: behind a `--` of theirs nothing is an option
        words = (*named, *_skips(args, sandboxed=sandboxed), *said, *args)
        return self._config(words, args, sandboxed=sandboxed)

    def build_resume_config(
        self, conversation: str, *, args: Sequence[str] = (), sandboxed: bool = False
    ) -> SpawnConfig | None:
        if _is_chosen(args) or _is_subcommand(args) or not self.has_conversation(conversation):
            return None
        words = ("--resume", conversation, *_skips(args, sandboxed=sandboxed), *args)
        return self._config(words, args, sandboxed=sandboxed)

    def commands(self) -> Iterable[NamedCommand]:
        for file in (self._root.host / _SETTINGS, *self.reads_of_project(self.place.cwd)):
            settings = parsed(self.place.texts.get(file, b""))
            yield from named_commands.of_settings(file, settings or {})

    def sandbox_binds(self) -> list[Bind]:
        return list(self._binds())

    def _binds(self) -> Iterator[Bind]:
        host, inside = self._root.host, self._root.inside
        chats = _chats_of(self.place.cwd)
        yield Bind(self._runtime.host / chats, writable=True, dst=self._runtime.inside / chats, create="dir")
        # a file that is mounted can't be renamed over: a token that is renewed inside stays inside
        yield Bind(host / _LOGIN, writable=True, dst=inside / _LOGIN, optional=True)
        for name in (*_READ_ONLY, str(chats.with_name("memory"))):
            yield Bind(host / name, dst=inside / name, optional=True)
        skills = self.place.home / ".agents/skills"
        yield Bind(skills, dst=skills, optional=True)
        # a company's settings
        yield Bind(Path("/etc/qwen-code"), optional=True)

    @property
    def _chats(self) -> Path:
        return self._runtime.host / _chats_of(self.place.cwd)

    def _config(self, words: Sequence[str], args: Sequence[str], *, sandboxed: bool) -> SpawnConfig:
        command = (self.word(sandboxed=sandboxed), *words)
        if not sandboxed:
            return SpawnConfig(
                command, env_set=self._root.env(sandboxed=False) | self._runtime.env(sandboxed=False)
            )
        settings = self._settings()
        way = qwen_settings.way(args, settings, self.place.env)
        keys = (*qwen_settings.variables(way), *qwen_settings.keys(settings))
        return SpawnConfig(
            command=command,
            # the folder by name: `advanced.runtimeOutputDir` of the settings leads elsewhere
            env_set={**_JAILED, _RUNTIME: str(self._runtime.inside)} | self._root.env(sandboxed=True),
            env_pass=(*self.sandbox_env, *keys),
            # in a folder that is not trusted it asks, and would go on asking for each call
            copies=(Copy(self._root.inside / _TRUSTED, qwen_settings.trusting(str(self.place.cwd))),),
            note=self._login_note(way, keys),
        )

    def _settings(self) -> Mapping[str, object]:
        return parsed(self.place.texts.get(self._root.host / _SETTINGS, b"")) or {}

    def _login_note(self, way: str | None, keys: Sequence[str]) -> str | None:
        env_file = self.place.texts.get(self._root.host / _ENV_FILE, b"")
        by_key = any(self.place.env.get(name) or names(env_file, name) for name in keys)
        by_file = self._root.host / _LOGIN in self.place.present or qwen_settings.holds_key(self._settings())
        if by_file or (way is not None and by_key):
            return None
        return "no login of Qwen Code was found, and one made in the jail ends with it: log in once outside"


def _runtime(home: Path, env: Mapping[str, str]) -> Root:
    """Where the conversations are: a folder of their own if the user has named one."""
    return root(_RUNTIME, ".qwen", home, env) if _RUNTIME in env else root(_HOME, ".qwen", home, env)


def _chats_of(project: Path) -> Path:
    return Path("projects") / qwen_chats.slug(project) / "chats"


def _unquoted(prompt: str) -> str:
    # of a value between two quotes qwen 0.15.10 takes them off
    return f"{prompt} " if prompt[0] == prompt[-1] and prompt[0] in "\"'" else prompt


def _is_chosen(args: Sequence[str]) -> bool:
    return any(arg.split("=", 1)[0] in _CHOICES for arg in args)


def _is_subcommand(args: Sequence[str]) -> bool:
    return bool(args[:1]) and args[0] in _SUBCOMMANDS


def _skips(args: Sequence[str], *, sandboxed: bool) -> list[str]:
    if not sandboxed or any(arg.split("=", 1)[0] in _MODES for arg in args):
        return []
    return unless_given([_YOLO], args)
