from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.errors import HarnessError
from hqt.harnesses.base import Bind, Copy, Found, SpawnConfig
from hqt.harnesses.pi.harness import Pi
from tests.harnesses.pi.test_sessions import BORN, conversation
from tests.harnesses.places import CWD, HOME, place

ID = "01a228e1-03bf-77c2-90fe-4870721eb380"
AGENT = HOME / ".pi/agent"
SESSIONS = AGENT / "sessions/--home-user-proj--"
NAMED = ("--session-dir", str(SESSIONS), "--session", f"{SESSIONS}/hqt_{ID}.jsonl")
NOTE = "no login of pi was found, and one made in the jail ends with it: log in once outside"
READ_ONLY = (
    "models.json settings.json keybindings.json AGENTS.md CLAUDE.md SYSTEM.md APPEND_SYSTEM.md "
    "extensions skills prompts themes tools hooks bin git npm"
).split()


def kept(home: Path) -> Path:
    """Where pi keeps the conversations of the project in `home`."""
    return home / ".pi/agent/sessions/--home-user-proj--"


def test_a_fresh_start_names_the_file_of_its_conversation() -> None:
    config = Pi(place("pi")).build_spawn_config(args=["--model", "x"], prompt="fix it", conversation=ID)
    assert config == SpawnConfig(("/usr/bin/pi", *NAMED, "fix it", "--model", "x"))


def test_a_jailed_start_asks_nobody_for_a_newer_version() -> None:
    config = Pi(place("pi")).build_spawn_config(conversation=ID, sandboxed=True)
    assert config == SpawnConfig(
        command=("/usr/bin/pi", *NAMED),
        env_set={"PI_SKIP_VERSION_CHECK": "1"},
        env_pass=tuple(Pi.sandbox_env),
        note=NOTE,
    )


@pytest.mark.parametrize(
    ("prompt", "word"),
    [
        ("-x", " -x"),
        ("@file", " @file"),
        ("update", " update"),
        ("update it", "update it"),
        ("/tree", "/tree"),
    ],
)
def test_a_prompt_is_no_option_no_file_and_no_subcommand(prompt: str, word: str) -> None:
    assert Pi(place("pi")).build_spawn_config(prompt=prompt).command == ("/usr/bin/pi", word)


@pytest.mark.parametrize("args", [["-c"], ["--resume"], ["--session", "x"], ["--no-session"]])
def test_the_users_choice_of_a_conversation_stands(tmp_path: Path, args: list[str]) -> None:
    conversation(kept(tmp_path))
    configurator = Pi(place("pi", home=tmp_path))
    assert configurator.build_spawn_config(args=args, conversation=ID).command == ("/usr/bin/pi", *args)
    assert configurator.build_resume_config(ID, args=args) is None


def test_a_subcommand_stays_the_first_word(tmp_path: Path) -> None:
    conversation(kept(tmp_path))
    configurator = Pi(place("pi", home=tmp_path))
    config = configurator.build_spawn_config(args=["list"], conversation=ID, sandboxed=True)
    assert config.command == ("/usr/bin/pi", "list")
    assert configurator.build_resume_config(ID, args=["list"]) is None


@pytest.mark.parametrize("sandboxed", [False, True])
@pytest.mark.parametrize("name", [f"hqt_{ID}.jsonl", f"2026-11-29T19-56-04-928Z_{ID}.jsonl"])
def test_resume_names_the_file(tmp_path: Path, name: str, sandboxed: bool) -> None:
    path = conversation(kept(tmp_path), name)
    config = Pi(place("pi", home=tmp_path)).build_resume_config(ID, args=["-e", "x"], sandboxed=sandboxed)
    assert config is not None
    assert config.command == (
        "/usr/bin/pi",
        *("--session-dir", str(path.parent), "--session", str(path)),
        *("-e", "x"),
    )


@pytest.mark.parametrize("sandboxed", [False, True])
def test_a_copy_names_the_file_and_gets_an_id_of_pis(tmp_path: Path, sandboxed: bool) -> None:
    path = conversation(kept(tmp_path))
    configurator = Pi(place("pi", home=tmp_path))
    config = configurator.build_fork_config(ID, None, args=["-e", "x"], prompt="-dash", sandboxed=sandboxed)
    assert config is not None
    copied = ("--session-dir", str(path.parent), "--fork", str(path))
    assert config.command == ("/usr/bin/pi", *copied, " -dash", "-e", "x")
    assert configurator.build_fork_config(ID, None, args=["--no-session"]) is None


def test_a_conversation_that_names_another_folder_is_not_resumed(tmp_path: Path) -> None:
    # pi would go to work there
    conversation(kept(tmp_path), header={"cwd": str(HOME)})
    configurator = Pi(place("pi", home=tmp_path))
    assert configurator.has_conversation(ID) is False
    assert configurator.build_resume_config(ID) is None


def test_an_id_is_used_again_while_nothing_lies_under_it(tmp_path: Path) -> None:
    configurator = Pi(place("pi", home=tmp_path))
    assert configurator.mint(ID) == ID
    conversation(kept(tmp_path)).write_text("")
    new = configurator.mint(ID)
    assert new != ID
    assert configurator.mint(new) == new
    assert configurator.mint() != configurator.mint()


def test_conversations_of_this_folder_are_found(tmp_path: Path) -> None:
    path = conversation(kept(tmp_path))
    assert list(Pi(place("pi", home=tmp_path)).conversations()) == [Found(ID, BORN, path)]
    assert list(Pi(place("pi", home=tmp_path, cwd=HOME / "other")).conversations()) == []


def test_a_conversation_goes_along_with_its_project(tmp_path: Path) -> None:
    conversation(kept(tmp_path))
    new = HOME / "moved"
    Pi(place("pi", home=tmp_path)).moved(ID, CWD, new)
    Pi(place("pi", home=tmp_path)).moved("11111111-1111-4111-8111-111111111111", CWD, new)
    assert Pi(place("pi", home=tmp_path)).has_conversation(ID)
    assert Pi(place("pi", home=tmp_path, cwd=new)).has_conversation(ID)


def test_the_jail_shows_the_conversations_of_this_project_alone() -> None:
    assert Pi(place("pi")).sandbox_binds() == [
        Bind(SESSIONS, writable=True, dst=SESSIONS, create="dir"),
        *(Bind(AGENT / name, dst=AGENT / name, optional=True) for name in READ_ONLY),
    ]


def test_a_login_enters_as_a_copy_and_what_it_names_is_passed() -> None:
    login = b'{"x":{"type":"api_key","key":"MINE"},"y":{"key":"ABSENT"},"z":{"key":"!pass show z"}}'
    texts = {AGENT / "auth.json": login, AGENT / "models.json": b'{"apiKey" : "THEIRS"}'}
    env = {"MINE": "1", "THEIRS": "2"}
    config = Pi(place("pi", texts=texts, env=env)).build_spawn_config(sandboxed=True)
    assert config.copies == (Copy(AGENT / "auth.json", login),)
    assert config.env_pass == (*Pi.sandbox_env, "THEIRS", "MINE")
    assert config.note is None
    assert Pi(place("pi", texts=texts, env=env)).build_spawn_config().copies == ()


@pytest.mark.parametrize(
    ("env", "texts", "note"),
    [
        ({}, {"auth.json": b"{}"}, NOTE),
        ({"GROQ_API_KEY": "k"}, {}, None),
        ({}, {"auth.json": b'{"x":{}}'}, None),
        ({}, {"models.json": b'{"apiKey":"literal"}'}, None),
    ],
)
def test_a_login_that_would_not_outlive_the_jail_is_said_before(
    env: dict[str, str], texts: dict[str, bytes], note: str | None
) -> None:
    found = place("pi", env=env, texts={AGENT / name: text for name, text in texts.items()})
    assert Pi(found).build_spawn_config(sandboxed=True).note == note


def test_a_folder_outside_home_is_seen_at_the_usual_place() -> None:
    configurator = Pi(place("pi", env={"PI_CODING_AGENT_DIR": "/srv/pi"}))
    inside = SESSIONS
    assert configurator.sandbox_binds()[0] == Bind(
        Path("/srv/pi/sessions/--home-user-proj--"), writable=True, dst=inside, create="dir"
    )
    jailed = configurator.build_spawn_config(conversation=ID, sandboxed=True)
    assert jailed.command == ("/usr/bin/pi", *NAMED)
    assert jailed.env_set == {"PI_SKIP_VERSION_CHECK": "1", "PI_CODING_AGENT_DIR": str(AGENT)}
    assert configurator.build_spawn_config().env_set == {}


def test_a_folder_for_conversations_alone_is_honoured() -> None:
    configurator = Pi(place("pi", env={"PI_CODING_AGENT_SESSION_DIR": "~/talks"}))
    folder = HOME / "talks/--home-user-proj--"
    assert configurator.sandbox_binds()[0] == Bind(folder, writable=True, dst=folder, create="dir")
    config = configurator.build_spawn_config(conversation=ID)
    assert config.command[1:3] == ("--session-dir", str(folder))
    assert config.env_set == {"PI_CODING_AGENT_SESSION_DIR": str(HOME / "talks")}


@pytest.mark.parametrize("name", Pi.root_env)
@pytest.mark.parametrize("value", ["", "pi", "~other/pi"])
def test_a_relative_folder_is_refused(name: str, value: str) -> None:
    with pytest.raises(HarnessError, match=name):
        Pi(place("pi", env={name: value}))


@given(args=st.lists(st.text()), prompt=st.text(min_size=1), sandboxed=st.booleans())
def test_args_stay_verbatim_and_in_order(args: list[str], prompt: str, sandboxed: bool) -> None:
    command = Pi(place("pi")).build_spawn_config(args=args, prompt=prompt, sandboxed=sandboxed).command
    assert list(command[len(command) - len(args) :]) == args
    assert prompt in command[-1 - len(args)]


def planted(home: Path) -> str:
    """A conversation of the project on disk, for test_conformance; its id."""
    conversation(kept(home))
    return ID
