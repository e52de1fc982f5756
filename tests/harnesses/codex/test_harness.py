import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.errors import HarnessError
from hqt.harnesses.base import Bind, Found, Place, Program, SpawnConfig
from hqt.harnesses.codex import hooks
from hqt.harnesses.codex.harness import Codex, toml_string
from tests.harnesses.places import CWD, HOME, place

ID = "01a2283b-a775-7780-ac16-eccdcc3a4efe"
BYPASS = "--dangerously-bypass-approvals-and-sandbox"
TRUST = f'projects={{"{CWD}"={{trust_level="trusted"}}}}'
JAILED = (BYPASS, "-c", TRUST, "-c", "check_for_update_on_startup=false")
LOGGED_IN = [HOME / ".codex/auth.json"]
NOTE = "no login of Codex was found, and one made in the jail ends with it: log in once outside"


def rollout(home: Path, cwd: Path = CWD, conversation: str = ID) -> Path:
    meta = {"id": conversation, "cwd": str(cwd), "timestamp": "2026-11-29T16:55:27.866Z"}
    path = home / f".codex/sessions/2026/11/29/rollout-2026-11-29T16-55-27-{conversation}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"type": "session_meta", "payload": meta}) + "\n")
    return path


def test_an_open_start_keeps_to_itself() -> None:
    config = Codex(place("codex", knows=["--no-daemon"])).build_spawn_config(prompt="fix it")
    assert config == SpawnConfig(("/usr/bin/codex", "--no-daemon", "--", "fix it"))


def test_an_older_codex_is_not_given_a_flag_that_it_refuses() -> None:
    assert Codex(place("codex")).build_spawn_config() == SpawnConfig(("/usr/bin/codex",))


def test_a_jailed_start_is_trusted_in_memory_and_asks_nothing() -> None:
    config = Codex(place("codex", knows=["--no-daemon"], present=LOGGED_IN)).build_spawn_config(
        args=["-m", "gpt"], prompt="-dash", sandboxed=True
    )
    assert config == SpawnConfig(
        command=("/usr/bin/codex", "--no-daemon", *JAILED, "-m", "gpt", "--", "-dash"),
        env_pass=tuple(Codex.sandbox_env),
    )


def test_flags_stand_before_a_subcommand() -> None:
    config = Codex(place("codex", knows=["--no-daemon"])).build_spawn_config(
        args=["exec", "--json"], prompt="hi", sandboxed=True
    )
    assert config.command == ("/usr/bin/codex", "--no-daemon", *JAILED, "exec", "--json", "--", "hi")


def test_a_flag_that_the_user_gave_is_not_given_twice() -> None:
    config = Codex(place("codex", knows=["--no-daemon"])).build_spawn_config(
        args=[BYPASS, "--no-daemon"], sandboxed=True
    )
    assert config.command == ("/usr/bin/codex", *JAILED[1:], BYPASS, "--no-daemon")


_HOOKS = ["--dangerously-bypass-hook-trust"]


def test_an_open_session_trusts_hqts_own_hook_and_no_other() -> None:
    codex = Codex(place("codex", knows=_HOOKS, session=HOME / "session"))
    told = (*hooks.reporting(), *hooks.trust())
    assert codex.build_spawn_config(args=["-m", "x"]).command == ("/usr/bin/codex", *told, "-m", "x")


def test_in_a_jail_every_hook_runs_unasked() -> None:
    codex = Codex(place("codex", knows=_HOOKS, session=HOME / "session"))
    told = (*JAILED, *_HOOKS, *hooks.reporting())
    assert codex.build_spawn_config(sandboxed=True).command == ("/usr/bin/codex", *told)


@pytest.mark.parametrize("given", [["-c", "hooks.Stop=[]"], ["--config=hooks={}"], ["-chooks.state={}"]])
@pytest.mark.parametrize("sandboxed", [False, True])
def test_hooks_that_the_user_gave_stand_alone(given: list[str], sandboxed: bool) -> None:
    codex = Codex(place("codex", knows=_HOOKS, session=HOME / "session"))
    words = (*JAILED, *_HOOKS) if sandboxed else ()
    config = codex.build_spawn_config(args=given, sandboxed=sandboxed)
    assert config.command == ("/usr/bin/codex", *words, *given)


def test_a_codex_without_hooks_is_given_none() -> None:
    codex = Codex(place("codex", session=HOME / "session"))
    assert codex.build_spawn_config().command == ("/usr/bin/codex",)
    assert codex.build_spawn_config(sandboxed=True).command == ("/usr/bin/codex", *JAILED)


def test_open_resume_names_the_conversation_and_the_folder(tmp_path: Path) -> None:
    rollout(tmp_path)
    config = Codex(place("codex", home=tmp_path, knows=["--no-daemon"])).build_resume_config(ID)
    assert config == SpawnConfig(("/usr/bin/codex", "resume", "--no-daemon", "-C", str(CWD), ID))


def test_jailed_resume_is_trusted_as_well(tmp_path: Path) -> None:
    rollout(tmp_path)
    config = Codex(place("codex", home=tmp_path, uid=0)).build_resume_config(
        ID, args=["-m", "x"], sandboxed=True
    )
    assert config is not None
    assert config.command == ("/usr/bin/codex", "resume", *JAILED, "-C", str(CWD), ID, "-m", "x")


def test_a_folder_that_the_user_chose_stays(tmp_path: Path) -> None:
    rollout(tmp_path)
    config = Codex(place("codex", home=tmp_path)).build_resume_config(ID, args=["--cd=/x"])
    assert config == SpawnConfig(("/usr/bin/codex", "resume", ID, "--cd=/x"))


def test_there_is_nothing_to_resume_without_a_rollout_or_after_a_subcommand(tmp_path: Path) -> None:
    configurator = Codex(place("codex", home=tmp_path))
    assert configurator.build_resume_config(ID) is None
    rollout(tmp_path)
    assert configurator.build_resume_config(ID, args=["exec", "hi"]) is None


def test_conversations_of_this_folder_are_found(tmp_path: Path) -> None:
    mine = rollout(tmp_path)
    rollout(tmp_path, HOME / "other", ID.replace("01a2", "01a3"))
    found = list(Codex(place("codex", home=tmp_path)).conversations())
    assert found == [Found(ID, 1795971327.866, mine)]


def test_codex_makes_its_ids_itself() -> None:
    assert Codex(place("codex")).mint(ID) is None


def test_the_jail_shows_single_children_of_the_folder() -> None:
    root = HOME / ".codex"
    read_only = "config.toml AGENTS.md AGENTS.override.md hooks.json prompts skills rules hooks agents"
    assert Codex(place("codex")).sandbox_binds() == [
        Bind(root / "sessions", writable=True, dst=root / "sessions", create="dir"),
        Bind(root / "auth.json", writable=True, dst=root / "auth.json", optional=True),
        *(Bind(root / name, dst=root / name, optional=True) for name in read_only.split()),
    ]


def test_a_standalone_codex_is_shown_with_its_tools() -> None:
    packages = HOME / ".codex/packages"
    program = Program(HOME / ".local/bin/codex", packages / "standalone/1/bin/codex")
    binds = Codex(Place(HOME, {}, 1000, CWD, program=program)).sandbox_binds()
    assert binds[-1] == Bind(packages, dst=packages)


def test_a_folder_outside_home_is_seen_at_the_usual_place() -> None:
    configurator = Codex(place("codex", env={"CODEX_HOME": "/srv/codex"}))
    assert configurator.sandbox_binds()[0] == Bind(
        Path("/srv/codex/sessions"), writable=True, dst=HOME / ".codex/sessions", create="dir"
    )
    assert configurator.build_spawn_config(sandboxed=True).env_set == {"CODEX_HOME": str(HOME / ".codex")}
    assert configurator.build_spawn_config().env_set == {}


def test_an_empty_folder_name_is_refused() -> None:
    with pytest.raises(HarnessError, match='CODEX_HOME="" is empty'):
        Codex(place("codex", env={"CODEX_HOME": ""}))


def test_the_keys_of_the_users_providers_are_passed() -> None:
    config = b'model_provider = "mine"\n[model_providers.mine]\nenv_key = "MINE_KEY"\n'
    texts = {HOME / ".codex/config.toml": config}
    found = Codex(place("codex", texts=texts)).build_spawn_config(sandboxed=True)
    assert found.env_pass == (*Codex.sandbox_env, "MINE_KEY")
    assert found.note is None


@pytest.mark.parametrize(
    ("env", "args", "note"),
    [({}, [], NOTE), ({"OPENAI_API_KEY": "k"}, [], None), ({}, ["--oss"], None)],
)
def test_a_login_that_would_not_outlive_the_jail_is_said_before(
    env: dict[str, str], args: list[str], note: str | None
) -> None:
    assert Codex(place("codex", env=env)).build_spawn_config(args=args, sandboxed=True).note == note


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_path_is_one_toml_string(text: str) -> None:
    assert tomllib.loads(f"x={{{toml_string(text)}=1}}") == {"x": {text: 1}}


@given(args=st.lists(st.text()), prompt=st.text(min_size=1), sandboxed=st.booleans())
def test_args_stay_verbatim_and_in_order_and_the_prompt_is_last(
    args: list[str], prompt: str, sandboxed: bool
) -> None:
    command = Codex(place("codex")).build_spawn_config(args=args, prompt=prompt, sandboxed=sandboxed).command
    assert list(command[-2 - len(args) :]) == [*args, "--", prompt]


def test_a_copy_is_a_subcommand_of_its_own(tmp_path: Path) -> None:
    rollout(tmp_path)
    codex = Codex(place("codex", home=tmp_path, knows=["--no-daemon"], present=LOGGED_IN))
    config = codex.build_fork_config(ID, None, args=["-m", "gpt"], prompt="-dash")
    words = ("fork", "--no-daemon", "-C", str(CWD), ID, "-m", "gpt", "--", "-dash")
    assert config == SpawnConfig(("/usr/bin/codex", *words))
    assert codex.build_fork_config(ID, None, args=["exec", "hi"]) is None


def planted(home: Path) -> str:
    """A conversation of the project on disk, for test_conformance; its id."""
    rollout(home)
    return ID
