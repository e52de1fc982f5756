"""pi: no prompts to skip, a file named by hqt for each conversation, logins that may run a command."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from hqt.harnesses.base import (
    BY_REAL_TESTS,
    Bind,
    Copy,
    Evidence,
    Found,
    HarnessConfigurator,
    Place,
    SpawnConfig,
    new_uuid,
)
from hqt.harnesses.pi import sessions
from hqt.harnesses.root_folder import Root, root
from hqt.status.rules import rule

_FOLDER, _SESSIONS = "PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR"
_LOGIN, _MODELS = "auth.json", "models.json"
# settings, and what pi runs or obeys: a jail that could write them would rule the next open session
_READ_ONLY = (
    _MODELS,
    *"settings.json keybindings.json AGENTS.md CLAUDE.md SYSTEM.md APPEND_SYSTEM.md".split(),
    *"extensions skills prompts themes tools hooks bin git npm".split(),
)
_KEYS = (
    "ANTHROPIC_API_KEY ANTHROPIC_OAUTH_TOKEN OPENAI_API_KEY AZURE_OPENAI_API_KEY DEEPSEEK_API_KEY "
    "GEMINI_API_KEY GOOGLE_CLOUD_API_KEY GROQ_API_KEY CEREBRAS_API_KEY XAI_API_KEY FIREWORKS_API_KEY "
    "OPENROUTER_API_KEY AI_GATEWAY_API_KEY ZAI_API_KEY MISTRAL_API_KEY MINIMAX_API_KEY MINIMAX_CN_API_KEY "
    "MOONSHOT_API_KEY KIMI_API_KEY OPENCODE_API_KEY HF_TOKEN CLOUDFLARE_API_KEY COPILOT_GITHUB_TOKEN "
    "XIAOMI_API_KEY XIAOMI_TOKEN_PLAN_CN_API_KEY XIAOMI_TOKEN_PLAN_AMS_API_KEY XIAOMI_TOKEN_PLAN_SGP_API_KEY "
    "AWS_BEARER_TOKEN_BEDROCK"
).split()
# a key in these files may be the name of a variable
_NAMED_KEY = re.compile(rb'"(?:apiKey|key)"\s*:\s*"([A-Za-z_][A-Za-z0-9_]*)"')
# with one of these the user says which conversation it is, or that there is to be none
_CHOICES = frozenset("-c --continue -r --resume --session --fork --no-session --session-dir --export".split())
# 0.73.1, whose only question is the next prompt. Its title tells nothing
_SCREEN = (
    rule("working", r"^ [\u2801-\u28ff] Working\.\.\.", lines=7),
    rule("idle", r"^─{20,}", lines=4),
)
_SUBCOMMANDS = frozenset("install remove uninstall update list config".split())  # each only as the first word


class Pi(HarnessConfigurator):
    name = "pi"
    label = "pi"
    executable = "pi"
    sandbox_env: ClassVar = [
        *_KEYS,
        *"AZURE_OPENAI_BASE_URL AZURE_OPENAI_RESOURCE_NAME AZURE_OPENAI_API_VERSION".split(),
        *"AZURE_OPENAI_DEPLOYMENT_NAME_MAP CLOUDFLARE_ACCOUNT_ID CLOUDFLARE_GATEWAY_ID AWS_REGION".split(),
        *"PI_OFFLINE PI_TELEMETRY PI_SHARE_VIEWER_URL".split(),
    ]
    outer_env: ClassVar = ["PI_CODING_AGENT"]
    root_env: ClassVar = [_FOLDER, _SESSIONS]
    screen_rules: ClassVar = _SCREEN
    forks: ClassVar = True
    flags: ClassVar = ["--session", "--fork", "--session-dir"]
    evidence: ClassVar = Evidence(
        source="npm @mariozechner/pi-coding-agent",
        version="0.73.1",
        run=(
            *BY_REAL_TESTS,
            "`--session` takes the path of a file that is not there yet: hqt names it, so the id is hqt's."
            " It is written at the first answer.",
            "A conversation goes along with a project that moves: its first line is changed in a copy.",
            "It asks for no permissions and has no flag to skip any.",
            "It runs the rest of a key in `auth.json` that begins with `!`: a jail gets a copy of that file.",
            "`--fork` copies a conversation at once, under an id of its own.",
            "Of `--` it knows nothing: a prompt that looks like an option or a file gets a space before it.",
        ),
        read=(
            "It goes to work in the folder that the first line of a conversation names, so one that names"
            " another folder is not resumed.",
            "Its own `/new` begins a file of its own choice in the same folder.",
        ),
        unknown=(
            "Whether a provider still takes a login outside that was renewed in a jail: what is renewed there"
            " ends with it.",
            "A `sessionDir` of its settings is passed over, for sessions of hqt.",
            "Extensions could report which conversation it is in; hqt brings none.",
        ),
    )

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._root = _root(place.home, place.env)
        self._own = _own_sessions(place.home, place.env)

    @classmethod
    def reads(cls, home: Path, env: Mapping[str, str]) -> list[Path]:
        return [_root(home, env).host / name for name in (_LOGIN, _MODELS)]

    def mint(self, again: str | None = None) -> str:
        # pi would overwrite a file that it can't read, and go on with one that it can
        return again if again and sessions.named(self._sessions, again) is None else new_uuid()

    def has_conversation(self, conversation: str) -> bool:
        return self._found(conversation) is not None

    def conversations(self) -> Iterable[Found]:
        return sessions.of(self._sessions, self.place.cwd)

    def moved(self, conversation: str, old: Path, new: Path) -> None:
        source = sessions.named(self._folder(old, inside=False), conversation)
        if source is not None:
            sessions.follow(source, self._folder(new, inside=False), new)

    def build_spawn_config(
        self,
        *,
        args: Sequence[str] = (),
        prompt: str | None = None,
        conversation: str | None = None,
        sandboxed: bool = False,
    ) -> SpawnConfig:
        said = (_no_option(prompt),) if prompt else ()
        if args[:1] and args[0] in _SUBCOMMANDS:
            return self._config((*args, *said), sandboxed=sandboxed)
        named = sessions.file_name(conversation) if conversation and not _is_chosen(args) else None
        # the prompt first: an option of an extension takes the word that follows it
        return self._config((*self._kept(named, sandboxed=sandboxed), *said, *args), sandboxed=sandboxed)

    def build_resume_config(
        self, conversation: str, *, args: Sequence[str] = (), sandboxed: bool = False
    ) -> SpawnConfig | None:
        found = self._found(conversation)
        if found is None or _is_chosen(args) or (args[:1] and args[0] in _SUBCOMMANDS):
            return None
        return self._config((*self._kept(found.path.name, sandboxed=sandboxed), *args), sandboxed=sandboxed)

    def build_fork_config(
        self,
        conversation: str,
        new_id: str | None,
        *,
        args: Sequence[str] = (),
        prompt: str | None = None,
        sandboxed: bool = False,
    ) -> SpawnConfig | None:
        found = self._found(conversation)
        if found is None or _is_chosen(args) or (args[:1] and args[0] in _SUBCOMMANDS):
            return None
        said = (_no_option(prompt),) if prompt else ()
        copied = self._kept(found.path.name, sandboxed=sandboxed, how="--fork")
        return self._config((*copied, *said, *args), sandboxed=sandboxed)

    def sandbox_binds(self) -> list[Bind]:
        return list(self._binds())

    def _binds(self) -> Iterator[Bind]:
        # those of this project alone
        inside = self._folder(self.place.cwd, inside=True)
        yield Bind(self._sessions, writable=True, dst=inside, create="dir")
        for name in _READ_ONLY:
            yield Bind(self._root.host / name, dst=self._root.inside / name, optional=True)

    @property
    def _sessions(self) -> Path:
        return self._folder(self.place.cwd, inside=False)

    def _folder(self, cwd: Path, *, inside: bool) -> Path:
        """Where the conversations of `cwd` are kept; seen `inside` a jail or on the host."""
        found, below = (self._own, "") if self._own else (self._root, "sessions")
        return (found.inside if inside else found.host) / below / sessions.slug(cwd)

    def _found(self, conversation: str) -> Found | None:
        path = sessions.named(self._sessions, conversation)
        return next((each for each in self.conversations() if each.path == path), None)

    def _kept(self, name: str | None, *, sandboxed: bool, how: str = "--session") -> tuple[str, ...]:
        """Which file the conversation is, by its path: with an id pi would take the first that begins so."""
        if name is None:
            return ()
        folder = self._folder(self.place.cwd, inside=sandboxed)
        return ("--session-dir", str(folder), how, str(folder / name))

    def _config(self, words: Sequence[str], *, sandboxed: bool) -> SpawnConfig:
        command = (self.word(sandboxed=sandboxed), *words)
        own = self._own.env(sandboxed=sandboxed) if self._own else {}
        env = self._root.env(sandboxed=sandboxed) | own
        if not sandboxed:
            return SpawnConfig(command, env_set=env)
        return SpawnConfig(
            command=command,
            env_set={"PI_SKIP_VERSION_CHECK": "1"} | env,
            env_pass=(*self.sandbox_env, *self._named_keys()),
            copies=tuple(self._login()),
            note=self._login_note(),
        )

    def _login(self) -> Iterator[Copy]:
        # never the file itself: of a key that begins with `!` pi runs the rest, in an open session as well
        content = self.place.texts.get(self._root.host / _LOGIN)
        if content is not None:
            yield Copy(self._root.inside / _LOGIN, content)

    def _named_keys(self) -> Iterator[str]:
        for name in (_MODELS, _LOGIN):
            found = _NAMED_KEY.findall(self.place.texts.get(self._root.host / name, b""))
            # a key may look like a name
            yield from (key.decode() for key in found if key.decode() in self.place.env)

    def _login_note(self) -> str | None:
        has_own = b'"apiKey"' in self.place.texts.get(self._root.host / _MODELS, b"")
        login = self.place.texts.get(self._root.host / _LOGIN, b"").strip()
        if has_own or login not in (b"", b"{}") or any(self.place.env.get(name) for name in _KEYS):
            return None
        return "no login of pi was found, and one made in the jail ends with it: log in once outside"


def _root(home: Path, env: Mapping[str, str]) -> Root:
    return root(_FOLDER, ".pi/agent", home, env)


def _own_sessions(home: Path, env: Mapping[str, str]) -> Root | None:
    """The folder that the user has named for conversations alone."""
    return root(_SESSIONS, ".pi/agent/sessions", home, env) if _SESSIONS in env else None


def _is_chosen(args: Sequence[str]) -> bool:
    return any(arg in _CHOICES for arg in args)


def _no_option(prompt: str) -> str:
    # pi 0.73.1 knows no `--`: a word that begins so is an option or a file, and the first may be a subcommand
    return f" {prompt}" if prompt.startswith(("-", "@")) or prompt in _SUBCOMMANDS else prompt
