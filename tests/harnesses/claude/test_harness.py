import json
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.errors import HarnessError
from hqt.harnesses.base import Bind, Copy, Found, SpawnConfig
from hqt.harnesses.claude import settings
from hqt.harnesses.claude.harness import Claude
from tests.harnesses.places import CWD, HOME, place

ID = "11111111-1111-4111-8111-111111111111"
NO_WARNING = '{"skipDangerousModePermissionPrompt": true}'
SAID = '{"type":"user","message":{"role":"user","content":"hello"}}\n'
LOGGED_IN = [HOME / ".claude/.credentials.json"]


def transcript(home: Path, content: str = SAID, folder: str = "-anywhere") -> Path:
    path = home / ".claude/projects" / folder / f"{ID}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def test_an_open_start_is_given_its_id_and_nothing_else() -> None:
    config = Claude(place("claude")).build_spawn_config(conversation=ID)
    assert config == SpawnConfig(("/usr/bin/claude", "--session-id", ID))


def test_a_jailed_start_skips_every_question_and_gets_its_own_state_file() -> None:
    config = Claude(place("claude", present=LOGGED_IN)).build_spawn_config(
        args=["--model", "opus"], prompt="fix it", conversation=ID, sandboxed=True
    )
    assert config == SpawnConfig(
        command=(
            *("/usr/bin/claude", "--session-id", ID, "--dangerously-skip-permissions"),
            *("--settings", NO_WARNING, "--model", "opus", "--", "fix it"),
        ),
        env_set={"CLAUDE_CODE_SANDBOXED": "1", "DISABLE_AUTOUPDATER": "1"},
        env_pass=tuple(Claude.sandbox_env),
        copies=(Copy(HOME / ".claude.json", b'{"hasCompletedOnboarding": true}'),),
    )


@pytest.mark.parametrize(("uid", "sandboxed", "told"), [(0, True, "1"), (0, False, None), (1000, True, None)])
def test_only_root_in_a_jail_says_that_it_is_in_one(uid: int, sandboxed: bool, told: str | None) -> None:
    config = Claude(place("claude", uid=uid)).build_spawn_config(sandboxed=sandboxed)
    assert config.env_set.get("IS_SANDBOX") == told


@pytest.mark.parametrize("sandboxed", [False, True])
def test_a_session_reports_its_conversations_at_every_start(tmp_path: Path, sandboxed: bool) -> None:
    transcript(tmp_path)
    told = settings.text(bypass=sandboxed, reports=True)
    claude = Claude(place("claude", home=tmp_path, session=tmp_path / "session"))
    fresh = claude.build_spawn_config(conversation=ID, sandboxed=sandboxed)
    again = claude.build_resume_config(ID, sandboxed=sandboxed)
    assert again is not None
    assert [config.command[-2:] for config in (fresh, again)] == [("--settings", told)] * 2


def test_a_conversation_is_found_in_its_own_folder_alone(tmp_path: Path) -> None:
    said = {"type": "user", "sessionId": ID, "cwd": str(CWD), "timestamp": "2026-11-29T19:56:20.286Z"}
    path = transcript(tmp_path, '{"type":"mode"}\n' + json.dumps(said) + "\n", folder="-home-user-proj")
    found = Found(ID, 1795982180.286, path)
    assert Claude(place("claude", home=tmp_path)).find(ID) == found
    assert Claude(place("claude", home=tmp_path, cwd=HOME / "other")).find(ID) is None


def test_open_resume_names_the_conversation(tmp_path: Path) -> None:
    transcript(tmp_path)
    config = Claude(place("claude", home=tmp_path)).build_resume_config(ID, args=["--verbose"])
    assert config == SpawnConfig(("/usr/bin/claude", "--resume", ID, "--verbose"))


def test_jailed_resume_skips_the_same_questions(tmp_path: Path) -> None:
    transcript(tmp_path)
    config = Claude(place("claude", home=tmp_path, uid=0)).build_resume_config(ID, sandboxed=True)
    assert config is not None
    assert config.command == (
        *("/usr/bin/claude", "--resume", ID, "--dangerously-skip-permissions", "--settings", NO_WARNING),
    )
    assert config.env_set["IS_SANDBOX"] == "1"


OTHER = "55555555-5555-4555-8555-555555555555"


def test_a_copy_gets_the_id_that_hqt_gives(tmp_path: Path) -> None:
    transcript(tmp_path)
    config = Claude(place("claude", home=tmp_path)).build_fork_config(
        ID, OTHER, args=["--verbose"], prompt="update"
    )
    copied = ("--resume", ID, "--fork-session", "--session-id", OTHER)
    assert config == SpawnConfig(("/usr/bin/claude", *copied, "--verbose", "--", "update "))


def test_a_conversation_that_the_user_chose_is_not_copied(tmp_path: Path) -> None:
    transcript(tmp_path)
    assert Claude(place("claude", home=tmp_path)).build_fork_config(ID, OTHER, args=["-c"]) is None


def test_a_session_that_was_never_used_starts_afresh_with_the_same_id(tmp_path: Path) -> None:
    configurator = Claude(place("claude", home=tmp_path))
    assert configurator.build_resume_config(ID) is None
    assert configurator.mint(ID) == ID


@pytest.mark.parametrize("content", ["", '{"type":"queue-operation","content":"hello"}\n'])
def test_a_start_killed_before_its_first_message_gets_another_id(tmp_path: Path, content: str) -> None:
    transcript(tmp_path, content)
    configurator = Claude(place("claude", home=tmp_path))
    assert configurator.build_resume_config(ID) is None
    assert configurator.mint(ID) != ID


def test_a_useless_transcript_elsewhere_does_not_hide_the_conversation(tmp_path: Path) -> None:
    transcript(tmp_path)
    transcript(tmp_path, "", folder="-zzz")
    assert Claude(place("claude", home=tmp_path)).has_conversation(ID)


def test_a_used_id_is_never_minted_again(tmp_path: Path) -> None:
    transcript(tmp_path)
    assert Claude(place("claude", home=tmp_path)).mint(ID) != ID


@pytest.mark.parametrize("choice", ["-c", "--continue", "-r", "--resume=x", "--session-id"])
def test_a_conversation_that_the_user_chose_is_left_alone(tmp_path: Path, choice: str) -> None:
    transcript(tmp_path)
    configurator = Claude(place("claude", home=tmp_path))
    assert configurator.build_spawn_config(args=[choice], conversation=ID).command == (
        "/usr/bin/claude",
        choice,
    )
    assert configurator.build_resume_config(ID, args=[choice]) is None


@pytest.mark.parametrize("given", [["--settings", "mine.json"], ["--settings=mine.json"]])
def test_the_users_own_settings_are_not_replaced(given: list[str]) -> None:
    config = Claude(place("claude")).build_spawn_config(args=given, sandboxed=True)
    assert config.command == ("/usr/bin/claude", "--dangerously-skip-permissions", *given)


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        ("-dash", "-dash"),
        ("update", "update "),
        ("update it", "update it"),
        (" mcp", " mcp"),
        ("a\nb", "a\nb"),
    ],
)
def test_a_prompt_is_neither_an_option_nor_a_subcommand(prompt: str, said: str) -> None:
    assert Claude(place("claude")).build_spawn_config(prompt=prompt).command == (
        "/usr/bin/claude",
        "--",
        said,
    )


@given(args=st.lists(st.text()), prompt=st.text(min_size=1), sandboxed=st.booleans())
def test_args_stay_verbatim_and_in_order_and_the_prompt_is_last(
    args: list[str], prompt: str, sandboxed: bool
) -> None:
    command = (
        Claude(place("claude")).build_spawn_config(args=args, prompt=prompt, sandboxed=sandboxed).command
    )
    assert list(command[-2 - len(args) : -2]) == args
    assert command[-2] == "--"
    assert command[-1].rstrip(" ") == prompt.rstrip(" ")


def test_the_jail_shows_single_children_of_the_folder() -> None:
    session = Path("/data/hqt/sessions/abcd")
    root = HOME / ".claude"
    read_only = (
        "settings.json settings.local.json CLAUDE.md agents commands skills hooks plugins output-styles rules"
    )
    assert Claude(place("claude", session=session)).sandbox_binds() == [
        Bind(root / "projects", writable=True, dst=root / "projects", create="dir"),
        Bind(root / ".credentials.json", writable=True, dst=root / ".credentials.json", optional=True),
        *(Bind(root / name, dst=root / name, optional=True) for name in read_only.split()),
        Bind(session / "claude-sessions", writable=True, dst=root / "sessions", create="dir"),
    ]


def test_a_folder_outside_home_is_seen_at_the_usual_place() -> None:
    env = {"CLAUDE_CONFIG_DIR": "/srv/claude"}
    configurator = Claude(place("claude", env=env))
    config = configurator.build_spawn_config(sandboxed=True)
    assert configurator.sandbox_binds()[0] == Bind(
        Path("/srv/claude/projects"), writable=True, dst=HOME / ".claude/projects", create="dir"
    )
    assert config.env_set["CLAUDE_CONFIG_DIR"] == str(HOME / ".claude")
    assert [copy.dst for copy in config.copies] == [HOME / ".claude/.claude.json"]
    assert Claude.reads(HOME, env)[0] == Path("/srv/claude/.claude.json")


def test_a_folder_under_home_keeps_its_place() -> None:
    configurator = Claude(place("claude", env={"CLAUDE_CONFIG_DIR": "~/conf"}))
    config = configurator.build_spawn_config(sandboxed=True)
    assert configurator.sandbox_binds()[0].inside == HOME / "conf/projects"
    assert config.env_set["CLAUDE_CONFIG_DIR"] == str(HOME / "conf")
    assert [copy.dst for copy in config.copies] == [HOME / "conf/.claude.json"]


def test_an_open_session_gets_a_tilde_expanded() -> None:
    config = Claude(place("claude", env={"CLAUDE_CONFIG_DIR": "~/conf"})).build_spawn_config()
    assert config.env_set == {"CLAUDE_CONFIG_DIR": str(HOME / "conf")}


def test_a_relative_folder_is_refused() -> None:
    with pytest.raises(HarnessError, match=r"CLAUDE_CONFIG_DIR='\./x' is not an absolute path"):
        Claude(place("claude", env={"CLAUDE_CONFIG_DIR": "./x"}))


def test_the_copy_keeps_what_the_user_has_and_approves_the_key() -> None:
    state = HOME / ".claude.json"
    key = "sk-0123456789abcdefghijklmnop"
    texts = {
        state: b'{"mcpServers": {"x": 1}, "customApiKeyResponses": {"approved": ["old"], "rejected": []}}'
    }
    config = Claude(place("claude", env={"ANTHROPIC_API_KEY": key}, texts=texts)).build_spawn_config(
        sandboxed=True
    )
    assert json.loads(config.copies[0].content) == {
        "mcpServers": {"x": 1},
        "customApiKeyResponses": {"approved": ["old", key[-20:]], "rejected": []},
        "hasCompletedOnboarding": True,
    }
    assert config.note is None


def test_a_state_file_that_is_no_json_is_said() -> None:
    state = HOME / ".claude.json"
    config = Claude(place("claude", texts={state: b"{oops"}, present=[state, *LOGGED_IN])).build_spawn_config(
        sandboxed=True
    )
    assert config.note == f"{state} holds no JSON object: the jail starts without it"
    assert json.loads(config.copies[0].content) == {"hasCompletedOnboarding": True}


@pytest.mark.parametrize(
    ("env", "texts"),
    [
        ({"CLAUDE_CODE_OAUTH_TOKEN": "t"}, {}),
        ({}, {HOME / ".claude/settings.json": b'{"apiKeyHelper": "get-key"}'}),
        ({}, {HOME / ".claude.json": b'{"primaryApiKey": "k"}'}),
    ],
)
def test_a_login_by_other_means_needs_no_note(env: dict[str, str], texts: dict[Path, bytes]) -> None:
    assert Claude(place("claude", env=env, texts=texts)).build_spawn_config(sandboxed=True).note is None


def test_a_login_that_would_not_outlive_the_jail_is_said_before() -> None:
    note = "no login of Claude Code was found, and one made in the jail ends with it: log in once outside"
    assert Claude(place("claude")).build_spawn_config(sandboxed=True).note == note
    assert Claude(place("claude")).build_spawn_config().note is None


def test_cloud_credentials_are_passed_only_where_they_are_used() -> None:
    plain = Claude(place("claude")).build_spawn_config(sandboxed=True).env_pass
    cloud = Claude(place("claude", env={"CLAUDE_CODE_USE_BEDROCK": "1"})).build_spawn_config(sandboxed=True)
    assert "AWS_*" not in plain
    assert cloud.env_pass == (*plain, "AWS_*")


def test_what_identifies_an_outer_session_is_not_passed() -> None:
    outer = (
        "CLAUDECODE",
        *(f"CLAUDE_CODE_{name}" for name in ("ENTRYPOINT", "SSE_PORT", "SESSION_ID", "CHILD_SESSION")),
    )
    assert not [name for name in outer for each in Claude.sandbox_env if fnmatchcase(name, each)]


def test_a_moved_project_takes_its_conversation_along(tmp_path: Path) -> None:
    old = transcript(tmp_path, folder="-home-user-proj")
    Claude(place("claude", home=tmp_path)).moved(ID, CWD, Path("/home/user/my new_proj"))
    assert (tmp_path / ".claude/projects/-home-user-my-new-proj" / old.name).read_text() == SAID
    assert old.read_text() == SAID


def planted(home: Path) -> str:
    """A conversation of the project on disk, for test_conformance; its id."""
    transcript(home)
    return ID


@pytest.mark.parametrize("reported", ["--dangerously-skip-permissions", "-c", "some-words", "x"])
def test_what_is_no_id_of_claudes_is_never_gone_back_to(tmp_path: Path, reported: str) -> None:
    said = {"type": "user", "sessionId": reported, "cwd": str(CWD), "timestamp": "2026-11-29T19:56:20.286Z"}
    folder = tmp_path / ".claude/projects/-home-user-proj"
    folder.mkdir(parents=True)
    (folder / f"{reported}.jsonl").write_text(json.dumps(said, separators=(",", ":")))
    claude = Claude(place("claude", home=tmp_path))
    assert claude.find(reported) is None
    assert not (reported.startswith("-") and claude.build_resume_config(reported))
