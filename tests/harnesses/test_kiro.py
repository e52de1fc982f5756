import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.harnesses.base import Bind, Found, NamedCommand, SpawnConfig
from hqt.harnesses.kiro import Kiro
from hqt.status.rules import told
from tests.harnesses.places import CWD, HOME, place

ID = "f2946a26-3735-4b08-8d05-c928010302d5"


def state(home: Path, **more: object) -> Path:
    path = home / f".kiro/sessions/cli/{ID}.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"cwd": str(CWD), "created_at": "2026-08-01T10:00:00Z", **more}))
    return path


def test_an_open_start_is_a_chat() -> None:
    config = Kiro(place("kiro-cli")).build_spawn_config(args=["--model", "x"], prompt="fix it")
    assert config == SpawnConfig(("/usr/bin/kiro-cli", "chat", "--model", "x", "--", "fix it"))


def test_a_jailed_start_trusts_all_tools() -> None:
    config = Kiro(place("kiro-cli")).build_spawn_config(sandboxed=True)
    assert config == SpawnConfig(
        command=("/usr/bin/kiro-cli", "chat", "--trust-all-tools"),
        env_pass=("KIRO_API_KEY", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"),
    )


@pytest.mark.parametrize(("sandboxed", "skips"), [(False, ()), (True, ("--trust-all-tools",))])
def test_resume_names_the_conversation(tmp_path: Path, sandboxed: bool, skips: tuple[str, ...]) -> None:
    state(tmp_path)
    config = Kiro(place("kiro-cli", home=tmp_path)).build_resume_config(ID, args=["-v"], sandboxed=sandboxed)
    assert config is not None
    assert config.command == ("/usr/bin/kiro-cli", "chat", *skips, "--resume-id", ID, "-v")


def test_there_is_nothing_to_resume_without_a_state_file(tmp_path: Path) -> None:
    assert Kiro(place("kiro-cli", home=tmp_path)).build_resume_config(ID) is None


def test_conversations_of_this_folder_are_found(tmp_path: Path) -> None:
    path = state(tmp_path)
    assert list(Kiro(place("kiro-cli", home=tmp_path)).conversations()) == [Found(ID, 1785578400.0, path)]
    assert list(Kiro(place("kiro-cli", home=tmp_path, cwd=HOME / "other")).conversations()) == []


@pytest.mark.parametrize("more", [{"created_at": 1}, {"created_at": "soon"}, {"cwd": None}])
def test_a_state_of_another_shape_is_passed_over(tmp_path: Path, more: dict[str, object]) -> None:
    state(tmp_path, **more)
    assert list(Kiro(place("kiro-cli", home=tmp_path)).conversations()) == []


def test_the_jail_shows_conversations_login_and_settings() -> None:
    root = HOME / ".kiro"
    assert Kiro(place("kiro-cli")).sandbox_binds() == [
        Bind(root / "sessions", writable=True, dst=root / "sessions", create="dir"),
        Bind(HOME / ".local/share/kiro-cli", writable=True, create="dir"),
        Bind(HOME / ".aws/sso/cache", writable=True, optional=True),
        *(
            Bind(root / name, dst=root / name, optional=True)
            for name in ("agents", "settings", "steering", "hooks")
        ),
    ]


@given(args=st.lists(st.text()), prompt=st.text(min_size=1), sandboxed=st.booleans())
def test_args_stay_verbatim_and_in_order_and_the_prompt_is_last(
    args: list[str], prompt: str, sandboxed: bool
) -> None:
    command = (
        Kiro(place("kiro-cli")).build_spawn_config(args=args, prompt=prompt, sandboxed=sandboxed).command
    )
    assert list(command[-2 - len(args) :]) == [*args, "--", prompt]


def planted(home: Path) -> str:
    """A conversation of the project on disk, for test_conformance; its id."""
    state(home)
    return ID


@pytest.mark.parametrize(
    "line", ["> No, exit", "  ❯ No, exit  ", "Allow this action? Use 't' to trust [y/n/t]:"]
)
def test_a_question_waits_for_its_human(line: str) -> None:
    shown = told(Kiro.screen_rules, ["All tools will be trusted", line])
    assert shown is not None
    assert (shown.word, shown.line) == ("waiting", line.strip())
    assert told(Kiro.screen_rules, ["All tools are now trusted"]) is None


def test_its_servers_are_named() -> None:
    file = HOME / ".kiro/settings/mcp.json"
    text = b'{"mcpServers": {"it": {"command": "node", "args": ["it.js"]}}}'
    found = Kiro(place("kiro-cli", texts={file: text})).commands()
    assert list(found) == [NamedCommand(file, "mcpServers.it", ("node", "it.js"))]
