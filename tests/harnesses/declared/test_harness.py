"""A harness of the user's own does what its table says, and no more."""

from pathlib import Path

import pytest

from hqt.config.harness import DeclaredHarness, Sign
from hqt.errors import HarnessError
from hqt.harnesses.base import Bind, HarnessConfigurator, SpawnConfig
from hqt.harnesses.declared import harness
from hqt.status.rules import rule
from tests.harnesses.places import HOME, place

ID = "11111111-1111-4111-8111-111111111111"
AGENT = DeclaredHarness(
    name="mine",
    label="Mine",
    command=("agent", "chat", "--quiet"),
    skip=("--yes",),
    prompt=("--", "{prompt}"),
    new=("--session={id}",),
    resume=("--resume", "{id}"),
    transcript="~/.agent/*/log-*_{id}.json",
    rw=("~/.agent/", "~/.login"),
    ro=("/srv/agent.conf",),
    env=("AGENT_*",),
    screen=(Sign("waiting", "Proceed"),),
)


def agent(said: DeclaredHarness = AGENT, home: Path = HOME) -> HarnessConfigurator:
    return harness.kind(said, home)(place(home=home))


def test_a_kind_says_of_itself_what_the_table_says() -> None:
    kind = harness.kind(AGENT, HOME)
    assert (kind.name, kind.label, kind.executable, kind.is_agent) == ("mine", "Mine", "agent", True)
    assert (kind.sandbox_skip_permission_flags, kind.sandbox_env) == (["--yes"], ["AGENT_*"])
    assert (kind.flags, kind.help) == (["--quiet", "--yes", "--session", "--resume"], ["--help"])
    assert kind.screen_rules == (rule("waiting", "Proceed"),)


@pytest.mark.parametrize(
    ("word", "program"), [("~/bin/x", f"{HOME}/bin/x"), ("/opt/x", "/opt/x"), ("x", "x")]
)
def test_a_program_is_named_by_its_whole_path(word: str, program: str) -> None:
    assert harness.kind(DeclaredHarness("x", "x", (word,)), HOME).executable == program


def test_a_fresh_start_puts_each_word_in_its_place() -> None:
    config = agent().build_spawn_config(
        args=["--model", "m"], prompt="-x {id}", conversation=ID, sandboxed=True
    )
    assert config == SpawnConfig(
        command=(
            *(
                "/usr/bin/agent",
                "chat",
                "--quiet",
                "--yes",
                f"--session={ID}",
                "--model",
                "m",
                "--",
                "-x {id}",
            ),
        ),
        env_pass=("AGENT_*",),
    )


def test_an_open_start_skips_no_permission() -> None:
    assert agent().build_spawn_config() == SpawnConfig(command=("/usr/bin/agent", "chat", "--quiet"))


def test_a_flag_that_the_user_gave_is_not_given_twice() -> None:
    config = agent().build_spawn_config(args=["--yes"], sandboxed=True)
    assert config.command == ("/usr/bin/agent", "chat", "--quiet", "--yes")


@pytest.mark.parametrize("args", [["--resume", "x"], ["--session=x"]])
def test_a_conversation_that_the_user_chose_stays_his(args: list[str]) -> None:
    config = agent().build_spawn_config(args=args, conversation=ID)
    assert config.command == ("/usr/bin/agent", "chat", "--quiet", *args)
    assert (
        agent(DeclaredHarness("x", "x", ("x",), resume=("--resume", "{id}"))).build_resume_config(
            ID, args=["--resume", "x"]
        )
        is None
    )


def test_a_prompt_that_could_be_an_option_is_refused() -> None:
    mine = agent(DeclaredHarness("x", "X", ("x",), prompt=("-i", "{prompt}")))
    assert mine.build_spawn_config(prompt="fix it").command == ("/usr/bin/agent", "-i", "fix it")
    with pytest.raises(HarnessError, match="X could take a prompt that begins with - for an option"):
        mine.build_spawn_config(prompt="-x")
    joined = agent(DeclaredHarness("x", "X", ("x",), prompt=("--say={prompt}",)))
    assert joined.build_spawn_config(prompt="-x").command == ("/usr/bin/agent", "--say=-x")


def test_a_prompt_for_which_there_is_no_place_is_refused() -> None:
    with pytest.raises(HarnessError, match=r"takes no prompt from hqt: say harness\.x\.prompt"):
        agent(DeclaredHarness("x", "X", ("x",))).build_spawn_config(prompt="fix it")


def test_it_resumes_by_the_id_that_has_a_transcript(tmp_path: Path) -> None:
    mine = agent(home=tmp_path)
    assert (mine.has_conversation(ID), mine.build_resume_config(ID), mine.mint(ID)) == (False, None, ID)
    (tmp_path / ".agent/proj").mkdir(parents=True)
    (tmp_path / f".agent/proj/log-1_{ID}.json").touch()
    resumed = mine.build_resume_config(ID, args=["-v"], sandboxed=True)
    assert resumed == SpawnConfig(
        command=("/usr/bin/agent", "chat", "--quiet", "--yes", "--resume", ID, "-v"), env_pass=("AGENT_*",)
    )
    assert mine.mint(ID) != ID


@pytest.mark.parametrize("conversation", ["", "*", "..", "a/b", "--help\n"])
def test_what_is_no_id_is_no_part_of_a_path(tmp_path: Path, conversation: str) -> None:
    (tmp_path / ".agent/proj").mkdir(parents=True)
    (tmp_path / f".agent/proj/log-1_{ID}.json").touch()
    assert not agent(home=tmp_path).has_conversation(conversation)


def test_a_link_to_a_folder_elsewhere_is_not_looked_through(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / f"elsewhere/log-1_{ID}.json").touch()
    (tmp_path / ".agent").mkdir()
    (tmp_path / ".agent/proj").symlink_to(tmp_path / "elsewhere")
    assert not agent(home=tmp_path).has_conversation(ID)


def test_without_a_transcript_the_harness_itself_must_say_whether_it_knows_the_id() -> None:
    mine = agent(DeclaredHarness("x", "x", ("x",), new=("-s", "{id}"), resume=("-r", "{id}")))
    assert mine.build_resume_config(ID) == SpawnConfig(command=("/usr/bin/agent", "-r", ID))
    assert mine.mint(ID) not in (None, ID)


def test_without_ids_nothing_is_resumed() -> None:
    mine = agent(DeclaredHarness("x", "x", ("x",)))
    assert (mine.mint(), mine.build_resume_config(ID), list(mine.conversations())) == (None, None, [])


def test_what_is_shared_is_shown_and_only_folders_are_made() -> None:
    assert agent().sandbox_binds() == [
        Bind(HOME / ".agent", writable=True, create="dir"),
        Bind(HOME / ".login", writable=True, optional=True),
        Bind(Path("/srv/agent.conf"), optional=True),
    ]
