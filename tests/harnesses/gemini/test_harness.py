import json
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.errors import HarnessError
from hqt.harnesses.base import Bind, Copy, Found, NamedCommand, Place, SpawnConfig
from hqt.harnesses.gemini.harness import Gemini
from hqt.status.rules import told
from hqt.values import replace
from tests.harnesses.gemini.test_chats import BORN, HELLO, ID, conversation
from tests.harnesses.places import CWD, HOME, place

SESSION = Path("/data/hqt/sessions/0a1b2c3d")
KEPT = ".gemini/hqt/0a1b2c3d/chats"
SCREENS = Path(__file__).parents[2] / "status/screens/gemini"  # recorded
ROOT = HOME / ".gemini"
OWN = "tmp/proj-7d73bf4f"
JAILED = {"GEMINI_SANDBOX": "false", "GEMINI_CLI_NO_RELAUNCH": "true"}
LOGGED_IN = [ROOT / "oauth_creds.json"]
REGISTRY = Copy(ROOT / "projects.json", b'{"projects": {"/home/user/proj": "proj-7d73bf4f"}}')
BY_KEY = b'{"security": {"auth": {"selectedType": "gemini-api-key"}}}'
BY_CLOUD = b'{"security": {"auth": {"selectedType": "vertex-ai"}}}'
DELETES = (
    "when another Gemini CLI starts in this folder it may delete a conversation that was brought back:"
    " set general.sessionRetention.enabled to false in its settings.json"
)
NOTE = "no login of Gemini CLI was found, and one made in the jail ends with it: log in once outside"
READ_ONLY = (
    ".env GEMINI.md AGENTS.md agents commands extensions hooks policies skills acknowledgments "
    "keybindings.json google_accounts.json trustedFolders.json system.md"
).split()


def chats(home: Path) -> Path:
    """Where gemini keeps the conversations of the project."""
    return home / ".gemini" / OWN / "chats"


def jailed(home: Path, cwd: Path = CWD) -> Gemini:
    """One whose session is in a jail."""
    return Gemini(replace(place("gemini", home=home, cwd=cwd, session=SESSION), jailed=True))


def test_an_open_start_is_given_its_id_and_its_prompt() -> None:
    config = Gemini(place("gemini")).build_spawn_config(args=["-m", "x"], prompt="fix it", conversation=ID)
    words = ("--session-id", ID, "--prompt-interactive=fix it", "-m", "x")
    assert config == SpawnConfig(("/usr/bin/gemini", *words))


def test_a_jailed_start_skips_every_question_and_knows_its_folder() -> None:
    config = Gemini(place("gemini", present=LOGGED_IN)).build_spawn_config(conversation=ID, sandboxed=True)
    assert config == SpawnConfig(
        command=("/usr/bin/gemini", "--session-id", ID, "--yolo", "--skip-trust"),
        env_set=JAILED,
        env_pass=tuple(Gemini.sandbox_env),
        copies=(REGISTRY,),
    )


@pytest.mark.parametrize(
    ("args", "flags"),
    [
        (["-y"], ["--skip-trust"]),
        (["--approval-mode=plan"], ["--skip-trust"]),
        (["--yolo"], ["--skip-trust"]),
        (["--skip-trust"], ["--yolo"]),
    ],
)
def test_a_mode_that_the_user_gave_stands(args: list[str], flags: list[str]) -> None:
    config = Gemini(place("gemini")).build_spawn_config(args=args, sandboxed=True)
    assert config.command == ("/usr/bin/gemini", *flags, *args)


def test_resume_names_the_conversation_and_says_what_endangers_it(tmp_path: Path) -> None:
    conversation(chats(tmp_path), HELLO)
    config = Gemini(place("gemini", home=tmp_path)).build_resume_config(ID, args=["-m", "x"])
    assert config == SpawnConfig(("/usr/bin/gemini", "--resume", ID, "-m", "x"), note=DELETES)


def test_where_nothing_is_deleted_nothing_is_said(tmp_path: Path) -> None:
    conversation(chats(tmp_path), HELLO)
    settings = {tmp_path / ".gemini/settings.json": b'{"general": {"sessionRetention": {"enabled": false}}}'}
    config = Gemini(place("gemini", home=tmp_path, texts=settings)).build_resume_config(ID)
    assert config == SpawnConfig(("/usr/bin/gemini", "--resume", ID))


def test_a_jailed_session_keeps_its_conversation_to_itself(tmp_path: Path) -> None:
    conversation(chats(tmp_path), HELLO)
    configurator = jailed(tmp_path)
    assert configurator.build_resume_config(ID, sandboxed=True) is None
    assert configurator.mint(ID) == ID
    path = conversation(tmp_path / KEPT, HELLO)
    config = configurator.build_resume_config(ID, args=["-m", "x"], sandboxed=True)
    assert config is not None
    assert config.command == ("/usr/bin/gemini", "--resume", ID, "--yolo", "--skip-trust", "-m", "x")
    assert list(configurator.conversations()) == [Found(ID, BORN, path)]
    assert configurator.mint(ID) != ID


def test_in_a_jail_it_stays_where_it_is_when_the_project_moves(tmp_path: Path) -> None:
    conversation(tmp_path / KEPT, HELLO)
    jailed(tmp_path).moved(ID, CWD, HOME / "moved")
    assert jailed(tmp_path, HOME / "moved").has_conversation(ID)
    assert not (tmp_path / ".gemini/tmp").exists()


@pytest.mark.parametrize("choice", ["-r", "--resume=latest", "--session-id", "--session-file=x"])
def test_a_conversation_that_the_user_chose_is_left_alone(tmp_path: Path, choice: str) -> None:
    conversation(chats(tmp_path), HELLO)
    configurator = Gemini(place("gemini", home=tmp_path))
    config = configurator.build_spawn_config(args=[choice], conversation=ID)
    assert config.command == ("/usr/bin/gemini", choice)
    assert configurator.build_resume_config(ID, args=[choice]) is None


def test_a_subcommand_stays_the_first_word(tmp_path: Path) -> None:
    conversation(chats(tmp_path), HELLO)
    configurator = Gemini(place("gemini", home=tmp_path))
    config = configurator.build_spawn_config(args=["mcp", "list"], conversation=ID, sandboxed=True)
    assert config.command == ("/usr/bin/gemini", "mcp", "list")
    assert configurator.build_resume_config(ID, args=["mcp", "list"]) is None


def test_a_session_that_was_never_used_starts_afresh_with_the_same_id(tmp_path: Path) -> None:
    configurator = Gemini(place("gemini", home=tmp_path))
    assert configurator.build_resume_config(ID) is None
    assert configurator.mint(ID) == ID


def test_a_start_killed_before_its_first_message_gets_another_id(tmp_path: Path) -> None:
    conversation(chats(tmp_path))
    configurator = Gemini(place("gemini", home=tmp_path))
    assert configurator.build_resume_config(ID) is None
    assert configurator.mint(ID) != ID


def test_conversations_lie_where_gemini_says_that_the_project_is(tmp_path: Path) -> None:
    path = conversation(tmp_path / ".gemini/tmp/own-name/chats", HELLO)
    configurator = Gemini(place("gemini", home=tmp_path))
    assert not configurator.has_conversation(ID)
    (tmp_path / ".gemini/projects.json").write_text(json.dumps({"projects": {str(CWD): "own-name"}}))
    assert configurator.has_conversation(ID)
    assert list(configurator.conversations()) == [Found(ID, BORN, path)]


def test_a_conversation_goes_along_with_its_project(tmp_path: Path) -> None:
    conversation(chats(tmp_path), HELLO)
    new = HOME / "moved"
    Gemini(place("gemini", home=tmp_path)).moved(ID, CWD, new)
    assert Gemini(place("gemini", home=tmp_path, cwd=new)).has_conversation(ID)
    assert Gemini(place("gemini", home=tmp_path)).has_conversation(ID)


def test_the_jail_shows_its_own_chats_alone() -> None:
    own, login, skills = ROOT / OWN, ROOT / "oauth_creds.json", HOME / ".agents/skills"
    without = [
        Bind(own / "memory", dst=own / "memory", optional=True),
        Bind(login, writable=True, dst=login, optional=True),
        *(Bind(ROOT / each, dst=ROOT / each, optional=True) for each in ("settings.json", *READ_ONLY)),
        Bind(skills, dst=skills, optional=True),
        Bind(Path("/etc/gemini-cli"), optional=True),
    ]
    assert Gemini(place("gemini")).sandbox_binds() == without
    chats = Bind(HOME / KEPT, writable=True, dst=own / "chats", create="dir")
    assert jailed(HOME).sandbox_binds() == [chats, *without]


def test_the_jail_has_the_name_that_gemini_gave_the_project() -> None:
    texts = {ROOT / "projects.json": b'{"projects": {"/home/user/proj": "mine", "/other": "x"}}'}
    configurator = Gemini(place("gemini", texts=texts, present=LOGGED_IN))
    assert configurator.sandbox_binds()[0].src == ROOT / "tmp/mine/memory"
    (copy,) = configurator.build_spawn_config(sandboxed=True).copies
    assert json.loads(copy.content) == {"projects": {"/home/user/proj": "mine"}}


def test_a_home_elsewhere_is_seen_at_the_usual_place() -> None:
    configurator = Gemini(place("gemini", env={"GEMINI_CLI_HOME": "/srv/g"}))
    config = configurator.build_spawn_config(sandboxed=True)
    memory = configurator.sandbox_binds()[0]
    assert (memory.src, memory.dst) == (Path("/srv/g/.gemini") / OWN / "memory", ROOT / OWN / "memory")
    assert config.env_set == {**JAILED, "GEMINI_CLI_HOME": str(HOME)}
    assert [copy.dst for copy in config.copies] == [ROOT / "projects.json"]
    assert configurator.build_spawn_config().env_set == {}


def test_a_home_under_home_keeps_its_place_and_a_tilde_is_expanded() -> None:
    configurator = Gemini(place("gemini", env={"GEMINI_CLI_HOME": "~/g"}))
    assert configurator.sandbox_binds()[0].inside == HOME / "g/.gemini" / OWN / "memory"
    assert configurator.build_spawn_config().env_set == {"GEMINI_CLI_HOME": str(HOME / "g")}


@pytest.mark.parametrize("given", ["", "./x"])
def test_an_empty_or_relative_home_is_refused(given: str) -> None:
    with pytest.raises(HarnessError, match="GEMINI_CLI_HOME="):
        Gemini(place("gemini", env={"GEMINI_CLI_HOME": given}))


def test_the_way_to_log_in_is_answered_in_a_copy_where_it_would_be_asked() -> None:
    texts = {ROOT / "settings.json": b'{"ui": {"theme": "x"}}'}
    configurator = Gemini(place("gemini", env={"GEMINI_API_KEY": "k"}, texts=texts))
    config = configurator.build_spawn_config(sandboxed=True)
    answer = b'{"ui": {"theme": "x"}, "security": {"auth": {"selectedType": "gemini-api-key"}}}'
    assert config.copies == (REGISTRY, Copy(ROOT / "settings.json", answer))
    assert ROOT / "settings.json" not in [bind.src for bind in configurator.sandbox_binds()]
    assert config.note is None


@pytest.mark.parametrize("settings", [BY_CLOUD, b"{ // a comment\n}"])
def test_settings_that_are_answered_or_not_plain_are_shown_as_they_are(settings: bytes) -> None:
    texts = {ROOT / "settings.json": settings}
    configurator = Gemini(place("gemini", env={"GEMINI_API_KEY": "k"}, texts=texts))
    assert configurator.build_spawn_config(sandboxed=True).copies == (REGISTRY,)
    assert ROOT / "settings.json" in [bind.src for bind in configurator.sandbox_binds()]


@pytest.mark.parametrize(
    ("env", "texts", "present"),
    [
        ({"GEMINI_API_KEY": "k"}, {}, []),
        ({}, {".env": b"GEMINI_API_KEY=k"}, []),
        ({}, {"settings.json": BY_CLOUD}, []),
        ({}, {}, ["oauth_creds.json"]),
    ],
)
def test_a_login_needs_no_note(env: dict[str, str], texts: dict[str, bytes], present: list[str]) -> None:
    where = place(
        "gemini",
        env=env,
        texts={ROOT / name: text for name, text in texts.items()},
        present=[ROOT / name for name in present],
    )
    assert Gemini(where).build_spawn_config(sandboxed=True).note is None


def test_a_login_that_would_not_outlive_the_jail_is_said_before() -> None:
    assert Gemini(place("gemini")).build_spawn_config(sandboxed=True).note == NOTE
    assert Gemini(place("gemini")).build_spawn_config().note is None


@pytest.mark.parametrize(
    "where",
    [
        place("gemini", texts={ROOT / "settings.json": BY_KEY}),
        place("gemini", present=[ROOT / "gemini-credentials.json"]),
    ],
)
def test_a_typed_key_is_said_to_stay_outside(where: Place) -> None:
    assert Gemini(where).build_spawn_config(sandboxed=True).note == (
        "the API key that was typed into Gemini CLI can't be read in a jail:"
        " set GEMINI_API_KEY, or write it into /home/user/.gemini/.env"
    )


def test_cloud_credentials_are_passed_only_where_they_are_used() -> None:
    plain = Gemini(place("gemini")).build_spawn_config(sandboxed=True).env_pass
    cloud = Gemini(place("gemini", env={"GOOGLE_GENAI_USE_VERTEXAI": "true"})).build_spawn_config(
        sandboxed=True
    )
    assert not any(fnmatchcase("GOOGLE_APPLICATION_CREDENTIALS", each) for each in plain)
    assert any(fnmatchcase("GOOGLE_APPLICATION_CREDENTIALS", each) for each in cloud.env_pass)


def test_what_identifies_an_outer_session_is_not_passed() -> None:
    patterns = Gemini.sandbox_env
    assert not [name for name in Gemini.outer_env for each in patterns if fnmatchcase(name, each)]


def test_what_the_settings_run_is_named_of_the_project_too() -> None:
    server = b'{"mcpServers": {"s": {"command": "serve"}}}'
    files = (ROOT / "settings.json", CWD / ".gemini/settings.json")
    found = Gemini(place("gemini", texts=dict.fromkeys(files, server))).commands()
    assert list(found) == [NamedCommand(file, "mcpServers.s", ("serve",)) for file in files]


@given(args=st.lists(st.text()), prompt=st.text(min_size=1), sandboxed=st.booleans())
def test_args_stay_verbatim_and_last_and_the_prompt_is_one_word(
    args: list[str], prompt: str, sandboxed: bool
) -> None:
    command = (
        Gemini(place("gemini")).build_spawn_config(args=args, prompt=prompt, sandboxed=sandboxed).command
    )
    assert list(command[len(command) - len(args) :]) == args
    assert command[len(command) - len(args) - 1] == f"--prompt-interactive={prompt}"


@pytest.mark.parametrize(
    ("screen", "word"),
    [
        ("idle", "idle"),
        ("idle-yolo", "idle"),
        ("cancelled", "idle"),
        ("working", "working"),
        ("working-tool", "working"),
        ("waiting", "waiting"),
        ("trust", "waiting"),
        ("auth", "waiting"),
    ],
)
def test_a_screen_of_its_own_tells_what_it_does(screen: str, word: str) -> None:
    shown = told(Gemini.screen_rules, (SCREENS / f"{screen}.txt").read_text().splitlines())
    assert shown is not None
    assert shown.word == word


def test_a_question_is_told_by_its_own_words() -> None:
    shown = told(Gemini.screen_rules, (SCREENS / "waiting.txt").read_text().splitlines())
    assert shown is not None
    assert shown.line.strip("│ ") == "Allow execution of [Shell]?"


def planted(home: Path) -> str:
    """A conversation of the project on disk, one in a jail and one outside, for test_conformance; its id."""
    conversation(chats(home), HELLO)
    conversation(home / KEPT, HELLO)
    return ID
