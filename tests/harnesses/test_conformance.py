"""What every harness of the registry keeps to; a new one is held to it by its line there.

The file of its own tests has a function `planted`, which puts a conversation on disk.
"""

import ast
import importlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hqt
from hqt.errors import HarnessError
from hqt.harnesses import registry
from hqt.harnesses.base import Bind, HarnessConfigurator, SpawnConfig
from hqt.sandbox.environment import NEVER, matches
from hqt.values import replace
from tests.harnesses import examples
from tests.harnesses.examples import HARNESSES
from tests.harnesses.places import HOME, place

OWN = tuple(name for name in registry.NAMES if registry.kind(name).is_agent)
# of the examples those that resume; the others are commands such as `generic` in what follows
AGENTS = (*OWN, *(name for name, said in examples.SAID.items() if said.resume))
UUID = "22222222-2222-4222-8222-222222222222"
# a jail of its own keeps the conversation to itself
UNFORKED = {("opencode", True)}
FORKED = [
    (name, sandboxed)
    for name in OWN
    for sandboxed in (False, True)
    if HARNESSES.kind(name).forks and (name, sandboxed) not in UNFORKED
]
SESSION = Path("/srv/hqt/sessions/0a1b2c3d")
# of a wider use than the harness's own login: passed only where something says that they are that login
WIDE = "AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN GH_TOKEN GITHUB_TOKEN GOOGLE_APPLICATION_CREDENTIALS".split()
PROMPTS = (
    *("-x", "--help", "--", "-", "@README", "/clear", "!ls", "$(id)", "two words", "one\ntwo", "ü ", "%s"),
    *(
        "update",
        "resume",
        "exec",
        "chat",
        "run",
        "list",
        "login",
        "help",
        "mcp",
    ),  # subcommands of one or more
)
every = pytest.mark.parametrize("name", HARNESSES.names)
every_agent = pytest.mark.parametrize("name", AGENTS)
jailed_or_not = pytest.mark.parametrize("sandboxed", [False, True], ids=["open", "jailed"])


def configured(
    name: str, home: Path = HOME, *, jailed: bool = False, env: Mapping[str, str] | None = None
) -> HarnessConfigurator:
    """At a place of a session that has its own folder, for a program that knows all that is asked of it."""
    kind = HARNESSES.kind(name)
    found = place(kind.executable, home=home, env=env, knows=kind.probes, session=SESSION)
    return HARNESSES.configure(name, replace(found, jailed=jailed))


def planted(name: str, home: Path) -> str:
    if name in examples.SAID:
        return examples.planted(name, home)
    at = "test_kiro" if name == "kiro" else f"{name}.test_harness"
    put = importlib.import_module(f"tests.harnesses.{at}").planted
    assert callable(put)
    return str(put(home))


def starts(name: str, home: Path, *, sandboxed: bool) -> Iterator[SpawnConfig]:
    """A fresh start without and with an id of hqt's, the way back into a conversation, and into a copy."""
    configurator = configured(name, home, jailed=sandboxed)
    yield configurator.build_spawn_config(sandboxed=sandboxed)
    yield configurator.build_spawn_config(conversation=configurator.mint(), sandboxed=sandboxed)
    if name in AGENTS:
        conversation = planted(name, home)
        back = configurator.build_resume_config(conversation, sandboxed=sandboxed)
        assert back is not None
        yield back
        copy = forked(configurator, conversation, sandboxed=sandboxed)
        assert (copy is not None) is (configurator.forks and (name, sandboxed) not in UNFORKED)
        if copy is not None:
            yield copy


def forked(
    configurator: HarnessConfigurator, conversation: str, prompt: str | None = None, *, sandboxed: bool
) -> SpawnConfig | None:
    """None, too, where it is refused with a sentence."""
    try:
        return configurator.build_fork_config(
            conversation, configurator.mint_fork(), prompt=prompt, sandboxed=sandboxed
        )
    except HarnessError:
        return None


# what it says of itself


@every
def test_it_says_who_it_is(name: str) -> None:
    kind = HARNESSES.kind(name)
    assert re.fullmatch(r"[a-z][a-z0-9-]*", kind.name)
    assert kind.name == name
    assert kind.label.strip()
    assert kind.is_agent is ("/" not in kind.executable)


@every
def test_every_flag_is_one_and_is_said_once(name: str) -> None:
    kind = HARNESSES.kind(name)
    assert all(re.fullmatch(r"--?[A-Za-z][A-Za-z0-9-]*", flag) for flag in kind.flags)
    assert len(set(kind.flags)) == len(kind.flags)
    named = {*kind.sandbox_skip_permission_flags, *kind.probes, *kind.unlisted}
    assert named - set(kind.flags) == set()


@pytest.mark.parametrize("name", OWN)
def test_it_says_what_is_known_of_it(name: str) -> None:
    known = HARNESSES.kind(name).evidence
    assert known.source is not None
    assert bool(known.run) is (known.version is not None)
    assert known.run or known.read
    assert all(re.fullmatch(r"[A-Z`].*\.", each) for each in (*known.run, *known.read, *known.unknown))


# what it runs


@every
@jailed_or_not
def test_prompts_are_skipped_in_a_jail_alone_and_each_flag_is_there_once(
    tmp_path: Path, name: str, sandboxed: bool
) -> None:
    skips = HARNESSES.kind(name).sandbox_skip_permission_flags
    for config in starts(name, tmp_path, sandboxed=sandboxed):
        assert [config.command.count(flag) for flag in skips] == [int(sandboxed)] * len(skips)


@every
@jailed_or_not
def test_every_flag_that_it_gives_is_one_that_it_declares(tmp_path: Path, name: str, sandboxed: bool) -> None:
    flags = HARNESSES.kind(name).flags
    letters = {flag[2].lower() for flag in flags}  # doctor looks for the long form of a short one
    for config in starts(name, tmp_path, sandboxed=sandboxed):
        given_ = [word.partition("=")[0] for word in config.command if re.match(r"--?[A-Za-z]", word)]
        short = [flag for flag in given_ if re.fullmatch("-[A-Za-z]", flag) and flag not in flags]
        assert [flag for flag in short if flag[1].lower() not in letters] == []
        assert [flag for flag in given_ if flag not in (*flags, *short)] == []


@every_agent
@jailed_or_not
@pytest.mark.parametrize("prompt", PROMPTS)
def test_a_prompt_arrives_whole_and_is_taken_for_nothing_else(
    name: str, sandboxed: bool, prompt: str
) -> None:
    config = configured(name).build_spawn_config(conversation=UUID, prompt=prompt, sandboxed=sandboxed)
    without = configured(name).build_spawn_config(conversation=UUID, sandboxed=sandboxed)
    *before, word = said(config, without)
    assert before in ([], ["--"])
    if word.startswith("--") and word != prompt:
        flag, _, value = word.partition("=")
        assert flag in HARNESSES.kind(name).flags
        assert value == prompt
        return
    assert word.strip() == prompt.strip()
    assert before or not word.startswith(("-", "@"))


def said(config: SpawnConfig, without: SpawnConfig) -> list[str]:
    """The words of a command that are there for the prompt."""
    pairs = zip(config.command, without.command, strict=False)
    begin = next((at for at, (one, other) in enumerate(pairs) if one != other), len(without.command))
    return list(config.command[begin : begin + len(config.command) - len(without.command)])


@every_agent
@jailed_or_not
def test_an_empty_prompt_is_none(name: str, sandboxed: bool) -> None:
    empty, none = (
        configured(name).build_spawn_config(conversation=UUID, prompt=prompt, sandboxed=sandboxed)
        for prompt in ("", None)
    )
    assert empty == none


@every_agent
@jailed_or_not
def test_resume_names_the_recorded_conversation_and_no_other(
    tmp_path: Path, name: str, sandboxed: bool
) -> None:
    conversation = planted(name, tmp_path)
    configurator = configured(name, tmp_path, jailed=sandboxed)
    config = configurator.build_resume_config(conversation, sandboxed=sandboxed)
    assert config is not None
    assert len([word for word in config.command if conversation in word]) == 1
    assert {"-c", "--continue", "--last", "--latest", "latest"} & set(config.command) <= {"-c"}
    assert configurator.has_conversation(conversation)


@every
@jailed_or_not
@pytest.mark.parametrize("conversation", [UUID, "ses_00000000000000000000000000", "", "--help", "../x", "*"])
def test_what_is_not_on_disk_is_not_resumed(
    tmp_path: Path, name: str, sandboxed: bool, conversation: str
) -> None:
    if name in AGENTS:
        planted(name, tmp_path / "other")
    configurator = configured(name, tmp_path, jailed=sandboxed)
    assert configurator.build_resume_config(conversation, sandboxed=sandboxed) is None


@pytest.mark.parametrize(("name", "sandboxed"), FORKED)
@pytest.mark.parametrize("prompt", [None, *PROMPTS])
def test_a_copy_names_what_it_is_of_and_is_told_its_prompt_as_a_fresh_start_is(
    tmp_path: Path, name: str, sandboxed: bool, prompt: str | None
) -> None:
    conversation = planted(name, tmp_path)
    configurator = configured(name, tmp_path, jailed=sandboxed)
    config = configurator.build_fork_config(conversation, UUID, prompt=prompt, sandboxed=sandboxed)
    fresh = configurator.build_spawn_config(conversation=UUID, prompt=prompt, sandboxed=sandboxed)
    assert config is not None
    assert len([word for word in config.command if conversation in word]) == 1
    assert (UUID in config.command) is (configurator.mint_fork() is not None)
    assert {"--continue", "--last", "latest"} & set(config.command) == set()
    assert replace(config, command=()) == replace(fresh, command=())
    if prompt is not None:
        without = configurator.build_fork_config(conversation, UUID, sandboxed=sandboxed)
        unsaid = configurator.build_spawn_config(conversation=UUID, sandboxed=sandboxed)
        assert without is not None
        assert said(config, without) == said(fresh, unsaid)


@every_agent
@jailed_or_not
def test_what_is_not_on_disk_is_not_copied(tmp_path: Path, name: str, sandboxed: bool) -> None:
    configurator = configured(name, tmp_path, jailed=sandboxed)
    assert forked(configurator, UUID, sandboxed=sandboxed) is None


@every_agent
def test_an_id_of_hqts_is_new_each_time_and_kept_while_unused(tmp_path: Path, name: str) -> None:
    configurator = configured(name, tmp_path)
    first, second = configurator.mint(), configurator.mint()
    assert (first is None) is (second is None)
    assert first is None or first != second
    assert configurator.mint(first) == first
    used = planted(name, tmp_path)
    assert configurator.mint(used) != used


# what its jail shows


@every
@given(folder=st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1))
def test_a_jail_shows_single_things_and_writes_no_code(name: str, folder: str) -> None:
    home = Path("/home", folder if folder not in (".", "..") else "x")
    binds = configured(name, home, jailed=True).sandbox_binds()
    assert len({bind.inside for bind in binds}) == len(binds)
    for bind in binds:
        assert is_its_own(bind, home)
        assert bind.src not in (home, *home.parents, *(home / each for each in _WHOLE))
        assert bind.optional or bind.create == "dir"
        assert home / ".cache" not in bind.inside.parents
        if bind.writable:
            around = [each for each in binds if each is not bind and meets(each, bind)]
            # one that could be missing would be made by the agent, and not be read-only
            assert [each for each in around if each.writable or each.create != "dir"] == []


def is_its_own(bind: Bind, home: Path) -> bool:
    """Whether it is seen under HOME, or is what the machine's owner has set for everyone."""
    return home in bind.inside.parents or (Path("/etc") in bind.inside.parents and not bind.writable)


def meets(one: Bind, other: Bind) -> bool:
    """Whether one of them lies in the other, where a mount could be taken away or written past."""
    return any(
        first == second or first in second.parents or second in first.parents
        for first, second in ((one.inside, other.inside), (one.src, other.src))
    )


_WHOLE = (
    ".claude .codex .kiro .gemini .qwen .pi .pi/agent .config .local .local/share .local/state .cache .aws "
    ".local/share/opencode .ssh .gnupg"
).split()


@every
def test_no_variable_that_leads_out_is_passed(name: str) -> None:
    passed = HARNESSES.kind(name).sandbox_env
    for never in NEVER:
        assert not matches(never.replace("*", "X"), passed)
        assert not any(matches(each, [never]) for each in passed)
    assert [wide for wide in WIDE if matches(wide, passed)] == []
    assert [each for each in passed if len(each.rstrip("*")) < 4] == []


@every
def test_an_open_start_takes_nothing_away_and_adds_nothing(name: str) -> None:
    config = configured(name).build_spawn_config()
    assert (config.env_set, config.env_pass, config.copies, config.note) == ({}, (), (), None)


# where its files are


def folder_variables() -> Iterator[tuple[str, str]]:
    for name in HARNESSES.names:
        yield from ((name, each) for each in HARNESSES.kind(name).root_env if re.search("_(HOME|DIR)$", each))


@pytest.mark.parametrize(("name", "variable"), folder_variables())
def test_a_folder_elsewhere_is_honoured_or_refused(name: str, variable: str) -> None:
    kind = HARNESSES.kind(name)
    for refused in ("", "relative", "~other/x"):
        with pytest.raises(HarnessError, match=variable):
            configured(name, env={variable: refused})
    elsewhere = configured(name, jailed=True, env={variable: "/srv/elsewhere"})
    looked = [*kind.reads(HOME, {variable: "/srv/elsewhere"}), *(b.src for b in elsewhere.sandbox_binds())]
    assert any(Path("/srv/elsewhere") in path.parents for path in looked)
    assert all(is_its_own(bind, HOME) for bind in elsewhere.sandbox_binds())
    assert configured(name, env={variable: "~/own"}).build_spawn_config().env_set == {
        variable: str(HOME / "own")
    }


@every
def test_what_it_reads_and_looks_at_depends_on_home_and_variables_alone(name: str) -> None:
    kind = HARNESSES.kind(name)
    for look in (kind.reads, kind.looks_at):
        found = look(HOME, {})
        assert found == look(HOME, {})
        assert all(HOME in path.parents or Path("/etc") in path.parents for path in found)


# nobody else knows it

# where a name stands for something else than "this harness"
_ELSEWHERE = {
    "sandbox/files/private.py": "folders of logins, whose agent need not be known to hqt",
    "sandbox/guards.py": "files in projects that agents outside run, known to hqt or not",
    "sandbox/host.py": "folders of /etc and under HOME that hold programs and their policies",
    "jailcheck/scratch.py": "a home with the files of real agents in it, to break in for",
}


def test_no_other_file_knows_a_harness_by_name() -> None:
    source = Path(hqt.__file__).parent
    words = "|".join(re.escape(name) for name in OWN)
    harness = re.compile(rf"(?<![\w./-])({words})(?![\w.-])")
    found = {
        f"{path.relative_to(source)}: {text}"
        for path in source.rglob("*.py")
        if path.relative_to(source).parts[0] != "harnesses"
        and path.relative_to(source).as_posix() not in _ELSEWHERE
        for text in texts(path)
        if harness.search(text)
    }
    assert found == set()


def texts(path: Path) -> Iterator[str]:
    """The texts and names of a module; examples, as in help and errors, are left out."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if not re.search("xample|  hqt |such as", node.value):
                yield node.value
        elif isinstance(node, ast.ImportFrom):
            yield from (f"from {node.module} import {each.name}".lower() for each in node.names)
