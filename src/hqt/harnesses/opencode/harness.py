"""OpenCode: ids made by it and found in its database, of which every jailed session has one of its own."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from hqt.errors import HarnessError
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
    unless_given,
)
from hqt.harnesses.opencode import database
from hqt.harnesses.root_folder import Root, root
from hqt.status.rules import rule

_DATA, _SETTINGS, _DATABASE = "XDG_DATA_HOME", "XDG_CONFIG_HOME", "OPENCODE_DB"
_LOGIN, _FILE, _IGNORED = "auth.json", "opencode.db", ".gitignore"
_FOLDER = ".opencode"
_APART = "hqt"  # of the folders of jailed sessions
_CONFIGS = ("opencode.json", "opencode.jsonc", "config.json")
# what it reads and runs of a folder of settings
_CHILDREN = (
    *_CONFIGS,
    *"tui.json tui.jsonc AGENTS.md package.json bun.lock package-lock.json node_modules themes".split(),
    *"agent agents command commands mode modes plugin plugins skill skills tool tools".split(),
)
# settings outside the usual place, which no jail shows
_ELSEWHERE = ("OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "OPENCODE_TUI_CONFIG")
_KEYS = (
    "ANTHROPIC_API_KEY OPENAI_API_KEY OPENCODE_API_KEY OPENROUTER_API_KEY GEMINI_API_KEY "
    "GOOGLE_GENERATIVE_AI_API_KEY DEEPSEEK_API_KEY GROQ_API_KEY XAI_API_KEY MISTRAL_API_KEY CEREBRAS_API_KEY "
    "FIREWORKS_API_KEY TOGETHER_API_KEY MOONSHOT_API_KEY ZHIPU_API_KEY ZAI_API_KEY DASHSCOPE_API_KEY "
    "AZURE_API_KEY AI_GATEWAY_API_KEY HF_TOKEN CLOUDFLARE_API_TOKEN AWS_BEARER_TOKEN_BEDROCK"
).split()
_NAMED_KEY = re.compile(rb"\{env:([A-Za-z_][A-Za-z0-9_]*)\}")
# with one of these the user says which conversation it is
_CHOICES = frozenset("-c --continue -s --session --fork".split())
# 1.18.33. The last lines: a question's answers, the keys below the place for a prompt, or those of its first
# screen, which has them in its middle. Its title tells nothing
_SCREEN = (
    rule("waiting", r"^ +┃ +Allow once +Allow always +Reject\b", lines=4, asks="Permission required"),
    rule("working", r"^ +[■⬝]+ +esc (?:again to )?interrupt\b", lines=2),
    rule("idle", r" ctrl\+p commands$", lines=1),
    rule("idle", r"^ +tab agents +ctrl\+p commands$"),
)
_SUBCOMMANDS = frozenset(
    "completion acp mcp attach run debug providers auth agent upgrade uninstall serve web models stats "
    "export import github pr session plugin plug db".split()
)


class OpenCode(HarnessConfigurator):
    name = "opencode"
    label = "OpenCode"
    executable = "opencode"
    sandbox_skip_permission_flags: ClassVar = ["--auto"]
    sandbox_env: ClassVar = [
        *_KEYS,
        *"AZURE_RESOURCE_NAME CLOUDFLARE_ACCOUNT_ID AWS_REGION GOOGLE_VERTEX_PROJECT".split(),
        *"OPENCODE_CONFIG_CONTENT OPENCODE_PERMISSION OPENCODE_DISABLE_* OPENCODE_ENABLE_*".split(),
        *"OPENCODE_EXPERIMENTAL OPENCODE_EXPERIMENTAL_* OPENCODE_MODELS_URL".split(),
    ]
    outer_env: ClassVar = ["OPENCODE", "OPENCODE_PID"]
    root_env: ClassVar = [_DATA, _DATABASE]
    screen_rules: ClassVar = _SCREEN
    forks: ClassVar = True
    flags: ClassVar = [*sandbox_skip_permission_flags, "--prompt", "--session", "--fork"]
    evidence: ClassVar = Evidence(
        source="npm opencode-ai",
        version="1.18.33",
        run=(
            *BY_REAL_TESTS,
            "An id that it does not hold ends it with `Session not found`; one is made at the first prompt.",
            "An entry `wellknown` in `auth.json`, or an account in its shared database, names a server, and"
            " it ran a command of the settings that came from there: a jail gets a copy of the one, and a"
            " database of its own instead of the other.",
            "Where its settings lie in a folder without `.gitignore` that it can't write, it ends.",
            "In a folder of settings it fetches `@opencode-ai/plugin` from npm, in the background.",
            "`-s ID --fork` begins a conversation of a new id with the old words.",
            "Its screen listens on no TCP port.",
        ),
        read=(
            "Git repositories (`snapshot`) and language servers lie beside its database and are used outside"
            " too: a jail has none of them, and can't undo what it did before it was brought back.",
        ),
        unknown=(
            "A conversation stays where its project was, and where its jail was: after a move, or a change of"
            " jail, a session starts fresh and names the old one.",
            "Whether a copy that is made by hqt recalls all: that was seen without hqt alone.",
            "What a jail kept is not for `opencode` outside: it may name a server as well.",
            "Of two sessions without a jail that begin in one folder at once, neither learns its id.",
            "Whether a provider still takes a login outside that was renewed in a jail: what is renewed there"
            " ends with it.",
            "A project's `.opencode` without `.gitignore`, in a jail that can't write it.",
            "Plugins could report which conversation it is in; hqt brings none.",
        ),
    )

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._data = root(_DATA, ".local/share", place.home, place.env)
        self._settings = _settings(place.home, place.env)

    @classmethod
    def reads(cls, home: Path, env: Mapping[str, str]) -> list[Path]:
        data, settings = root(_DATA, ".local/share", home, env), _settings(home, env)
        return [data.host / cls.name / _LOGIN, *(settings.host / cls.name / name for name in _CONFIGS)]

    @classmethod
    def looks_at(cls, home: Path, env: Mapping[str, str]) -> list[Path]:
        return [folder / _IGNORED for folder in (_settings(home, env).host / cls.name, home / _FOLDER)]

    @classmethod
    def reads_of_project(cls, project: Path) -> list[Path]:
        return [folder / name for folder in (project, project / _FOLDER) for name in _CONFIGS[:2]]

    @classmethod
    def keeps_apart(cls, home: Path, env: Mapping[str, str]) -> Path:
        return root(_DATA, ".local/share", home, env).host / cls.name / _APART

    def commands(self) -> Iterator[NamedCommand]:
        own = [self._settings.host / self.name / name for name in _CONFIGS]
        for file in (*own, *self.reads_of_project(self.place.cwd)):
            yield from named_commands.of_settings(
                file, named_commands.parsed(self.place.texts.get(file, b""))
            )

    def has_conversation(self, conversation: str) -> bool:
        return self._has(conversation, sandboxed=self.place.jailed)

    def conversations(self) -> Iterable[Found]:
        return self._kept(sandboxed=self.place.jailed)

    def build_spawn_config(
        self,
        *,
        args: Sequence[str] = (),
        prompt: str | None = None,
        conversation: str | None = None,
        sandboxed: bool = False,
    ) -> SpawnConfig:
        skips = unless_given(self.sandbox_skip_permission_flags, args) if sandboxed else []
        if args[:1] and args[0] in _SUBCOMMANDS:
            # `opencode --auto run` prints its help
            before = (args[0], *(skips if args[0] == "run" else ()))
            said = ("--", prompt) if prompt else ()
            return self._config((*before, *args[1:], *said), sandboxed=sandboxed)
        # in one word: the next is an option where it begins with a dash
        asked = (f"--prompt={prompt}",) if prompt else ()
        return self._config((*skips, *asked, *args), sandboxed=sandboxed)

    def build_resume_config(
        self, conversation: str, *, args: Sequence[str] = (), sandboxed: bool = False
    ) -> SpawnConfig | None:
        if _is_chosen(args) or not self._has(conversation, sandboxed=sandboxed):
            return None
        skips = unless_given(self.sandbox_skip_permission_flags, args) if sandboxed else []
        return self._config(("--session", conversation, *skips, *args), sandboxed=sandboxed)

    def build_fork_config(
        self,
        conversation: str,
        new_id: str | None,
        *,
        args: Sequence[str] = (),
        prompt: str | None = None,
        sandboxed: bool = False,
    ) -> SpawnConfig | None:
        if sandboxed:
            # what a jail kept could name a server, and a copy would carry that into the next
            raise HarnessError(
                f"{self.label} can't fork in a jail, where each session has a database of its own:"
                " start a session with `hqt new`"
            )
        if _is_chosen(args) or not self._has(conversation, sandboxed=False):
            return None
        asked = (f"--prompt={prompt}",) if prompt else ()
        return self._config(("--session", conversation, "--fork", *asked, *args), sandboxed=False)

    def sandbox_binds(self) -> list[Bind]:
        return list(self._binds())

    def _binds(self) -> Iterator[Bind]:
        own, seen = self._own(self._data.host), self._own(self._data.inside)
        if own is not None:
            yield Bind(own, writable=True, dst=seen, create="dir")
        settings = self._settings
        yield from self._read_only(settings.host / self.name, settings.inside / self.name)
        # settings as well, beside the program of its own installer
        yield from self._read_only(self.place.home / _FOLDER, self.place.home / _FOLDER)

    def _read_only(self, folder: Path, inside: Path) -> Iterator[Bind]:
        if folder / _IGNORED in self.place.present:
            yield Bind(folder, dst=inside, optional=True)
            return
        # it writes that file where it is missing, and ends where it can't (1.18.33)
        for name in _CHILDREN:
            yield Bind(folder / name, dst=inside / name, optional=True)

    @property
    def _shared(self) -> Path:
        """The database of all that runs in no jail."""
        return self._data.host / self.name / self.place.env.get(_DATABASE, _FILE)

    def _own(self, data: Path) -> Path | None:
        """The folder of this session's own database, below `data`.

        The shared one names the servers that settings, and so commands, are fetched from, and holds what was
        approved; beside it lie git repositories and programs that the next open session runs.
        """
        session = self.place.session
        return data / self.name / _APART / session.name if session else None

    def _kept(self, *, sandboxed: bool) -> tuple[Found, ...]:
        """The conversations of the session in its jail, or those of the folder outside any."""
        if not sandboxed:
            return database.of(self._shared, self.place.cwd)
        own = self._own(self._data.host)
        return database.of_jail(own / _FILE, self.place.cwd) if own else ()

    def _has(self, conversation: str, *, sandboxed: bool) -> bool:
        return any(each.conversation == conversation for each in self._kept(sandboxed=sandboxed))

    def _config(self, words: Sequence[str], *, sandboxed: bool) -> SpawnConfig:
        command = (self.word(sandboxed=sandboxed), *words)
        env = self._data.env(sandboxed=sandboxed) | self._settings.env(sandboxed=sandboxed)
        if not sandboxed:
            return SpawnConfig(command, env_set=env)
        return SpawnConfig(
            command=command,
            env_set={"OPENCODE_DISABLE_AUTOUPDATE": "1"} | env | self._database(),
            env_pass=(*self.sandbox_env, *self._named_keys()),
            copies=tuple(self._login()),
            note="; ".join(self._notes()) or None,
        )

    def _database(self) -> dict[str, str]:
        own = self._own(self._data.inside)
        return {_DATABASE: str(own / _FILE)} if own else {}

    def _login(self) -> Iterator[Copy]:
        # never the file itself: an entry of the kind `wellknown` names a server that sends settings
        content = self.place.texts.get(self._data.host / self.name / _LOGIN)
        if content is not None:
            yield Copy(self._data.inside / self.name / _LOGIN, content)

    def _configs(self) -> Iterator[bytes]:
        for name in _CONFIGS:
            yield self.place.texts.get(self._settings.host / self.name / name, b"")

    def _named_keys(self) -> Iterator[str]:
        """The variables that the user's own settings ask for, of whatever provider."""
        for text in self._configs():
            yield from (name.decode() for name in _NAMED_KEY.findall(text))

    def _notes(self) -> Iterator[str]:
        for name in _ELSEWHERE:
            if self.place.env.get(name):
                yield f"{name} names settings that the jail does not show"
        provided = any(b'"provider"' in text for text in self._configs())
        login = self.place.texts.get(self._data.host / self.name / _LOGIN, b"").strip()
        if not provided and login in (b"", b"{}") and not any(self.place.env.get(name) for name in _KEYS):
            yield "no login of OpenCode was found, and one made in the jail ends with it: log in once outside"


def _settings(home: Path, env: Mapping[str, str]) -> Root:
    return root(_SETTINGS, ".config", home, env)


def _is_chosen(args: Sequence[str]) -> bool:
    words = (arg.split("=", 1)[0] for arg in args)
    is_subcommand = bool(args) and args[0] in _SUBCOMMANDS
    return is_subcommand or any(word in _CHOICES or word[:2] == "-s" for word in words)
