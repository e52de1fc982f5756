from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.errors import HarnessError
from hqt.harnesses.base import Bind, Copy, Found, NamedCommand, Place, SpawnConfig
from hqt.harnesses.opencode.harness import OpenCode
from hqt.values import replace
from tests.harnesses.opencode.test_database import ID, TABLE, database, row
from tests.harnesses.places import CWD, HOME, place

KEY = "0a1b2c3d"
NOTE = "no login of OpenCode was found, and one made in the jail ends with it: log in once outside"
DATA, SETTINGS = HOME / ".local/share/opencode", HOME / ".config/opencode"
OWN = DATA / "hqt" / KEY
CHILDREN = (
    "opencode.json opencode.jsonc config.json tui.json tui.jsonc AGENTS.md package.json bun.lock "
    "package-lock.json node_modules themes agent agents command commands mode modes plugin plugins "
    "skill skills tool tools"
).split()


def jailed(found: Place) -> Place:
    """The place as one of a session in a jail."""
    return replace(found, session=Path("/srv/hqt/sessions") / KEY, jailed=True)


def shared(home: Path, *rows: str) -> Path:
    return database(home / ".local/share/opencode/opencode.db", TABLE, *rows)


def own(home: Path, *rows: str) -> Path:
    return database(home / ".local/share/opencode/hqt" / KEY / "opencode.db", TABLE, *rows)


def test_an_open_start_keeps_to_itself() -> None:
    config = OpenCode(place("opencode")).build_spawn_config(args=["-m", "x/y"], prompt="-fix --it")
    assert config == SpawnConfig(("/usr/bin/opencode", "--prompt=-fix --it", "-m", "x/y"))


def test_a_jailed_start_asks_nothing_and_has_a_database_of_its_own() -> None:
    config = OpenCode(jailed(place("opencode"))).build_spawn_config(sandboxed=True)
    assert config == SpawnConfig(
        command=("/usr/bin/opencode", "--auto"),
        env_set={"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DB": str(OWN / "opencode.db")},
        env_pass=tuple(OpenCode.sandbox_env),
        note=NOTE,
    )


def test_a_flag_that_the_user_gave_is_not_given_twice() -> None:
    config = OpenCode(place("opencode")).build_spawn_config(args=["--auto"], sandboxed=True)
    assert config.command == ("/usr/bin/opencode", "--auto")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["run", "-m", "x/y"], ["run", "--auto", "-m", "x/y", "--", "--help"]),
        (["models"], ["models", "--", "--help"]),
    ],
)
def test_a_subcommand_stays_first(args: list[str], words: list[str]) -> None:
    config = OpenCode(place("opencode")).build_spawn_config(args=args, prompt="--help", sandboxed=True)
    assert config.command == ("/usr/bin/opencode", *words)


def test_an_open_conversation_is_copied_and_one_of_a_jail_is_refused(tmp_path: Path) -> None:
    shared(tmp_path, row(ID))
    own(tmp_path, row(ID))
    config = OpenCode(place("opencode", home=tmp_path)).build_fork_config(ID, None, args=["-m", "x/y"])
    assert config == SpawnConfig(("/usr/bin/opencode", "--session", ID, "--fork", "-m", "x/y"))
    configurator = OpenCode(jailed(place("opencode", home=tmp_path)))
    with pytest.raises(HarnessError, match="OpenCode can't fork in a jail"):
        configurator.build_fork_config(ID, None, sandboxed=True)


def test_open_resume_names_the_conversation(tmp_path: Path) -> None:
    shared(tmp_path, row(ID))
    config = OpenCode(place("opencode", home=tmp_path)).build_resume_config(ID, args=["-m", "x/y"])
    assert config == SpawnConfig(("/usr/bin/opencode", "--session", ID, "-m", "x/y"))


def test_a_conversation_of_another_folder_is_not_resumed(tmp_path: Path) -> None:
    shared(tmp_path, row(ID, HOME))
    assert OpenCode(place("opencode", home=tmp_path)).build_resume_config(ID) is None


def test_jailed_resume_looks_into_its_own_database_alone(tmp_path: Path) -> None:
    shared(tmp_path, row(ID))
    configurator = OpenCode(jailed(place("opencode", home=tmp_path)))
    assert configurator.build_resume_config(ID, sandboxed=True) is None
    path = own(tmp_path, row(ID))
    config = configurator.build_resume_config(ID, args=["-m", "x/y"], sandboxed=True)
    assert config is not None
    assert config.command == ("/usr/bin/opencode", "--session", ID, "--auto", "-m", "x/y")
    assert config.env_set["OPENCODE_DB"] == str(path)


@pytest.mark.parametrize("args", [["-c"], ["--continue"], ["-sx"], ["--session=x"], ["run", "hi"]])
def test_the_users_choice_of_a_conversation_stands(tmp_path: Path, args: list[str]) -> None:
    shared(tmp_path, row(ID))
    assert OpenCode(place("opencode", home=tmp_path)).build_resume_config(ID, args=args) is None


@pytest.mark.parametrize("conversation", ["--help", "", "11111111-1111-4111-8111-111111111111"])
def test_what_is_no_id_is_not_resumed(tmp_path: Path, conversation: str) -> None:
    own(tmp_path, row(ID))
    configurator = OpenCode(jailed(place("opencode", home=tmp_path)))
    assert configurator.has_conversation(ID)
    assert configurator.build_resume_config(conversation, sandboxed=True) is None


def test_conversations_are_those_of_the_session_in_a_jail_and_of_the_folder_without(tmp_path: Path) -> None:
    outside, inside = shared(tmp_path, row("ses_outside0")), own(tmp_path, row(ID))
    found = place("opencode", home=tmp_path)
    assert list(OpenCode(jailed(found)).conversations()) == [
        Found(ID, 1795982060.125, inside, exclusive=True)
    ]
    assert list(OpenCode(found).conversations()) == [Found("ses_outside0", 1795982060.125, outside)]
    assert list(OpenCode(replace(found, jailed=True)).conversations()) == []


def test_opencode_makes_its_ids_itself() -> None:
    assert OpenCode(place("opencode")).mint(ID) is None


def test_the_jail_shows_its_own_database_and_what_is_read_of_settings() -> None:
    assert OpenCode(jailed(place("opencode"))).sandbox_binds() == [
        Bind(OWN, writable=True, dst=OWN, create="dir"),
        *(Bind(SETTINGS / name, dst=SETTINGS / name, optional=True) for name in CHILDREN),
        *(Bind(HOME / ".opencode" / name, dst=HOME / ".opencode" / name, optional=True) for name in CHILDREN),
    ]


def test_settings_that_opencode_has_been_in_are_shown_whole() -> None:
    found = place("opencode", present=[SETTINGS / ".gitignore", HOME / ".opencode/.gitignore"])
    assert OpenCode(found).sandbox_binds() == [
        Bind(SETTINGS, dst=SETTINGS, optional=True),
        Bind(HOME / ".opencode", dst=HOME / ".opencode", optional=True),
    ]


def test_a_login_enters_as_a_copy_and_what_settings_name_is_passed() -> None:
    login = b'{"https://x.example":{"type":"wellknown","key":"K","token":"t"}}'
    config = b'{"provider":{"x":{"options":{"apiKey":"{env:MINE}"}}}}'
    texts = {DATA / "auth.json": login, SETTINGS / "opencode.jsonc": config}
    found = OpenCode(place("opencode", texts=texts)).build_spawn_config(sandboxed=True)
    assert found.copies == (Copy(DATA / "auth.json", login),)
    assert found.env_pass == (*OpenCode.sandbox_env, "MINE")
    assert found.note is None


@pytest.mark.parametrize(
    ("env", "login", "note"),
    [
        ({}, b"{}", NOTE),
        ({"OPENAI_API_KEY": "k"}, b"", None),
        ({}, b'{"x":{}}', None),
        (
            {"GROQ_API_KEY": "k", "OPENCODE_CONFIG": "/srv/x.json"},
            b"",
            "OPENCODE_CONFIG names settings that the jail does not show",
        ),
    ],
)
def test_what_a_jail_lacks_is_said_before(env: dict[str, str], login: bytes, note: str | None) -> None:
    found = place("opencode", env=env, texts={DATA / "auth.json": login})
    assert OpenCode(found).build_spawn_config(sandboxed=True).note == note


def test_folders_outside_home_are_seen_at_the_usual_place() -> None:
    env = {"XDG_DATA_HOME": "/srv/data", "XDG_CONFIG_HOME": "/srv/config"}
    configurator = OpenCode(jailed(place("opencode", env=env)))
    kept, settings, *_ = configurator.sandbox_binds()
    assert kept == Bind(Path("/srv/data/opencode/hqt", KEY), writable=True, dst=OWN, create="dir")
    assert settings.src == Path("/srv/config/opencode/opencode.json")
    assert settings.dst == SETTINGS / "opencode.json"
    assert configurator.build_spawn_config(sandboxed=True).env_set == {
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DB": str(OWN / "opencode.db"),
        "XDG_DATA_HOME": str(HOME / ".local/share"),
        "XDG_CONFIG_HOME": str(HOME / ".config"),
    }
    assert configurator.build_spawn_config().env_set == {}


def test_a_tilde_is_expanded_as_opencode_expands_none(tmp_path: Path) -> None:
    env = {"XDG_DATA_HOME": "~/kept", "OPENCODE_DB": "mine.db"}
    path = database(tmp_path / "kept/opencode/mine.db")
    configurator = OpenCode(place("opencode", home=tmp_path, env=env))
    assert configurator.build_spawn_config().env_set == {"XDG_DATA_HOME": str(tmp_path / "kept")}
    assert list(configurator.conversations()) == [Found(ID, 1795982060.125, path)]


@pytest.mark.parametrize("name", ["XDG_DATA_HOME", "XDG_CONFIG_HOME"])
@pytest.mark.parametrize("value", ["", "share", "~other/share"])
def test_a_relative_folder_is_refused(name: str, value: str) -> None:
    with pytest.raises(HarnessError, match=name):
        OpenCode(place("opencode", env={name: value}))


@given(args=st.lists(st.text()), prompt=st.text(min_size=1), sandboxed=st.booleans())
def test_args_stay_verbatim_and_in_order_and_the_prompt_is_one_word(
    args: list[str], prompt: str, sandboxed: bool
) -> None:
    command = OpenCode(place("opencode")).build_spawn_config(args=args, prompt=prompt, sandboxed=sandboxed)
    words = command.command[len(command.command) - len(args) - 1 :]
    assert words == (f"--prompt={prompt}", *args)


def planted(home: Path) -> str:
    """A conversation of the project on disk, one in a jail and one outside, for test_conformance; its id."""
    shared(home, row(ID))
    own(home, row(ID))
    return ID


def test_the_servers_of_its_settings_and_the_projects_are_named() -> None:
    files = [HOME / ".config/opencode/opencode.json", CWD / "opencode.json", CWD / ".opencode/opencode.jsonc"]
    text = b'{"mcp": {"it": {"type": "local", "command": ["node", "it.js"]}}}'
    found = OpenCode(place("opencode", texts=dict.fromkeys(files, text))).commands()
    assert list(found) == [NamedCommand(file, "mcp.it", ("node", "it.js")) for file in files]
