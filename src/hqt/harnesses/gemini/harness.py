"""Gemini CLI: ids given by hqt; of its folder a jail writes the login and its own session's chats alone."""

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
from hqt.harnesses.gemini import chats
from hqt.harnesses.gemini.settings import BY_KEY, answered, chosen, inferred, keeps, parsed
from hqt.harnesses.root_folder import Root, root
from hqt.status.rules import rule
from hqt.values import replace

_VARIABLE = "GEMINI_CLI_HOME"  # the home that holds .gemini, and .agents
_LOGIN, _SETTINGS, _ENV_FILE = "oauth_creds.json", "settings.json", ".env"
# of a key that was typed into its dialog, made unreadable by the name of the machine; a jail has another
_KEY_FILE = "gemini-credentials.json"
_APART = "hqt"  # of the folders of jailed sessions
# settings, and what gemini runs or obeys: a jail that could write them would rule the next open session
_READ_ONLY = (
    _ENV_FILE,
    *"GEMINI.md AGENTS.md agents commands extensions hooks policies skills acknowledgments".split(),
    *"keybindings.json google_accounts.json trustedFolders.json system.md".split(),
)
_VERTEX = "GOOGLE_GENAI_USE_VERTEXAI"
_CLOUD = ("GOOGLE_CLOUD_*", "GOOGLE_VERTEX_*", "GOOGLE_APPLICATION_CREDENTIALS", "GCLOUD_PROJECT")
# no GEMINI_CLI_*: most of those identify an outer session (its IDE's port and token, its trust)
_ENV = (
    *("GEMINI_API_KEY", "GOOGLE_API_KEY", _VERTEX),
    *"GOOGLE_GENAI_USE_GCA GEMINI_CLI_USE_COMPUTE_ADC GOOGLE_CLOUD_PROJECT GOOGLE_CLOUD_LOCATION".split(),
    *"GOOGLE_GEMINI_BASE_URL GOOGLE_GENAI_API_VERSION CODE_ASSIST_ENDPOINT CODE_ASSIST_API_VERSION".split(),
    *"GEMINI_MODEL GEMINI_API_KEY_AUTH_MECHANISM GEMINI_CLI_CUSTOM_HEADERS GEMINI_DEFAULT_AUTH_TYPE".split(),
    "GEMINI_TELEMETRY_*",
)
# no container inside, which `tools.sandbox` of the user's settings would ask for; and no second process
# of itself, whose parent takes no notice of SIGTERM (0.61.0)
_JAILED = {"GEMINI_SANDBOX": "false", "GEMINI_CLI_NO_RELAUNCH": "true"}
_DELETES = (
    "when another Gemini CLI starts in this folder it may delete a conversation that was brought back:"
    " set general.sessionRetention.enabled to false in its settings.json"
)
_YOLO, _TRUST = "--yolo", "--skip-trust"
# with one of these the user says which conversation it is; gemini refuses --session-id beside them
_CHOICES = frozenset("-r --resume --session-id --session-file --list-sessions --delete-session".split())
_MODES = frozenset("-y --approval-mode".split())  # gemini refuses --yolo beside the second
_SUBCOMMANDS = frozenset(
    "mcp extensions extension skills skill hooks hook gemma".split()
)  # as the first word
# 0.61.0. The line that counts the seconds, above the place for a prompt; else that place; where there is none
# a choice in a box. What the conversation says stands above all of them
_SCREEN = (
    rule("working", r"^ [\u2801-\u28ff] .*\(esc to cancel, \d", lines=9),
    rule("idle", r"^▀{20,}", lines=3),
    rule("waiting", r"^\W*● \d+\. ", asks=r"\w[^│?]*\?(?=\s*│\s*$)"),
)
# `Ready` also while it asks for trust or a login
_TITLE = (rule("waiting", "^✋ "), rule("working", "^[✦⏲] "), rule("idle", "^◇ "))


class Gemini(HarnessConfigurator):
    name = "gemini"
    label = "Gemini CLI"
    executable = "gemini"
    sandbox_skip_permission_flags: ClassVar = [_YOLO, _TRUST]
    sandbox_env: ClassVar = [*_ENV]
    outer_env: ClassVar = (
        "GEMINI_CLI GEMINI_CLI_NO_RELAUNCH GEMINI_CLI_TRUST_WORKSPACE GEMINI_CLI_IDE_PID "
        "GEMINI_CLI_IDE_SERVER_PORT GEMINI_CLI_IDE_WORKSPACE_PATH GEMINI_CLI_IDE_AUTH_TOKEN"
    ).split()
    root_env: ClassVar = [_VARIABLE]
    flags: ClassVar = [*sandbox_skip_permission_flags, "--session-id", "--resume", "--prompt-interactive"]
    screen_rules: ClassVar = _SCREEN
    title_rules: ClassVar = _TITLE
    evidence: ClassVar = Evidence(
        source="npm @google/gemini-cli",
        version="0.61.0",
        run=(
            *BY_REAL_TESTS,
            "It takes the id that hqt gives. One that was killed before its first message leaves a file: its"
            " id is neither resumed nor taken again.",
            "Brought back in another minute than it began in, it leaves a second file of the same id that"
            " holds nothing, and the next start in the project then deletes both: each jailed session keeps"
            " its conversation in a folder of its own, `~/.gemini/hqt/KEY`.",
            "A login by a key of the environment is chosen in a copy of the settings, else it asks.",
            "Any prompt is taken as it is; one that begins with `/` is a command of its own.",
        ),
        read=(
            "It runs `rg` of `~/.gemini/tmp/bin` and git in `~/.gemini/history`: a jail has neither, so that"
            " its checkpoints end with it.",
            "A key that was typed into its dialog is encrypted with the machine's name, which a jail lacks.",
            "Settings in `/etc/gemini-cli` hold in the jail of root alone: it wants root to own them.",
        ),
        unknown=(
            "A login with an account, and whether one that is renewed in a jail holds outside.",
            "After a change of its jail a session starts fresh and names the old conversation.",
        ),
    )

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._root = _root(place.home, place.env)
        self._host, self._inside = self._root.host / ".gemini", self._root.inside / ".gemini"

    @classmethod
    def reads(cls, home: Path, env: Mapping[str, str]) -> list[Path]:
        folder = _root(home, env).host / ".gemini"
        return [folder / name for name in (chats.REGISTRY, _SETTINGS, _ENV_FILE)]

    @classmethod
    def reads_of_project(cls, project: Path) -> list[Path]:
        return [project / ".gemini" / _SETTINGS]

    @classmethod
    def looks_at(cls, home: Path, env: Mapping[str, str]) -> list[Path]:
        folder = _root(home, env).host / ".gemini"
        return [folder / name for name in (_LOGIN, _KEY_FILE)]

    @classmethod
    def keeps_apart(cls, home: Path, env: Mapping[str, str]) -> Path:
        return _root(home, env).host / ".gemini" / _APART

    def mint(self, again: str | None = None) -> str:
        # one that was killed before its first message leaves a file: gemini refuses its id
        lies = again and any(chats.of_id(self._chats(sandboxed=self.place.jailed), again))
        return again if again and not lies else new_uuid()

    def has_conversation(self, conversation: str) -> bool:
        return self._has(conversation, sandboxed=self.place.jailed)

    def conversations(self) -> Iterable[Found]:
        return chats.of(self._chats(sandboxed=self.place.jailed), self.place.cwd)

    def moved(self, conversation: str, old: Path, new: Path) -> None:
        if not self.place.jailed:
            chats.follow(self._host, conversation, old, new)

    def build_spawn_config(
        self,
        *,
        args: Sequence[str] = (),
        prompt: str | None = None,
        conversation: str | None = None,
        sandboxed: bool = False,
    ) -> SpawnConfig:
        # as one word: the value of an option may begin with a dash only so
        said = (f"--prompt-interactive={prompt}",) if prompt else ()
        if _is_subcommand(args):
            return self._config((*args, *said), sandboxed=sandboxed)
        named = ("--session-id", conversation) if conversation and not _is_chosen(args) else ()
        # before the user's words: behind a `--` of theirs nothing is an option
        words = (*named, *_skips(args, sandboxed=sandboxed), *said, *args)
        return self._config(words, sandboxed=sandboxed)

    def build_resume_config(
        self, conversation: str, *, args: Sequence[str] = (), sandboxed: bool = False
    ) -> SpawnConfig | None:
        if _is_chosen(args) or _is_subcommand(args) or not self._has(conversation, sandboxed=sandboxed):
            return None
        words = ("--resume", conversation, *_skips(args, sandboxed=sandboxed), *args)
        config = self._config(words, sandboxed=sandboxed)
        return config if sandboxed or self._keeps() else replace(config, note=_DELETES)

    def commands(self) -> Iterable[NamedCommand]:
        for file in (self._host / _SETTINGS, *self.reads_of_project(self.place.cwd)):
            settings = parsed(self.place.texts.get(file, b""))
            yield from named_commands.of_settings(file, settings or {})

    def sandbox_binds(self) -> list[Bind]:
        return list(self._binds())

    def _binds(self) -> Iterator[Bind]:
        host, inside = self._host, self._inside
        # never all of tmp, whose bin gemini runs, nor history, in which it runs git
        own = Path("tmp") / chats.name_of(self.place.cwd, self._registry)
        if self._kept is not None:
            yield Bind(self._kept, writable=True, dst=inside / own / "chats", create="dir")
        # obeyed by every session of the project
        yield Bind(host / own / "memory", dst=inside / own / "memory", optional=True)
        yield Bind(host / _LOGIN, writable=True, dst=inside / _LOGIN, optional=True)
        if self._answer() is None:
            yield Bind(host / _SETTINGS, dst=inside / _SETTINGS, optional=True)
        for name in _READ_ONLY:
            yield Bind(host / name, dst=inside / name, optional=True)
        skills = ".agents/skills"
        yield Bind(self._root.host / skills, dst=self._root.inside / skills, optional=True)
        # a company's settings and policies
        yield Bind(Path("/etc/gemini-cli"), optional=True)

    @property
    def _kept(self) -> Path | None:
        """Where the conversation of this session is kept while it is jailed.

        Not among those of its project: of these gemini 0.61.0, when it starts, deletes each that was brought
        back once, as that leaves an empty file of the same id.
        """
        session = self.place.session
        return self._host / _APART / session.name / "chats" if session else None

    def _chats(self, *, sandboxed: bool) -> Path | None:
        return self._kept if sandboxed else chats.folder(self._host, self.place.cwd) / "chats"

    def _has(self, conversation: str, *, sandboxed: bool) -> bool:
        found = chats.of_id(self._chats(sandboxed=sandboxed), conversation)
        return any(map(chats.is_resumable, found))

    def _keeps(self) -> bool:
        """Whether the user has told gemini to delete no conversation."""
        return keeps(self._settings() or {})

    @property
    def _registry(self) -> bytes:
        return self.place.texts.get(self._host / chats.REGISTRY, b"")

    def _config(self, words: Sequence[str], *, sandboxed: bool) -> SpawnConfig:
        command = (self.word(sandboxed=sandboxed), *words)
        if not sandboxed:
            return SpawnConfig(command, env_set=self._root.env(sandboxed=False))
        return SpawnConfig(
            command=command,
            env_set=_JAILED | self._root.env(sandboxed=True),
            env_pass=(*self.sandbox_env, *(_CLOUD if self.place.env.get(_VERTEX) else ())),
            copies=tuple(self._copies()),
            note=self._login_note(),
        )

    def _copies(self) -> Iterator[Copy]:
        registered = chats.registered(self.place.cwd, self._registry)
        yield Copy(self._inside / chats.REGISTRY, registered)
        answer = self._answer()
        if answer is not None:
            yield Copy(self._inside / _SETTINGS, answer)

    def _answer(self) -> bytes | None:
        """The settings with the way to log in chosen, where the user has one and was not asked yet."""
        settings, way = self._settings(), self._inferred()
        if settings is None or way is None or chosen(settings):
            return None
        return answered(settings, way)

    def _settings(self) -> Mapping[str, object] | None:
        return parsed(self.place.texts.get(self._host / _SETTINGS, b"{}"))

    def _inferred(self) -> str | None:
        env_file = self.place.texts.get(self._host / _ENV_FILE, b"")
        return inferred(self.place.env, env_file)

    def _login_note(self) -> str | None:
        way = chosen(self._settings() or {})
        by_cloud = way is not None and way not in (BY_KEY, "oauth-personal")
        if self._host / _LOGIN in self.place.present or self._inferred() is not None or by_cloud:
            return None
        if way == BY_KEY or self._host / _KEY_FILE in self.place.present:
            return (
                "the API key that was typed into Gemini CLI can't be read in a jail:"
                f" set GEMINI_API_KEY, or write it into {self._host / _ENV_FILE}"
            )
        return "no login of Gemini CLI was found, and one made in the jail ends with it: log in once outside"


def _root(home: Path, env: Mapping[str, str]) -> Root:
    return root(_VARIABLE, "", home, env)


def _is_chosen(args: Sequence[str]) -> bool:
    return any(arg.split("=", 1)[0] in _CHOICES for arg in args)


def _is_subcommand(args: Sequence[str]) -> bool:
    return bool(args[:1]) and args[0] in _SUBCOMMANDS


def _skips(args: Sequence[str], *, sandboxed: bool) -> list[str]:
    if not sandboxed:
        return []
    by_user = any(arg.split("=", 1)[0] in _MODES for arg in args)
    return unless_given([_TRUST] if by_user else [_YOLO, _TRUST], args)
