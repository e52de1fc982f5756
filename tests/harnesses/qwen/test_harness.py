from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.errors import HarnessError
from hqt.harnesses.base import Bind, Copy, Found, NamedCommand, SpawnConfig
from hqt.harnesses.qwen.harness import Qwen
from hqt.status.rules import told
from tests.harnesses.places import CWD, HOME, place
from tests.harnesses.qwen.test_chats import BORN, ID, conversation

SCREENS = Path(__file__).parents[2] / "status/screens/qwen"  # recorded
ROOT = HOME / ".qwen"
OWN = "projects/-home-user-proj"
JAILED = {"QWEN_SANDBOX": "false", "QWEN_CODE_NO_RELAUNCH": "true", "QWEN_RUNTIME_DIR": str(ROOT)}
TRUSTED = Copy(ROOT / "trustedFolders.json", b'{"/home/user/proj": "TRUST_FOLDER"}')
OPENAI = {"OPENAI_API_KEY": "k", "OPENAI_MODEL": "m", "OPENAI_BASE_URL": "u"}
NOTE = "no login of Qwen Code was found, and one made in the jail ends with it: log in once outside"
READ_ONLY = (
    "settings.json .env QWEN.md AGENTS.md memory.md output-language.md "
    "agents commands extensions hooks locales rules skills"
).split()


def chats(home: Path) -> Path:
    """Where qwen keeps the conversations of the project."""
    return home / ".qwen" / OWN / "chats"


def test_an_open_start_is_given_its_id_and_its_prompt() -> None:
    config = Qwen(place("qwen")).build_spawn_config(args=["-m", "x"], prompt="fix it", conversation=ID)
    words = ("--session-id", ID, "--prompt-interactive=fix it", "-m", "x")
    assert config == SpawnConfig(("/usr/bin/qwen", *words))


def test_a_jailed_start_skips_every_question_and_trusts_its_folder() -> None:
    config = Qwen(place("qwen", env=OPENAI)).build_spawn_config(conversation=ID, sandboxed=True)
    assert config == SpawnConfig(
        command=("/usr/bin/qwen", "--session-id", ID, "--yolo"),
        env_set=JAILED,
        env_pass=(*Qwen.sandbox_env, "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "QWEN_MODEL"),
        copies=(TRUSTED,),
    )


@pytest.mark.parametrize("args", [["-y"], ["--approval-mode", "plan"], ["--yolo"]])
def test_a_mode_that_the_user_gave_stands(args: list[str]) -> None:
    config = Qwen(place("qwen")).build_spawn_config(args=args, sandboxed=True)
    assert config.command == ("/usr/bin/qwen", *args)


@pytest.mark.parametrize("sandboxed", [False, True])
def test_resume_names_the_conversation(tmp_path: Path, sandboxed: bool) -> None:
    conversation(chats(tmp_path))
    config = Qwen(place("qwen", home=tmp_path)).build_resume_config(ID, args=["-m", "x"], sandboxed=sandboxed)
    assert config is not None
    skips = ("--yolo",) if sandboxed else ()
    assert config.command == ("/usr/bin/qwen", "--resume", ID, *skips, "-m", "x")


@pytest.mark.parametrize("choice", ["-c", "--continue", "-r", "--resume=x", "--session-id"])
def test_a_conversation_that_the_user_chose_is_left_alone(tmp_path: Path, choice: str) -> None:
    conversation(chats(tmp_path))
    configurator = Qwen(place("qwen", home=tmp_path))
    config = configurator.build_spawn_config(args=[choice], conversation=ID)
    assert config.command == ("/usr/bin/qwen", choice)
    assert configurator.build_resume_config(ID, args=[choice]) is None


def test_a_subcommand_stays_the_first_word(tmp_path: Path) -> None:
    conversation(chats(tmp_path))
    configurator = Qwen(place("qwen", home=tmp_path))
    config = configurator.build_spawn_config(args=["auth", "status"], conversation=ID, sandboxed=True)
    assert config.command == ("/usr/bin/qwen", "auth", "status")
    assert configurator.build_resume_config(ID, args=["auth", "status"]) is None


def test_an_id_is_used_again_while_nothing_lies_under_it(tmp_path: Path) -> None:
    configurator = Qwen(place("qwen", home=tmp_path))
    assert configurator.build_resume_config(ID) is None
    assert configurator.mint(ID) == ID
    conversation(chats(tmp_path), cwd=HOME)
    assert configurator.mint(ID) != ID


def test_one_that_was_held_in_another_folder_of_the_same_slug_is_not_resumed(tmp_path: Path) -> None:
    conversation(chats(tmp_path), cwd=Path("/home/user-proj"))
    assert Qwen(place("qwen", home=tmp_path)).build_resume_config(ID) is None


def test_conversations_of_this_folder_are_found(tmp_path: Path) -> None:
    path = conversation(chats(tmp_path))
    assert list(Qwen(place("qwen", home=tmp_path)).conversations()) == [Found(ID, BORN, path)]


def test_a_conversation_goes_along_with_its_project(tmp_path: Path) -> None:
    conversation(chats(tmp_path))
    new = HOME / "moved"
    Qwen(place("qwen", home=tmp_path)).moved(ID, CWD, new)
    Qwen(place("qwen", home=tmp_path)).moved(ID.replace("1", "2"), CWD, new)
    assert Qwen(place("qwen", home=tmp_path, cwd=new)).has_conversation(ID)
    assert Qwen(place("qwen", home=tmp_path)).has_conversation(ID)


def test_the_jail_shows_the_conversations_of_this_project_alone() -> None:
    own, login, skills = ROOT / OWN, ROOT / "oauth_creds.json", HOME / ".agents/skills"
    assert Qwen(place("qwen")).sandbox_binds() == [
        Bind(own / "chats", writable=True, dst=own / "chats", create="dir"),
        Bind(login, writable=True, dst=login, optional=True),
        *(Bind(ROOT / name, dst=ROOT / name, optional=True) for name in READ_ONLY),
        Bind(own / "memory", dst=own / "memory", optional=True),
        Bind(skills, dst=skills, optional=True),
        Bind(Path("/etc/qwen-code"), optional=True),
    ]


def test_a_folder_elsewhere_is_seen_at_the_usual_place() -> None:
    configurator = Qwen(place("qwen", env={"QWEN_HOME": "/srv/q"}))
    config = configurator.build_spawn_config(sandboxed=True)
    own = configurator.sandbox_binds()[0]
    assert (own.src, own.dst) == (Path("/srv/q") / OWN / "chats", ROOT / OWN / "chats")
    assert config.env_set == {**JAILED, "QWEN_HOME": str(ROOT)}
    assert configurator.build_spawn_config().env_set == {}


def test_conversations_may_have_a_folder_of_their_own() -> None:
    configurator = Qwen(place("qwen", env={"QWEN_RUNTIME_DIR": "~/kept"}))
    chats, login, *_ = configurator.sandbox_binds()
    assert (chats.src, login.src) == (HOME / "kept" / OWN / "chats", ROOT / "oauth_creds.json")
    inside = configurator.build_spawn_config(sandboxed=True).env_set["QWEN_RUNTIME_DIR"]
    assert inside == configurator.build_spawn_config().env_set["QWEN_RUNTIME_DIR"] == str(HOME / "kept")


@pytest.mark.parametrize("variable", ["QWEN_HOME", "QWEN_RUNTIME_DIR"])
@pytest.mark.parametrize("given", ["", "./x"])
def test_an_empty_or_relative_folder_is_refused(variable: str, given: str) -> None:
    with pytest.raises(HarnessError, match=f"{variable}="):
        Qwen(place("qwen", env={variable: given}))


@pytest.mark.parametrize(
    ("prompt", "word"),
    [("-x", "-x"), ('"a"', '"a" '), ("'", "' "), ("\"a'", "\"a'"), ("update", "update"), ("a\nb", "a\nb")],
)
def test_a_prompt_is_no_option_and_keeps_its_quotes(prompt: str, word: str) -> None:
    command = Qwen(place("qwen")).build_spawn_config(prompt=prompt).command
    assert command == ("/usr/bin/qwen", f"--prompt-interactive={word}")


@pytest.mark.parametrize(
    ("env", "texts", "present"),
    [
        (OPENAI, {}, []),
        ({}, {"settings.json": b'{"env": {"K": "v"}}'}, []),
        ({}, {}, ["oauth_creds.json"]),
    ],
)
def test_a_login_needs_no_note(env: dict[str, str], texts: dict[str, bytes], present: list[str]) -> None:
    where = place(
        "qwen",
        env=env,
        texts={ROOT / name: text for name, text in texts.items()},
        present=[ROOT / name for name in present],
    )
    assert Qwen(where).build_spawn_config(sandboxed=True).note is None


def test_a_key_in_the_users_env_file_is_a_login_for_the_way_that_was_chosen() -> None:
    texts = {ROOT / ".env": b"MINE=k\n"}
    assert Qwen(place("qwen", texts=texts)).build_spawn_config(sandboxed=True).note == NOTE
    models = b'"modelProviders": {"openai": [{"envKey": "MINE"}]}'
    texts[ROOT / "settings.json"] = b'{"security": {"auth": {"selectedType": "openai"}}, %b}' % models
    config = Qwen(place("qwen", texts=texts)).build_spawn_config(sandboxed=True)
    assert (config.env_pass[-1], config.note) == ("MINE", None)


def test_a_login_that_would_not_outlive_the_jail_is_said_before() -> None:
    assert Qwen(place("qwen")).build_spawn_config(sandboxed=True).note == NOTE
    assert Qwen(place("qwen")).build_spawn_config().note is None


def test_keys_of_another_way_to_log_in_are_not_passed() -> None:
    env = {**OPENAI, "ANTHROPIC_API_KEY": "k"}
    passed = Qwen(place("qwen", env=env)).build_spawn_config(sandboxed=True).env_pass
    assert not any(fnmatchcase("ANTHROPIC_API_KEY", each) for each in passed)


def test_what_identifies_an_outer_session_is_not_passed() -> None:
    assert not [name for name in Qwen.outer_env for each in Qwen.sandbox_env if fnmatchcase(name, each)]


def test_what_the_settings_run_is_named_of_the_project_too() -> None:
    server = b'{"mcpServers": {"s": {"command": "serve"}}}'
    files = (ROOT / "settings.json", CWD / ".qwen/settings.json")
    found = Qwen(place("qwen", texts=dict.fromkeys(files, server))).commands()
    assert list(found) == [NamedCommand(file, "mcpServers.s", ("serve",)) for file in files]


@given(args=st.lists(st.text()), prompt=st.text(min_size=1), sandboxed=st.booleans())
def test_args_stay_verbatim_and_last_and_the_prompt_is_one_word(
    args: list[str], prompt: str, sandboxed: bool
) -> None:
    command = Qwen(place("qwen")).build_spawn_config(args=args, prompt=prompt, sandboxed=sandboxed).command
    before, said = command[: len(command) - len(args)], list(command[len(command) - len(args) :])
    assert said == args
    assert before[-1] in (f"--prompt-interactive={prompt}", f"--prompt-interactive={prompt} ")


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
    shown = told(Qwen.screen_rules, (SCREENS / f"{screen}.txt").read_text().splitlines())
    assert shown is not None
    assert shown.word == word


def test_a_question_is_told_by_its_own_words() -> None:
    shown = told(Qwen.screen_rules, (SCREENS / "waiting.txt").read_text().splitlines())
    assert shown is not None
    assert shown.line.strip("│ ") == "Allow execution of: 'rm'?"


def planted(home: Path) -> str:
    """A conversation of the project on disk, for test_conformance; its id."""
    conversation(chats(home))
    return ID
