"""A declared harness that would undo the jail is refused, with the key and the entry."""

import os
from pathlib import Path

import pytest

from hqt.config.harness import DeclaredHarness
from hqt.errors import ConfigError
from hqt.harnesses import registry
from hqt.sandbox.files.private import Private
from hqt.values import replace
from tests.harnesses import examples

FILE = Path("/home/u/.config/hqt/config.toml")
MINE = DeclaredHarness("mine", "Mine", ("agent",))


def judged(said: DeclaredHarness, home: Path = Path("/home/u")) -> registry.Harnesses:
    return registry.harnesses([said], FILE, Private.of(home, [home / ".local/share/hqt"]))


def refusal(said: DeclaredHarness, home: Path = Path("/home/u")) -> str:
    with pytest.raises(ConfigError) as raised:
        judged(said, home)
    return str(raised.value)


def test_it_is_known_beside_the_built_in() -> None:
    found = judged(MINE)
    assert found.names == (*registry.NAMES, "mine")
    assert found.kind("mine").label == "Mine"
    assert registry.BUILT_IN.names == registry.NAMES


@pytest.mark.parametrize("name", registry.NAMES)
def test_a_name_of_hqts_own_is_taken(name: str) -> None:
    said = f"{FILE}: harness.{name}: hqt has a harness of that name itself: give it another"
    assert refusal(replace(MINE, name=name)) == said


@pytest.mark.parametrize("name", ["SSH_AUTH_SOCK", "DISPLAY", "TMUX"])
def test_a_variable_that_leads_out_is_refused(name: str) -> None:
    assert refusal(replace(MINE, env=(name,))) == (
        f"{FILE}: harness.mine.env has {name}, which leads out of the jail: leave it out"
    )


TOO_WIDE = ["/", "~/", "/home", "/home/u", "/usr", "/etc", "/tmp", "~/.local", "~/.local/share/hqt/x"]
KEYS = ["~/.ssh", "~/.ssh/id_ed25519", "~/.gnupg/", "~/.aws/credentials"]


@pytest.mark.parametrize("key", ["rw", "ro"])
@pytest.mark.parametrize(
    ("text", "why"), [*((each, "would show") for each in TOO_WIDE), *((each, "is, holds") for each in KEYS)]
)
def test_what_no_jail_may_see_is_refused(key: str, text: str, why: str) -> None:
    said = refusal(replace(MINE, rw=(text,)) if key == "rw" else replace(MINE, ro=(text,)))
    assert said.startswith(f"{FILE}: harness.mine.{key} has {text}, which {why}")
    assert said.endswith(": name what lies deeper, or leave it out")


@pytest.mark.parametrize("key", ["rw", "ro"])
@pytest.mark.parametrize(
    "text", ["/run/docker.sock", "/run/user/1000/", "/proc/self/fd", "/dev/mem", "/sys/fs"]
)
def test_what_runs_on_this_machine_is_not_shown(key: str, text: str) -> None:
    said = refusal(replace(MINE, rw=(text,)) if key == "rw" else replace(MINE, ro=(text,)))
    assert said == (
        f"{FILE}: harness.mine.{key} has {text}, which leads to what runs on this machine, of which a jail"
        " has its own or nothing: name what lies deeper, or leave it out"
    )


OBEYED = """~/.bashrc ~/.gitconfig ~/.config/git/config ~/.config/systemd/user/ ~/.local/bin/x ~/bin
    ~/.cargo/bin ~/.config ~/.cache/ ~/.claude ~/.claude/ ~/.claude/settings.json ~/.claude/hooks/x
    ~/.codex/config.toml ~/.kiro/settings/mcp.json /etc/cron.d /usr/local/bin ~/.claude.json
    ~/.claude/.credentials.json ~/.codex/auth.json ~/.gemini/oauth_creds.json ~/.qwen/
    ~/.pi/agent/auth.json ~/.local/share/opencode/auth.json ~/.local/share/opencode/opencode.db""".split()


@pytest.mark.parametrize("text", OBEYED)
def test_what_is_obeyed_outside_is_never_written(text: str) -> None:
    said = refusal(replace(MINE, rw=(text,)))
    assert said.startswith(f"{FILE}: harness.mine.rw has {text}, which is")


@pytest.mark.parametrize("text", ["~/.agent/", "~/.config/agent/", "~/.claude/projects/", "/home/u/.agent/"])
def test_a_folder_of_its_own_may_be_written(text: str) -> None:
    assert judged(replace(MINE, rw=(text,))).kind("mine").name == "mine"


@pytest.mark.parametrize(
    "text", ["/srv/x", "/opt/agent/", "/var/lib/agent/", "/home/other/x", "/home/u2/", "/var"]
)
def test_nothing_is_written_outside_of_the_home(text: str) -> None:
    said = refusal(replace(MINE, rw=(text,)))
    assert said.startswith(f"{FILE}: harness.mine.rw has {text}, which ")
    judged(replace(MINE, ro=("/opt/agent/", "/srv/x")))


def test_what_leads_out_of_the_home_is_refused_and_a_home_that_is_a_link_is_none(tmp_path: Path) -> None:
    (tmp_path / "disk/u/.mine").mkdir(parents=True)
    (tmp_path / "home").symlink_to(tmp_path / "disk/u")
    assert judged(replace(MINE, rw=("~/.mine/",)), tmp_path / "home").kind("mine").name == "mine"
    (tmp_path / "disk/far").mkdir()
    (tmp_path / "disk/u/.far").symlink_to(tmp_path / "disk/far")
    assert refusal(replace(MINE, rw=("~/.far/",)), tmp_path / "home") == (
        f"{FILE}: harness.mine.rw has ~/.far/, which lies or leads outside of your home folder:"
        " name what lies in it, or leave it out"
    )


@pytest.mark.parametrize("key", ["rw", "ro"])
def test_nothing_stands_in_the_projects_cache(key: str) -> None:
    text = ("~/.cache/agent/",)
    said = replace(MINE, rw=text) if key == "rw" else replace(MINE, ro=text)
    assert refusal(said) == (
        f"{FILE}: harness.mine.{key} has ~/.cache/agent/, which lies where a jail has its project's cache:"
        " name what lies deeper, or leave it out"
    )


@pytest.mark.parametrize(
    ("rw", "ro", "pair"),
    [
        (("~/.agent/",), ("~/.agent/settings.json",), ("~/.agent/settings.json", "~/.agent/")),
        (("~/.agent/x/",), ("~/.agent",), ("~/.agent/x/", "~/.agent")),
        (("~/.agent/", "~/.agent"), (), ("~/.agent/", "~/.agent")),
        (("/home/u/.agent/",), ("~/.agent",), ("/home/u/.agent/", "~/.agent")),
    ],
)
def test_an_entry_in_another_is_refused(
    rw: tuple[str, ...], ro: tuple[str, ...], pair: tuple[str, str]
) -> None:
    assert refusal(replace(MINE, rw=rw, ro=ro)) == (
        f"{FILE}: harness.mine has {pair[0]}, which is or lies in {pair[1]}:"
        " name each once, or what lies deeper"
    )


def test_what_is_obeyed_outside_may_be_read() -> None:
    judged(replace(MINE, ro=("~/.gitconfig", "~/.claude/settings.json", "/etc/agent")))


def test_a_link_is_judged_by_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".agent").symlink_to(".ssh")
    assert "has ~/.agent, which is, holds or lies in a folder of keys" in refusal(
        replace(MINE, ro=("~/.agent",)), tmp_path
    )


def test_a_link_that_may_not_be_followed_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path) -> str:
        raise PermissionError(path)

    monkeypatch.setattr(os.path, "realpath", refused)
    assert judged(replace(MINE, ro=("~/.agent",)), tmp_path).kind("mine").name == "mine"


def test_the_examples_of_the_documentation_can_be_had() -> None:
    assert tuple(examples.SAID) == ("aider", "copilot")
    assert examples.HARNESSES.names == (*registry.NAMES, "aider", "copilot")


@pytest.mark.parametrize(
    ("rw", "ro"),
    [("~/link/", "~/.mine/rules"), ("~/.mine/", "~/link/rules"), ("//{home}/.mine/", "~/.mine/rules")],
)
def test_an_entry_in_another_by_another_name_is_refused(tmp_path: Path, rw: str, ro: str) -> None:
    (tmp_path / ".mine").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / ".mine")
    rw = rw.format(home=str(tmp_path)[1:])
    said = f"{FILE}: harness.mine has {ro}, which is or lies in {rw}: name each once, or what lies deeper"
    assert refusal(replace(MINE, rw=(rw,), ro=(ro,)), tmp_path) == said
